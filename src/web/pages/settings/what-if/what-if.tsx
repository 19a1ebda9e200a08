import { Box, Card, Group, NativeSelect, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { QueryOf } from '#contract/endpoint.ts';
import { outageApi } from '#contract/outage-api.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { call } from '../../../api/call.ts';
import { hasFailed } from '../../../api/has-failed.ts';
import { useUserStatus } from '../../../api/queries.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Muted } from '../../../components/muted.ts';
import { resumeChoices, resumeKey } from './resume-choices.ts';
import { ReplayTable } from './replay-table.tsx';
import { replaySummary } from './replay-copy.ts';

/** Of the summary and the closed table: what is below may not move under the pointer when they arrive. */
const ANSWER_HEIGHT = 62;

const THRESHOLD_LABELS: Record<Threshold, string> = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' };

/** The last twelve months of outages with a threshold and a resume mode; saves nothing. */
export function WhatIf() {
  const { data: saved } = useUserStatus();
  const [threshold, setThreshold] = useState<Threshold | null>(null);
  const [resume, setResume] = useState<ResumeSettings | null>(null);
  const chosen = {
    threshold: threshold ?? saved?.outageThreshold ?? DEFAULT_THRESHOLD,
    resume: resume ?? saved?.resumeSettings ?? DEFAULT_RESUME,
  };
  const choices = resumeChoices(saved?.resumeSettings ?? DEFAULT_RESUME);
  const replay = useReplay(chosen.threshold, chosen.resume);
  const { card, isLinked } = useLink('#what-if');
  return (
    <Card component="section" aria-labelledby="what-if" ref={card}>
      <Title order={2} fz="lg" id="what-if">
        What your settings would have done
      </Title>
      <Muted mt={4}>
        Meta’s outages of the last 12 months. Choose other settings to compare; nothing is saved.
      </Muted>
      <Group gap="sm" mt="md" align="flex-end">
        <NativeSelect
          label="Threshold"
          w={150}
          data={THRESHOLDS.map((value) => ({ value, label: THRESHOLD_LABELS[value] }))}
          value={chosen.threshold}
          onChange={({ currentTarget: { value } }) =>
            setThreshold(THRESHOLDS.find((one) => one === value) ?? null)
          }
        />
        <NativeSelect
          label="Resume"
          w={230}
          data={choices.map(({ settings, label }) => ({ value: resumeKey(settings), label }))}
          value={resumeKey(chosen.resume)}
          onChange={({ currentTarget: { value } }) =>
            setResume(choices.find(({ settings }) => resumeKey(settings) === value)?.settings ?? null)
          }
        />
      </Group>
      <Answer replay={replay} isOpen={isLinked} />
    </Card>
  );
}

function Answer({ replay, isOpen }: { replay: ReturnType<typeof useReplay>; isOpen: boolean }) {
  const { data, isFetching, refetch } = replay;
  const isFailed = hasFailed(replay);
  const isLoading = data === undefined && !isFailed;
  return (
    <Box mt="md" aria-busy={isLoading}>
      {isLoading && <Skeleton h={ANSWER_HEIGHT} />}
      {isFailed && (
        <LoadFailure
          text="The outages couldn’t be loaded."
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      )}
      {data !== undefined && (
        <>
          <Text role="status" fw={550}>
            {replaySummary(data)}
          </Text>
          <ReplayTable replays={data.replays} isOpen={isOpen} />
        </>
      )}
    </Box>
  );
}

function useReplay(threshold: Threshold, resume: ResumeSettings) {
  const query: QueryOf<typeof outageApi.replayOutages> = {
    threshold,
    mode: resume.mode,
    ...(resume.mode === 'delay' && { value: String(resume.delay.value), unit: resume.delay.unit }),
  };
  return useQuery({
    queryKey: ['outage-replay', query],
    queryFn: () => call(outageApi.replayOutages, { query }),
    placeholderData: (previous) => previous,
  });
}

/** Brings the section into view if the address names it: the browser looks before the page is drawn. */
function useLink(fragment: string) {
  const card = useRef<HTMLDivElement>(null);
  const isLinked = useLocation().hash === fragment;
  useEffect(() => {
    if (isLinked) card.current?.scrollIntoView({ block: 'start' });
  }, [isLinked]);
  return { card, isLinked };
}
