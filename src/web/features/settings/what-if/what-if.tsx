import '@mantine/core/styles/Table.css';
import { Box, Group, NativeSelect, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { QueryOf } from '#contract/endpoint.ts';
import { outageApi } from '#contract/outage-api.ts';
import { durationLabel, figure } from '#core/labels.ts';
import { fullTime } from '#core/new-york.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { call } from '../../../lib/api-client.ts';
import { hasFailed } from '../../../lib/has-failed.ts';
import { useUserStatus } from '../../status/api.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Muted } from '../../../components/muted.ts';
import { SectionCard } from '../../../components/section-card.tsx';
import { StatusMark } from '../../status/status-mark.tsx';
import classes from '../settings.module.css';
import { resumeChoices, resumeKey } from './resume-choices.ts';
import type { Replay } from './replay-copy.ts';
import { SOURCE_WORDS, pausedFor, replaySummary } from './replay-copy.ts';

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
  return (
    <SectionCard id="what-if" title="What your settings would have done">
      <Muted>Meta’s outages of the last 12 months. Choose other settings to compare; nothing is saved.</Muted>
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
      <Answer {...chosen} />
    </SectionCard>
  );
}

function Answer({ threshold, resume }: { threshold: Threshold; resume: ResumeSettings }) {
  const isLinked = useLocation().hash === '#what-if';
  const query: QueryOf<typeof outageApi.replayOutages> = {
    threshold,
    mode: resume.mode,
    ...(resume.mode === 'delay' && { value: String(resume.delay.value), unit: resume.delay.unit }),
  };
  const replay = useQuery({
    queryKey: ['outage-replay', query],
    queryFn: () => call(outageApi.replayOutages, { query }),
    placeholderData: (previous) => previous,
  });
  const { data, isFetching, refetch } = replay;
  if (hasFailed(replay)) {
    return (
      <Box mt="md">
        <LoadFailure
          text="The outages couldn’t be loaded."
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      </Box>
    );
  }
  if (data === undefined) return <Skeleton h={ANSWER_HEIGHT} mt="md" aria-busy="true" />;
  const { replays } = data;
  return (
    <Box mt="md">
      <Text role="status" fw={550}>
        {replaySummary(data)}
      </Text>
      {replays.length > 0 && (
        <details className={classes.outages} open={isLinked}>
          <summary>{replays.length === 1 ? 'The outage' : `All ${figure(replays.length)} outages`}</summary>
          <Table
            aria-label="Outages of the last 12 months with these settings"
            data={{ head: ['Outage', 'Paused for', 'Resumed'], body: replays.map(rowOf) }}
          />
        </details>
      )}
    </Box>
  );
}

function rowOf(replay: Replay) {
  const { startedAt, endedAt, peak, source, resumedAt } = replay;
  const lasted =
    endedAt === null ? 'Still open' : `Lasted ${durationLabel(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return [
    <>
      {fullTime(Date.parse(startedAt))}
      <div>
        <StatusMark level={peak} />
      </div>
      <Muted>
        {lasted}. {SOURCE_WORDS[source]}.
      </Muted>
    </>,
    pausedFor(replay),
    resumedAt === null ? '–' : fullTime(Date.parse(resumedAt)),
  ];
}
