import { instantOf } from '../time-zone.ts';
import type { Instant } from '../time.ts';
import { days, hours } from '../time.ts';
import { dayOf, localHourOf } from './local-hours.ts';

/** At first; from then on each night has one day more. */
const FIRST_DAYS = 28;
/** Values settle for hours and may move for weeks: a day is read again in so many nights after its first. */
const READ_AGAIN_NIGHTS = 3;
/** After the account's midnight, when Meta shows 99 % of a day. */
const NIGHT_MS = hours(4);
const READ_WITHIN_MS = hours(2);

/** A day of an ad account's clock, such as '2026-01-09'. What was read before `since` is to be read again. */
export interface DayToRead {
  day: string;
  since: Instant;
}

/** The days that may have to be read since last night, newest first. */
export function daysToRead(timeZone: string, now: Instant): DayToRead[] {
  const today = dayNumberOf(timeZone, now);
  const last = nightOf(timeZone, today, now) <= now ? today : today - 1;
  const tonight = nightOf(timeZone, last, now);
  return Array.from({ length: FIRST_DAYS }, (_, n) => {
    const day = last - 1 - n;
    const settled = nightOf(timeZone, day + 1 + READ_AGAIN_NIGHTS, now);
    return { day: dayOf(day * 24), since: Math.min(tonight, settled) };
  });
}

export function nextNight(timeZone: string, now: Instant): Instant {
  const today = dayNumberOf(timeZone, now);
  const tonight = nightOf(timeZone, today, now);
  return tonight > now ? tonight : nightOf(timeZone, today + 1, now);
}

/** About when what was spent on the day of this time is read and compared: thousands of campaigns take hours. */
export function readFrom(timeZone: string, at: Instant): Instant {
  return nightOf(timeZone, dayNumberOf(timeZone, at) + 1, at) + READ_WITHIN_MS;
}

/** Days of the zone's clock since 1970-01-01. */
function dayNumberOf(timeZone: string, at: Instant): number {
  return Math.floor(localHourOf(timeZone, at) / 24);
}

function nightOf(timeZone: string, day: number, now: Instant): Instant {
  return instantOf(timeZone, days(day) + NIGHT_MS, now);
}

/** What is known of the reads of an ad account between two steps. */
export interface SpendProgress {
  /** The platform makes it; null: the next one is to be begun. */
  report: { id: string; day: string; campaignIds: string[]; askedAt: Instant } | null;
  /** Campaigns in one report. */
  most: number;
  /** Steps in a row without a day. */
  failures: number;
}

/** A report of so many has at most five pages. With a step a minute, that is 420 calls an hour: Meta allows 600 at least. */
export const MOST_CAMPAIGNS = 100;
export const SPEND_START: SpendProgress = { report: null, most: MOST_CAMPAIGNS, failures: 0 };
/** Meta makes a report within an hour. */
const LONGEST_REPORT_MS = hours(1);
/** Then it is tried again in the next night. */
const MOST_FAILURES = 5;

/** The report gave nothing. One that is too large, or that Meta did not make, is of half as many campaigns the next time. */
export function withoutReport({ failures, most }: SpendProgress, campaigns: number | null): SpendProgress {
  const half = campaigns === null ? most : Math.max(1, Math.ceil(campaigns / 2));
  return { report: null, most: half, failures: failures + 1 };
}

export function isGivenUp({ failures }: SpendProgress): boolean {
  return failures >= MOST_FAILURES;
}

export function isLost({ report }: SpendProgress, now: Instant): boolean {
  return report !== null && now >= report.askedAt + LONGEST_REPORT_MS;
}
