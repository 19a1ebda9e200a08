import type { PausedCampaign } from './compared-days.ts';
import { compareDays, dayFrom, quantile, sumOf } from './compared-days.ts';
import { hours } from '../time.ts';
import { endOfDay } from './local-hours.ts';

/** Amounts are in Meta's unit of one currency, like budgets: an estimate never has two. */
export interface Range {
  low: number;
  likely: number;
  high: number;
}

/** What was spent in the same time by campaigns that were not paused. */
export interface Comparison {
  /** In such hours of earlier days. */
  usualSpend: number;
  spend: number;
  /** Cost of 1,000 impressions on each of these days. */
  usualCpms: readonly number[];
  /** Null: there were too few. */
  cpm: number | null;
  /** Ad accounts of many others delivered far less than usual, too. */
  isWide?: boolean;
}

/** The part of the spend in an outage that buys less than usual. `isMeasured`: by campaigns that were not paused. */
export interface Waste extends Range {
  isMeasured: boolean;
}

/** `budget`: too few earlier days are known, so it is the daily budget's share of the time. */
export const ESTIMATE_BASES = ['hours', 'budget'] as const;

export interface Estimate {
  basis: (typeof ESTIMATE_BASES)[number];
  /** Earlier days that it compares with. */
  days: number;
  campaigns: number;
  /** By `budget`: those of them that have no daily budget, so nothing is estimated for them. */
  withoutBudget: number;
  /** The time of all their pauses. */
  pausedMs: number;
  notSpent: Range;
  /** What Meta spent later on the same days, and what it never spent. Null: known the next day. */
  later: Range | null;
  kept: Range | null;
  /** What would have been wasted. Null like these. */
  protected: Range | null;
  waste: Waste;
}

/** Since v24 of its API Meta may spend so much of a daily budget on a day. */
export const MOST_OF_BUDGET = 1.75;
/** A tenth of what really happens lies below, and a tenth above: the days also set the factors of weekdays, so they agree too well. */
const LOWEST = 0.07;
/** Without campaigns to compare with. */
const UNMEASURED: Waste = { low: 0.3, likely: 0.65, high: 1, isMeasured: false };
/**
 * Below this share of the usual spend nothing was delivered. Meta may have had a blackout, in which it charges nothing, or
 * their user has turned these campaigns off, too: what would have been spent may be nothing. It is nothing where many others
 * delivered far less than usual as well.
 */
const SILENT = 0.05;
export const NOTHING: Range = { low: 0, likely: 0, high: 0 };
const UNKNOWN_UNTIL_READ = { later: null, kept: null, protected: null };

/**
 * What campaigns of one outage and one currency would have spent while they were paused, and what became of it. Never
 * more than Meta could still spend on these days.
 * @param isOver these days are over, and have been read since
 */
export function estimate(...given: Parameters<typeof estimateInSteps>): Estimate {
  const steps = estimateInSteps(...given);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps of some milliseconds, between which other work can be done. */
export function* estimateInSteps(
  campaigns: readonly PausedCampaign[],
  comparison: Comparison | null,
  isOver: boolean,
): Generator<undefined, Estimate> {
  const waste = wasteOf(comparison);
  const of = { campaigns: campaigns.length, withoutBudget: 0, pausedMs: pausedMsOf(campaigns), waste };
  const isSilent = comparison !== null && areSilent(comparison);
  const rangeFrom = (values: readonly number[]) =>
    isBlackout(comparison) ? NOTHING : { ...rangeOf(values), ...(isSilent && { low: 0 }) };
  const most = campaigns.reduce((sum, one) => sum + leftToSpend(one), 0);
  const compared = yield* compareDays(campaigns);
  if (compared === null) {
    const notSpent = isBlackout(comparison) ? NOTHING : byBudget(campaigns, most);
    const withoutBudget = campaigns.filter(({ dailyBudget }) => dailyBudget === null).length;
    return { ...of, basis: 'budget', days: 0, withoutBudget, notSpent, ...UNKNOWN_UNTIL_READ };
  }
  const spent = campaigns.reduce((sum, one) => sum + sumOf(one.actual, dayFrom(one)), 0);
  const days = compared.map(({ paused, day }) => {
    const notSpent = Math.min(paused, most);
    const kept = Math.min(Math.max(0, day - spent), notSpent);
    return { notSpent, kept, later: notSpent - kept };
  });
  const notSpent = rangeFrom(days.map((one) => one.notSpent));
  const byHours = { ...of, basis: 'hours', days: days.length, notSpent } as const;
  if (!isOver) return { ...byHours, ...UNKNOWN_UNTIL_READ };
  const kept = rangeFrom(days.map((one) => one.kept));
  const later = isBlackout(comparison) ? NOTHING : rangeOf(days.map((one) => one.later));
  return { ...byHours, later, kept, protected: wasted(kept, waste) };
}

function pausedMsOf(campaigns: readonly PausedCampaign[]): number {
  return Math.round(campaigns.reduce((sum, { paused }) => sum + hoursOf(paused), 0) * hours(1));
}

function hoursOf(paused: PausedCampaign['paused']): number {
  return [...paused.values()].reduce((sum, one) => sum + one, 0);
}

/** On the days of the pause, besides what was spent on them. Infinity: the campaign has no daily budget. */
function leftToSpend({ actual, paused, dailyBudget }: PausedCampaign): number {
  if (dailyBudget === null) return Infinity;
  let sum = 0;
  for (const end of new Set([...paused.keys()].map(endOfDay)))
    sum += Math.max(0, MOST_OF_BUDGET * dailyBudget - sumOf(actual, { first: end - 24, end }));
  return sum;
}

function byBudget(campaigns: readonly PausedCampaign[], most: number): Range {
  const likely = campaigns.reduce((sum, { paused, dailyBudget }) => {
    return sum + ((dailyBudget ?? 0) * hoursOf(paused)) / 24;
  }, 0);
  return { low: 0, likely: Math.min(likely, most), high: Math.min(likely * MOST_OF_BUDGET, most) };
}

function areSilent({ spend, usualSpend }: Comparison): boolean {
  return spend < SILENT * usualSpend;
}

/** Meta delivered nothing, and charges nothing then: a campaign that ran would have spent nothing either. */
function isBlackout(comparison: Comparison | null): boolean {
  return comparison?.isWide === true && areSilent(comparison);
}

/** Where 1,000 impressions cost more than usual, the rest of their price buys nothing. */
function wasteOf(comparison: Comparison | null): Waste {
  if (comparison === null) return UNMEASURED;
  if (isBlackout(comparison)) return { ...NOTHING, isMeasured: true };
  if (areSilent(comparison)) return { ...UNMEASURED, low: 0 };
  const { usualCpms, cpm } = comparison;
  if (cpm === null) return UNMEASURED;
  return { ...rangeOf(usualCpms.map((usual) => Math.max(0, 1 - usual / cpm))), isMeasured: true };
}

function wasted(kept: Range, waste: Range): Range {
  return { low: kept.low * waste.low, likely: kept.likely * waste.likely, high: kept.high * waste.high };
}

function rangeOf(values: readonly number[]): Range {
  const at = (probability: number) => quantile(values, probability);
  return { low: at(LOWEST), likely: at(0.5), high: at(1 - LOWEST) };
}
