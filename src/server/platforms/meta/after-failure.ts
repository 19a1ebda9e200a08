import { backoffMs } from '#core/backoff.ts';
import type { Usage } from '#core/platform-usage.ts';
import { blockMs } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { FailureKind, PlatformFailure } from './errors.ts';

/** The consequences of a failed call. */
export interface AfterFailure {
  retryAt: Instant;
  /** Until then, send no call for this ad account. */
  blockedUntil: Instant | null;
}

const RETRIED_SOON: ReadonlySet<FailureKind> = new Set(['transient', 'gone', 'token_invalid']);
const SLOW_RETRY_MS = minutes(5);
/** Spreads retries after a probe, so that most of them see its result. */
const SPREAD_MS = seconds(1);

interface FailureContext {
  /** Consecutive failures, including this one. */
  failures: number;
  usage: Usage | null;
  roll: number;
  now: Instant;
}

/** Decides whether and when to retry a failed call. */
export function afterFailure(failure: PlatformFailure, given: FailureContext): AfterFailure {
  const { failures, roll, now } = given;
  const { kind, nextProbeInMs, retryAfterMs } = failure;
  if (kind === 'rate_limited') {
    const until = now + backoffMs(1, roll, blockHintMs(failure, given));
    return { retryAt: until, blockedUntil: until };
  }
  // When all calls wait for the same probe, the number of failures does not extend the wait.
  if (kind === 'transient' && nextProbeInMs !== undefined)
    return { blockedUntil: null, retryAt: now + nextProbeInMs + Math.ceil(roll * SPREAD_MS) };
  const hintMs = RETRIED_SOON.has(kind) ? retryAfterMs : (retryAfterMs ?? SLOW_RETRY_MS);
  return { blockedUntil: null, retryAt: now + backoffMs(failures, roll, hintMs) };
}

/** The platform's own hint comes first; calls during a block only extend it. */
function blockHintMs(failure: PlatformFailure, { usage, now }: FailureContext): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs;
  const hinted = Math.max(usage?.regainAt ?? 0, usage?.resetAt ?? 0) - now;
  return Math.max(hinted, blockMs(usage?.tier ?? null));
}
