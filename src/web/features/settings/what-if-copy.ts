import type { ReplyOf } from '#contract/endpoint.ts';
import type { outageApi } from '#contract/outage-api.ts';
import { counted, durationLabel, resumeCopy } from '#core/labels.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { isSameResume } from '#core/settings.ts';

export type Replays = ReplyOf<typeof outageApi.replayOutages>;
export type Replay = Replays['replays'][number];

/** 'Your campaigns would have been paused in 2 of 3 outages, for 3 h 32 min in total.' */
export function replaySummary({ replays, pausedMs }: Replays): string {
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

const USUAL: readonly ResumeSettings[] = [
  { mode: 'instant' },
  { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  { mode: 'delay', delay: { value: 1, unit: 'hours' } },
  { mode: 'delay', delay: { value: 1, unit: 'days' } },
  { mode: 'next_day' },
];

/** The usual resume settings, and the saved ones. */
export function resumeChoices(saved: ResumeSettings): { settings: ResumeSettings; label: string }[] {
  const isUsual = USUAL.some((one) => isSameResume(one, saved));
  return (isUsual ? USUAL : [saved, ...USUAL]).map((settings) => ({
    settings,
    label: resumeLabel(settings),
  }));
}

/** '5 minutes later', 'Immediately'. */
export function resumeLabel(settings: ResumeSettings): string {
  const copy = resumeCopy(settings);
  return copy.charAt(0).toUpperCase() + copy.slice(1);
}
