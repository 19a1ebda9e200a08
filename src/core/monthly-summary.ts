import * as z from 'zod/mini';
import { counted } from './labels.ts';
import { beginOfMonth, monthLabel, monthOf, newYorkTime } from './new-york.ts';
import type { NotPausedReason } from './outages/reasons.ts';
import { NOT_PAUSED_REASONS } from './outages/reasons.ts';
import { SUMMARY_DAY } from './periods.ts';
import { KNOWN_LEVELS, THRESHOLDS } from './smartpause/level.ts';
import type { Instant } from './time.ts';

/** Of New York's clock. */
const SUMMARY_HOUR = 9;
/** A later one would be no news. */
const LAST_SUMMARY_DAY = 12;

/** From its first minute until that of the next one, in New York. */
export interface Month {
  /** '2026-11'. */
  month: string;
  from: Instant;
  until: Instant;
}

/** The month whose summary is due now; null: none is. */
export function summaryDue(now: Instant): Month | null {
  const { year, month, day, hour } = newYorkTime(now);
  if (day < SUMMARY_DAY || day > LAST_SUMMARY_DAY || (day === SUMMARY_DAY && hour < SUMMARY_HOUR))
    return null;
  const from = beginOfMonth(year, month - 1);
  return { month: monthOf(from), from, until: beginOfMonth(year, month) };
}

const amounts = z.object({ low: z.number(), likely: z.number(), high: z.number() });

/** One that met the threshold, or in which campaigns were paused. `keptRunning` counts those that it did not pause. `reason`: why none was; null: some were. */
const outage = z.object({
  ...{ startedAt: z.number(), endedAt: z.nullable(z.number()), paused: z.number(), keptRunning: z.number() },
  reason: z.nullable(z.enum(NOT_PAUSED_REASONS)),
  kept: z.array(z.extend(amounts, { currency: z.string() })),
});

/** The facts of a month's summary, as they were known when it was written. */
export const SUMMARY = {
  month: z.string(),
  /** Null: the user has changed it. */
  threshold: z.nullable(z.enum(THRESHOLDS)),
  /** When the user completed the setup, if that was in the month. */
  since: z.nullable(z.number()),
  /** Oldest first. */
  outages: z.array(outage),
  /** The time of all pauses together, of outages that are estimated. */
  pausedMs: z.number(),
  /** The worst level of each disruption that did not meet the threshold. */
  milder: z.array(z.enum(KNOWN_LEVELS)),
  /** By currency, with how many of its outages are not known. */
  sums: z.array(
    z.object({
      currency: z.string(),
      outages: z.number(),
      unknown: z.number(),
      kept: amounts,
      protected: amounts,
    }),
  ),
  /** How often the status page was read in the month, and since when that is counted; null: not known. */
  reads: z.nullable(z.object({ count: z.number(), since: z.number() })),
  /** Running campaigns, when it was written; null: not all of them were known. */
  running: z.nullable(z.object({ all: z.number(), protected: z.number() })),
};
export type Summary = z.output<z.ZodMiniObject<typeof SUMMARY>>;

interface OutageOfUser {
  startedAt: Instant;
  endedAt: Instant | null;
  /** When it met the user's threshold of that time; null: it did not. */
  matchedAt: Instant | null;
  paused: number;
  reason: NotPausedReason | null;
}

/** Whether it is listed: it met the threshold, or campaigns were paused in it. */
export function isOfSummary({ matchedAt, paused }: Pick<OutageOfUser, 'matchedAt' | 'paused'>): boolean {
  return matchedAt !== null || paused > 0;
}

/** 'Summary of November 2026', and what happened in it. */
export function summaryWords({ month, outages }: Pick<Summary, 'month' | 'outages'>): [string, string] {
  return [`Summary of ${monthLabel(month)}`, outcomeOf(outages)];
}

/** 'SmartPause paused campaigns in 2 of 3 outages'. */
export function outcomeOf(outages: Summary['outages']): string {
  if (outages.length === 0) return 'no outage met your threshold';
  const paused = outages.filter((one) => one.paused > 0).length;
  if (paused === 0) return `${counted(outages.length, 'outage')}, in which nothing was paused`;
  const which =
    paused === outages.length ? counted(paused, 'outage') : `${paused} of ${outages.length} outages`;
  return `SmartPause paused campaigns in ${which}`;
}
