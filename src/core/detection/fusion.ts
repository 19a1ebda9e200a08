import type { Instant } from '../time.ts';
import { minutes } from '../time.ts';
import type { DeliveryEvidence } from './delivery.ts';
import type { CallEvidence } from './panels.ts';
import type { Level } from '../smartpause/level.ts';
import { meetsThreshold } from '../smartpause/level.ts';
import type { Component } from '../smartpause/status.ts';
import type { Panel } from './parameters.ts';
import type { DetectionState } from './sequential-test.ts';

/** Empty: not known. */
export type SignalEvidence = CallEvidence | DeliveryEvidence | Record<string, never>;

/** Kinds of evidence of an outage that campaigns feel, each independent of the others. */
export interface Evidence {
  /** The page reports a disruption of what SmartPause watches. */
  page: boolean;
  /** Calls for users, or the canary's, are SUSPECTED. */
  calls: boolean;
  /** Many ad accounts deliver far less than at the same hour of other weeks. More is often a sale, and calls work then. */
  delivery: boolean;
  /** The page reports disruptions of reporting, and of nothing that SmartPause watches. */
  isReportingOnly: boolean;
}

/**
 * Logarithms of likelihood ratios, without a source of our own: to be fitted again from the recorded states. `from`
 * begins an early warning that pauses, and it lasts while the probability is at least `until`.
 */
export const FUSION = {
  /** About 30 incidents of 1.75 hours a year. */
  prior: 0.006,
  weights: { page: 9, delivery: 6, calls: 3.5, isReportingOnly: -3 },
  from: 0.9,
  until: 0.5,
  /** Both kinds of evidence for so long: what a failure that has ended left suspected is cleared by then (`TEST.clearAfterMs`). */
  bothForMs: minutes(20),
} as const;

/** `SUSPECTED`: it notifies. `PROBABLE`: it pauses as well. Both last until the evidence has cleared. */
export type WarningState = 'NORMAL' | 'SUSPECTED' | 'PROBABLE';

/** What one of the sources says now. */
export interface SourceState {
  source: Panel | 'delivery';
  state: DetectionState;
}

export function sayingOf(
  sources: readonly (SourceState & { evidence: SignalEvidence })[],
): Pick<Evidence, 'calls' | 'delivery'> {
  const suspected = sources.filter(({ state }) => state === 'SUSPECTED');
  return {
    calls: suspected.some(({ source }) => source !== 'delivery'),
    delivery: suspected.some(({ evidence }) => 'direction' in evidence && evidence.direction === 'low'),
  };
}

/** How long both failing calls and low delivery have been suspected. */
export function bothLastMs(
  sources: readonly (SourceState & { evidence: SignalEvidence; since: Instant })[],
  now: Instant,
): number {
  const begunOf = (of: 'calls' | 'delivery') =>
    Math.min(...sources.filter((one) => sayingOf([one])[of]).map(({ since }) => since));
  return Math.max(0, now - Math.max(begunOf('calls'), begunOf('delivery')));
}

/** Meta's service for the figures of ads. It can fail while ads are delivered as always. */
const REPORTING = /reporting/i;

/** @param level of the services that SmartPause watches, as Meta's page states it */
export function pageSaying(
  level: Level,
  components: readonly Component[],
): Pick<Evidence, 'page' | 'isReportingOnly'> {
  const page = meetsThreshold(level, 'LOW');
  const down = components.filter((one) => one.level !== null && one.level !== 'UP');
  return {
    page,
    isReportingOnly: !page && down.length > 0 && down.every(({ name }) => REPORTING.test(name)),
  };
}

/** What an early warning stands on, as it was found last. */
export interface WarningEvidence {
  /** When the first of its states began. */
  since: Instant;
  probability: number;
  parts: { source: Panel | 'delivery'; evidence: SignalEvidence; isOver?: boolean }[];
}

/** The probability of an outage that campaigns feel, by adding log-odds. */
export function probabilityOf(evidence: Evidence): number {
  const names = Object.keys(FUSION.weights) as (keyof Evidence)[];
  const odds = names.reduce(
    (sum, name) => sum + (evidence[name] ? FUSION.weights[name] : 0),
    Math.log(FUSION.prior / (1 - FUSION.prior)),
  );
  return 1 / (1 + Math.exp(-odds));
}

/**
 * The early warning after one more minute. A pause needs failing calls and low delivery: neither pauses alone.
 * The page's own rule never asks it.
 * @param bothMs how long both have been suspected
 */
export function nextWarning(before: WarningState, evidence: Evidence, bothMs: number): WarningState {
  const own = probabilityOf({ ...evidence, page: false });
  const areBoth = evidence.calls && evidence.delivery && bothMs >= FUSION.bothForMs;
  if (areBoth && own >= FUSION.from) return 'PROBABLE';
  if (before === 'PROBABLE' && own >= FUSION.until) return before;
  return evidence.calls ? 'SUSPECTED' : 'NORMAL';
}

/** It pauses campaigns of the users who want that. */
export function pauses(warning: { state: WarningState; acts: boolean } | null): boolean {
  return warning !== null && warning.acts && warning.state === 'PROBABLE';
}
