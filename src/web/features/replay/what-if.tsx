import { Group, NativeSelect, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts';
import { outageApi } from '#contract/outage-api.ts';
import type { SettingsBody } from '#contract/shapes.ts';
import { THRESHOLD_WORDS, capitalized, counted, durationLabel, resumeCopy } from '#core/labels.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD, isSameResume } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { Chevron } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../lib/api-client.ts';
import { userStatusQuery } from '../status/api.ts';
import { StatusMark } from '../status/status-mark.tsx';

type Replays = ReplyOf<typeof outageApi.replayOutages>;
export type Replay = Replays['replays'][number];

/** Of the summary and the closed table, small and large: what is below may not move under the pointer when they arrive. */
const [ANSWER_HEIGHT, LARGE_HEIGHT] = [85, 172];

const SOURCES: Record<NonNullable<Replay['source']>, string> = {
  record: 'Recorded by SmartPause',
  meta: 'From Meta’s list of outages',
  documented: 'Published',
};

const USUAL: readonly ResumeSettings[] = [
  { mode: 'instant' },
  { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  { mode: 'delay', delay: { value: 1, unit: 'hours' } },
  { mode: 'delay', delay: { value: 1, unit: 'days' } },
  { mode: 'next_day' },
];

/** The usual resume settings, and the saved ones. */
export function resumeChoices(saved: ResumeSettings): readonly ResumeSettings[] {
  return USUAL.some((one) => isSameResume(one, saved)) ? USUAL : [saved, ...USUAL];
}

/** What the settings of the form, or others, would have done. */
export function WhatIf({ draft }: Pick<ReplayProps, 'draft'>) {
  return (
    <SectionCard id="what-if" title="What your settings would have done">
      <OutageReplay draft={draft} />
    </SectionCard>
  );
}

function useReplay(threshold: Threshold, resume: ResumeSettings) {
  const query: QueryOf<typeof outageApi.replayOutages> = {
    threshold,
    mode: resume.mode,
    ...(resume.mode === 'delay' && { value: String(resume.delay.value), unit: resume.delay.unit }),
    ...(resume.mode === 'next_day' && resume.zone !== undefined && { zone: resume.zone }),
  };
  return useQuery({
    queryKey: ['outage-replay', query],
    queryFn: () => call(outageApi.replayOutages, { query }),
    placeholderData: keepPreviousData,
  });
}

export type Draft = Pick<SettingsBody, 'outageThreshold' | 'resumeSettings'>;

/** Below the choice of these settings; its place is kept until it is known. */
export function PastOutages({ outageThreshold, resumeSettings }: Draft) {
  const { data, isPlaceholderData } = useReplay(outageThreshold, resumeSettings);
  return (
    <Muted mt={4} mih={{ base: '2lh', sm: '1lh' }} className="figures">
      {data && !isPlaceholderData && pastOutagesCopy(data)}
    </Muted>
  );
}

/** How many outages would have paused campaigns, below the mark of a threshold. */
export function PausedOutages({ outageThreshold, resumeSettings }: Draft) {
  const { data } = useReplay(outageThreshold, resumeSettings);
  return (
    <Muted fz="xs" className="figures">
      {data && counted(countsOf(data.replays).paused, 'outage')}
    </Muted>
  );
}

interface ReplayProps {
  /** What the form above has, which is followed until another setting is chosen here; absent: the saved settings. */
  draft?: Draft | undefined;
  /** Sells: the answer is large, with these below it, and the choice of settings shown on demand. */
  figures?: (pausedMs: number) => ReactNode;
}

/** The last twelve months of outages with a threshold and a resume mode; saves nothing. */
export function OutageReplay({ figures, draft }: ReplayProps) {
  const { data: saved } = useQuery(userStatusQuery);
  const own = draft ?? saved;
  const [threshold = own?.outageThreshold ?? DEFAULT_THRESHOLD, setThreshold] = useState<Threshold>();
  const ownResume = own?.resumeSettings ?? DEFAULT_RESUME;
  const [chosen = ownResume, setChosen] = useState<ResumeSettings>();
  const choices = resumeChoices(ownResume);
  // A choice that the form has offered goes with it.
  const resume = choices.find((one) => isSameResume(one, chosen)) ?? ownResume;
  const replay = useReplay(threshold, resume);
  const choice = (
    <>
      <Muted>
        {draft === undefined ? 'Meta’s outages of the last 12 months.' : 'With the settings above.'} Choose
        others to compare; nothing is saved.
      </Muted>
      <Group gap="sm" my="md" align="flex-end">
        <NativeSelect
          label="Threshold"
          w={210}
          data={THRESHOLDS.map((value) => ({ value, label: THRESHOLD_WORDS[value] }))}
          value={threshold}
          onChange={(event) => setThreshold(event.currentTarget.value as Threshold)}
        />
        <NativeSelect
          label="Resume"
          w={230}
          data={choices.map((one, index) => ({ value: String(index), label: capitalized(resumeCopy(one)) }))}
          value={choices.findIndex((one) => isSameResume(one, resume))}
          onChange={(event) => setChosen(choices[Number(event.currentTarget.value)])}
        />
      </Group>
    </>
  );
  return (
    <>
      {figures === undefined && choice}
      <QueryContent
        query={replay}
        data={replay.data}
        failure="The outages couldn’t be loaded."
        heights={[figures === undefined ? ANSWER_HEIGHT : LARGE_HEIGHT]}
      >
        {(replays) => <Answer answer={replays} figures={figures?.(replays.pausedMs)} />}
      </QueryContent>
      {figures !== undefined && (
        <details>
          <Summary text="Compare settings" />
          {choice}
        </details>
      )}
    </>
  );
}

function Summary({ text }: { text: string }) {
  return (
    <Group component="summary" gap={6} w="fit-content" mt="sm" fz="sm" fw={550}>
      {text}
      <Chevron />
    </Group>
  );
}

function Answer({ answer, figures }: { answer: Replays; figures: ReactNode }) {
  const isLinked = useLocation().hash === '#what-if';
  const { replays } = answer;
  const isShort = figures !== undefined;
  const [summary, total, more] = replaySummary(answer);
  const rest = [isShort ? '' : total, more].filter((part) => part !== '').join(' ');
  return (
    <>
      <div role="status">
        <Title order={isShort ? 2 : 3} fz={isShort ? { base: 24, sm: 28 } : 'md'} lh={1.3} mb={6}>
          {summary}
        </Title>
        {rest !== '' && <Text className="figures">{rest}</Text>}
      </div>
      {figures}
      {replays.length > 0 && (
        <details open={isLinked}>
          <Summary text={`${counted(replays.length, 'outage')} in detail`} />
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
  return [
    <>
      <Time at={startedAt} />
      <div>
        <StatusMark level={peak} />
      </div>
      <Muted>
        {endedAt === null ? 'Still open' : `Lasted ${lengthOf(startedAt, endedAt)}`}.{' '}
        {source !== null && `${SOURCES[source]}.`}
      </Muted>
    </>,
    pausedFor(replay),
    resumedAt === null ? '–' : <Time at={resumedAt} />,
  ];
}

/**
 * '2 of 3 outages in the last 12 months would have paused your campaigns', and '3 h 32 min in total.' An outage that
 * is not over, or its pause, does not count.
 */
export function replaySummary({
  replays,
  pausedMs,
}: Replays): [summary: string, total: string, more: string] {
  const { over, paused } = countsOf(replays);
  const known = `${counted(over, 'outage')} in the last 12 months`;
  const more = over < replays.length ? 'The current one doesn’t count yet.' : '';
  if (over === 0) return [`No ${more && 'earlier '}outage is known in the last 12 months`, '', more];
  if (paused === 0) return [`Nothing would have been paused in ${known}`, '', more];
  return [`${paused} of ${known} would have paused your campaigns`, `${totalOf(pausedMs)} in total.`, more];
}

/** 'Your campaigns would have been paused for 3 h 42 min in the last 12 months.' */
export function pastOutagesCopy({ replays, ...rest }: Replays): string {
  if (countsOf(replays).paused === 0) return `${replaySummary({ replays, ...rest })[0]}.`;
  return `Your campaigns would have been paused for ${totalOf(rest.pausedMs)} in the last 12 months.`;
}

function countsOf(replays: readonly Replay[]): { over: number; paused: number } {
  const paused = replays.filter(({ resumedAt }) => resumedAt !== null).length;
  const spared = replays.filter(({ pausedAt, endedAt }) => pausedAt === null && endedAt !== null).length;
  return { over: paused + spared, paused };
}

function totalOf(pausedMs: number): string {
  return durationLabel(pausedMs).replaceAll(' ', '\u00a0');
}

/** '2 h 3 min', '2 h 5 min, since the outage before', 'Not paused: below your threshold' or 'Still paused'. */
export function pausedFor({ startedAt, pausedAt, resumedAt }: Replay): string {
  if (pausedAt === null) return 'Not paused: below your threshold';
  if (resumedAt === null) return 'Still paused';
  const length = lengthOf(pausedAt, resumedAt);
  // Else a pause of two outages reads as two pauses, and the lengths exceed the total.
  return Date.parse(pausedAt) < Date.parse(startedAt) ? `${length}, since the outage before` : length;
}

function lengthOf(from: string, to: string): string {
  return durationLabel(Date.parse(to) - Date.parse(from));
}
