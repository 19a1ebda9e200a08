import type { Instant } from './time.ts';
import { minutes, seconds } from './time.ts';

/** Whether somebody is worth asking at all. Closed: asked as ever. Open: refused at once, but for a probe now and then. */
export type Breaker =
  | {
      kind: 'closed';
      /** In a row: any answer begins anew. */
      failures: number;
      lastAt: Instant;
      /** Whom the first of them was about; null where it was about nobody in particular. */
      about: string | null;
      /** They cannot all be the fault of the same one. */
      isWidespread: boolean;
    }
  | { kind: 'open'; since: Instant; probes: number; probeAt: Instant };

/** What went wrong with a call, as far as it may be the other side's fault as a whole. */
export interface Outage {
  /** On whose behalf was asked; null: whoever had asked, it would have been the same. */
  about: string | null;
}

export const FAILURES_TO_OPEN = 5;
/** Failures with more than this between them have nothing to do with each other. */
const APART_MS = minutes(1);
const FIRST_PROBE_MS = seconds(1);
/** The longest that anybody waits for news: whatever is to be done is done this soon after the other side is back. */
export const LONGEST_PROBE_MS = seconds(5);

const NO_FAILURE: Extract<Breaker, { kind: 'closed' }> = {
  kind: 'closed',
  failures: 0,
  lastAt: 0,
  about: null,
  isWidespread: false,
};
export const CLOSED: Breaker = NO_FAILURE;

/** How long not to ask; 0: ask now. Never longer than between two probes, also when the clock was set back. */
export function holdOffMs(breaker: Breaker, now: Instant): number {
  if (breaker.kind === 'closed') return 0;
  const left = breaker.probeAt - now;
  return left <= 0 || left > LONGEST_PROBE_MS ? 0 : left;
}

/**
 * Whether a call may be sent. One that may while the breaker is open is a probe, and the next comes later, whether this
 * one is ever answered or not.
 * @param roll uniform in [0, 1): the caller's dice
 */
export function admit(breaker: Breaker, now: Instant, roll: number): { isAdmitted: boolean; after: Breaker } {
  if (breaker.kind === 'closed') return { isAdmitted: true, after: breaker };
  if (holdOffMs(breaker, now) > 0) return { isAdmitted: false, after: breaker };
  const probes = breaker.probes + 1;
  return { isAdmitted: true, after: { ...breaker, probes, probeAt: now + probeAfterMs(probes, roll) } };
}

/** Somebody has answered, if only with a refusal. */
export function afterAnswer(breaker: Breaker): Breaker {
  return breaker.kind === 'closed' && breaker.failures === 0 ? breaker : CLOSED;
}

/** While it is open another failure is no news: the next probe has its time already. */
export function afterOutage(breaker: Breaker, { about }: Outage, now: Instant, roll: number): Breaker {
  if (breaker.kind === 'open') return breaker;
  const isFirst = breaker.failures === 0 || Math.abs(now - breaker.lastAt) > APART_MS;
  const before = isFirst ? { ...NO_FAILURE, about } : breaker;
  const failures = before.failures + 1;
  const isWidespread = before.isWidespread || about === null || about !== before.about;
  if (failures >= FAILURES_TO_OPEN && isWidespread) {
    return { kind: 'open', since: now, probes: 0, probeAt: now + probeAfterMs(0, roll) };
  }
  return { ...before, failures, lastAt: now, isWidespread };
}

/** Growing, and spread over its second half: many processes do not probe together. */
function probeAfterMs(probes: number, roll: number): number {
  const longest = Math.min(LONGEST_PROBE_MS, FIRST_PROBE_MS * 2 ** Math.min(probes, 10));
  return Math.ceil(longest * (0.5 + roll / 2));
}
