import { DISRUPTION_WORDS, durationLabel } from '#core/labels.ts';
import { clockTime, fullTime, fullTimeWithUtc, utcTime } from '#core/new-york.ts';
import type { Level, Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Facts } from '../facts.ts';
import type { Block } from '../render.ts';
import { isSameDay } from './lists.ts';

/** The outage of the pauses, those in which they went on, and the status now. */
export function outageCopy({ outages, threshold, status }: Facts): Block[] {
  const [outage, ...later] = outages;
  if (outage === undefined) return [];
  const { startedAt, endedAt, peak } = outage;
  const facts: [string, string][] = [
    ['Outage', spanLabel(startedAt, endedAt)],
    ...(endedAt === null ? [] : [['Duration', durationLabel(endedAt - startedAt)] as [string, string]]),
    ['Peak', DISRUPTION_WORDS[peak]],
    ...later.map((one): [string, string] => ['Next outage', spanLabel(one.startedAt, one.endedAt)]),
    ['Your threshold', threshold.toLowerCase()],
  ];
  return [{ status: status.effective, text: statusCopy(status.effective, threshold) }, { facts }];
}

function statusCopy(level: Level, threshold: Threshold): string {
  if (level === 'UP') return 'the disruption is over.';
  if (level === 'UNKNOWN') return 'we can’t read Meta’s status right now.';
  return meetsThreshold(level, threshold) ? 'your threshold is met.' : 'below your threshold now.';
}

/** 'Jan 8, 2026, 9:10 PM EST to 11:08 PM EST'; names the second date only if it is another one. */
function spanLabel(from: Instant, to: Instant | null): string {
  if (to === null) return `${fullTimeWithUtc(from)}, still ongoing`;
  const end = isSameDay(from, to) ? clockTime(to) : fullTime(to);
  const endUtc = utcDayOf(from) === utcDayOf(to) ? utcClockOf(to) : utcTime(to);
  return `${fullTime(from)} to ${end} (${utcTime(from).replace(' UTC', '')} to ${endUtc})`;
}

function utcDayOf(at: Instant): number {
  return Math.floor(at / days(1));
}

/** '05:01 UTC', of a time whose date is clear. */
export function utcClockOf(at: Instant): string {
  return utcTime(at).split(', ').at(-1) ?? '';
}
