import type { Instant } from './time.ts';
import { minutes, seconds } from './time.ts';

/**
 * Circuit breaker for one dependency. Closed: all calls pass. Open: calls fail at once, except periodic
 * probes.
 */
export type Breaker =
  | {
      kind: 'closed';
      /** Consecutive failures: any response resets the count. */
      failures: number;
      lastAt: Instant;
      /** The user of the first failure; null: the failure concerns no particular user. */
      about: string | null;
      /** The failures concern more than one user, so one user cannot have caused them all. */
      isWidespread: boolean;
    }
  | { kind: 'open'; since: Instant; probes: number; probeAt: Instant };

/** A failed call that may mean an outage of the whole dependency. */
export interface Outage {
  /** The user whose call failed; null: the call would have failed for every user. */
  about: string | null;
}

export const FAILURES_TO_OPEN = 5;
/** Failures further apart than this do not count as consecutive. */
const APART_MS = minutes(1);
const FIRST_PROBE_MS = seconds(1);
/** The longest interval between probes, and so the longest delay after the dependency recovers. */
export const LONGEST_PROBE_MS = seconds(5);

const NO_FAILURE: Extract<Breaker, { kind: 'closed' }> = {
  kind: 'closed',
  failures: 0,
  lastAt: 0,
  about: null,
  isWidespread: false,
};
export const CLOSED: Breaker = NO_FAILURE;

/**
 * 0: a call may be sent now. Never longer than the interval between two probes, even if the clock was set
 * back.
 */
export function msUntilNextCall(breaker: Breaker, now: Instant): number {
  if (breaker.kind === 'closed') return 0;
  const left = breaker.probeAt - now;
  return left <= 0 || left > LONGEST_PROBE_MS ? 0 : left;
}

/**
 * A call admitted while the breaker is open is a probe. It schedules the next probe at once, because a probe
 * may never get a response.
 * @param roll uniform in [0, 1)
 */
export function admit(breaker: Breaker, now: Instant, roll: number): { isAdmitted: boolean; after: Breaker } {
  if (breaker.kind === 'closed') return { isAdmitted: true, after: breaker };
  if (msUntilNextCall(breaker, now) > 0) return { isAdmitted: false, after: breaker };
  const probes = breaker.probes + 1;
  return { isAdmitted: true, after: { ...breaker, probes, probeAt: now + probeAfterMs(probes, roll) } };
}

/** Any response closes the breaker, also a refusal. */
export function afterAnswer(breaker: Breaker): Breaker {
  return breaker.kind === 'closed' && breaker.failures === 0 ? breaker : CLOSED;
}

/** While the breaker is open, further failures do not move the next probe. */
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

/** Exponential, with jitter over the second half, so that many processes do not probe at the same moment. */
function probeAfterMs(probes: number, roll: number): number {
  const longest = Math.min(LONGEST_PROBE_MS, FIRST_PROBE_MS * 2 ** Math.min(probes, 10));
  return Math.ceil(longest * (0.5 + roll / 2));
}
