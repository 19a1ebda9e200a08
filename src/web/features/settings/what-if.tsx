import '@mantine/core/styles/Table.css';
import { Box, Group, NativeSelect, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
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
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { call } from '../../lib/api-client.ts';
import { useUserStatus } from '../status/api.ts';
import { StatusMark } from '../status/status-mark.tsx';
import { THRESHOLD_WORDS } from './settings-copy.ts';
import type { Replay, Replays } from './what-if-copy.ts';
import { SOURCE_WORDS, pausedFor, replaySummary, resumeChoices, resumeLabel } from './what-if-copy.ts';

/** Of the summary and the closed table: what is below may not move under the pointer when they arrive. */
const ANSWER_HEIGHT = 62;

/** The last twelve months of outages with a threshold and a resume mode; saves nothing. */
export function WhatIf() {
  const { data: saved } = useUserStatus();
  const [threshold = saved?.outageThreshold ?? DEFAULT_THRESHOLD, setThreshold] = useState<Threshold>();
  const [resume = saved?.resumeSettings ?? DEFAULT_RESUME, setResume] = useState<ResumeSettings>();
  const choices = resumeChoices(saved?.resumeSettings ?? DEFAULT_RESUME);
  const query: QueryOf<typeof outageApi.replayOutages> = {
    threshold,
    mode: resume.mode,
    ...(resume.mode === 'delay' && { value: String(resume.delay.value), unit: resume.delay.unit }),
  };
  const replay = useQuery({
    queryKey: ['outage-replay', query],
    queryFn: () => call(outageApi.replayOutages, { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <SectionCard id="what-if" title="What your settings would have done">
      <Muted>Meta’s outages of the last 12 months. Choose other settings to compare; nothing is saved.</Muted>
      <Group gap="sm" my="md" align="flex-end">
        <NativeSelect
          label="Threshold"
          w={210}
          data={THRESHOLDS.map((value) => ({ value, label: THRESHOLD_WORDS[value] }))}
          value={threshold}
          onChange={({ currentTarget: { value } }) => setThreshold(THRESHOLDS.find((one) => one === value))}
        />
        <NativeSelect
          label="Resume"
          w={230}
          data={choices.map(({ label }) => label)}
          value={resumeLabel(resume)}
          onChange={({ currentTarget: { value } }) =>
            setResume(choices.find(({ label }) => label === value)?.settings)
          }
        />
      </Group>
      <QueryContent
        query={replay}
        data={replay.data}
        failure="The outages couldn’t be loaded."
        heights={[ANSWER_HEIGHT]}
      >
        {(replays) => <Answer {...replays} />}
      </QueryContent>
    </SectionCard>
  );
}

function Answer(answer: Replays) {
  const isLinked = useLocation().hash === '#what-if';
  const { replays } = answer;
  return (
    <>
      <Text role="status" fw={550}>
        {replaySummary(answer)}
      </Text>
      {replays.length > 0 && (
        <details open={isLinked}>
          <Box component="summary" w="fit-content" mt="sm" fz="sm" style={{ cursor: 'pointer' }}>
            {replays.length === 1 ? 'The outage' : `All ${figure(replays.length)} outages`}
          </Box>
          <Table
            aria-label="Outages of the last 12 months with these settings"
            styles={{ td: { verticalAlign: 'top' } }}
            data={{ head: ['Outage', 'Paused for', 'Resumed'], body: replays.map(rowOf) }}
          />
        </details>
      )}
    </>
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
