import { backoffMs } from './backoff.ts';
import type { FailureKind, PlatformFailure } from './platform.ts';
import type { Usage } from './platform-usage.ts';
import { blockMs } from './platform-usage.ts';
import type { Instant } from './time.ts';
import { minutes } from './time.ts';

/** The consequences of a failed call. */
export interface AfterFailure {
  retryAt: Instant;
  /** Until then, send no call for this ad account. */
  blockedUntil: Instant | null;
}

const RETRIED_SOON: ReadonlySet<FailureKind> = new Set(['transient', 'gone', 'token_invalid']);
const SLOW_RETRY_MS = minutes(5);

interface FailureContext {
  /** Consecutive failures, including this one. */
  failures: number;
  usage: Usage | null;
  now: Instant;
}

/**
 * Decides when to retry a failed call.
 * @param random uniform in [0, 1)
 */
export function afterFailure(failure: PlatformFailure, given: FailureContext, random: number): AfterFailure {
  const { failures, now } = given;
  const { kind, nextProbeInMs, retryAfterMs } = failure;
  if (kind === 'rate_limited') {
    const until = now + backoffMs(1, random, { hintMs: blockHintMs(failure, given) });
    return { retryAt: until, blockedUntil: until };
  }
  // When all calls wait for the same probe, the number of failures does not extend the wait.
  if (nextProbeInMs !== undefined)
    return { blockedUntil: null, retryAt: now + backoffMs(1, random, { hintMs: nextProbeInMs }) };
  const hintMs = RETRIED_SOON.has(kind) ? retryAfterMs : (retryAfterMs ?? SLOW_RETRY_MS);
  return { blockedUntil: null, retryAt: now + backoffMs(failures, random, { hintMs }) };
}

/** The time that the error states, else that of the usage headers or the shortest block. Calls during a block extend it. */
function blockHintMs(failure: PlatformFailure, { usage, now }: FailureContext): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs;
  const hinted = Math.max(usage?.regainAt ?? 0, usage?.resetAt ?? 0) - now;
  return Math.max(hinted, blockMs(usage?.tier ?? null));
}
