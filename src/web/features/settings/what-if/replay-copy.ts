import type { ReplyOf } from '#contract/endpoint.ts';
import type { outageApi } from '#contract/outage-api.ts';
import { counted, durationLabel } from '#core/labels.ts';

type Reply = ReplyOf<typeof outageApi.replayOutages>;
export type Replay = Reply['replays'][number];

/** 'Your campaigns would have been paused in 2 of 3 outages, for 3 h 32 min in total.' */
export function replaySummary({ replays, pausedMs }: Reply): string {
  if (replays.length === 0) return 'No outage is known in these 12 months.';
  const paused = replays.filter(({ pausedAt }) => pausedAt !== null).length;
  if (paused === 0) return `Nothing would have been paused in ${counted(replays.length, 'outage')}.`;
  const of = `${paused} of ${counted(replays.length, 'outage')}`;
  return `Your campaigns would have been paused in ${of}, for ${durationLabel(pausedMs)} in total.`;
}

/** '2 h 3 min', 'Not paused: below your threshold' or 'Paused now'. */
export function pausedFor({ pausedAt, resumedAt }: Replay): string {
  if (pausedAt === null) return 'Not paused: below your threshold';
  if (resumedAt === null) return 'Still paused';
  return durationLabel(Date.parse(resumedAt) - Date.parse(pausedAt));
}

export const SOURCE_WORDS: Record<Replay['source'], string> = {
  record: 'Recorded by SmartPause',
  meta: 'From Meta’s list of outages',
  documented: 'Published',
};
