import type { OutageSummary } from '#contract/outage-api.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { clockSpan, recentDay } from '../../lib/exact-times.ts';
import { outageResult } from '../activity/outage-copy.ts';

const SHOWN_FOR = days(7);

/** Not while it lasts: the banners tell what happens now. Not for a user who was not set up then. */
export function isToldOnDashboard({ endedAt, threshold }: OutageSummary, now: Instant): boolean {
  return threshold !== null && endedAt !== null && now - Date.parse(endedAt) < SHOWN_FOR;
}

/** 'Yesterday, 9:10 PM – 11:08 PM EST (high disruption): 12 campaigns paused within 14 s, all resumed.' */
export function lastOutageCopy(outage: OutageSummary, now: Instant): string {
  const start = Date.parse(outage.startedAt);
  const end = outage.endedAt === null ? now : Date.parse(outage.endedAt);
  const level = LEVEL_WORDS[outage.peak].toLowerCase();
  return `${recentDay(start, now)}, ${clockSpan(start, end)} (${level}): ${outageResult(outage)}`;
}
