import { backoffMs } from '#core/backoff.ts';
import type { Usage } from '#core/platform-usage.ts';
import { blockMs } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { PlatformFailure } from './errors.ts';

/** What a failure means for going on. */
export interface AfterFailure {
  retryAt: Instant;
  /** The whole ad account must be left alone until then. */
  blockedUntil: Instant | null;
  /** The token may be worth nothing any more: the platform is to be asked. */
  tokenSuspected: boolean;
}

const SLOW_RETRY_MS = minutes(5);
/** Behind a probe, so that most find out how it went. */
const SPREAD_MS = seconds(1);

interface Circumstances {
  /** How often this has failed in a row, this time included. */
  failures: number;
  usage: Usage | null;
  roll: number;
  now: Instant;
}

/** Decides when, and whether, to try again what the platform refused. */
export function afterFailure(failure: PlatformFailure, given: Circumstances): AfterFailure {
  const { failures, roll, now } = given;
  const soon = now + backoffMs(failures, roll, failure.retryAfterMs);
  const later = now + backoffMs(failures, roll, failure.retryAfterMs ?? SLOW_RETRY_MS);
  switch (failure.kind) {
    case 'transient':
      return { retryAt: whenTransient(failure, given), blockedUntil: null, tokenSuspected: false };
    case 'gone':
      return { retryAt: soon, blockedUntil: null, tokenSuspected: false };
    case 'rate_limited': {
      const until = now + backoffMs(1, roll, blockHintMs(failure, given));
      return { retryAt: until, blockedUntil: until, tokenSuspected: false };
    }
    case 'token_invalid':
      return { retryAt: soon, blockedUntil: null, tokenSuspected: true };
    case 'permission':
    case 'rejected':
    case 'misconfigured':
    case 'blocked':
      return { retryAt: later, blockedUntil: null, tokenSuspected: false };
  }
}

/** When all wait for the same probe, nobody waits longer for having failed more often. */
function whenTransient({ askAgainMs, retryAfterMs }: PlatformFailure, given: Circumstances): Instant {
  const { failures, roll, now } = given;
  if (askAgainMs === undefined) return now + backoffMs(failures, roll, retryAfterMs);
  return now + askAgainMs + Math.ceil(roll * SPREAD_MS);
}

/** The platform's own hint counts first; going on during a block only makes it longer. */
function blockHintMs(failure: PlatformFailure, { usage, now }: Circumstances): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs;
  const hinted = Math.max(usage?.regainAt ?? 0, usage?.resetAt ?? 0) - now;
  return hinted > 0 ? Math.max(hinted, blockMs(usage?.tier ?? null)) : blockMs(usage?.tier ?? null);
}
