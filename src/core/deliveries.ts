import { backoffMs } from './backoff.ts';
import type { DestinationKind } from './destinations.ts';
import type { Instant } from './time.ts';
import { days, hours, minutes, seconds } from './time.ts';

const EMAIL_RETRIES = { firstMs: seconds(5), longestMs: minutes(30) };
/** A permanent refusal may come from a misconfigured email server, so delivery is retried for a day. */
const EMAIL_FOR_MS = { permanent: days(1), other: days(5) };

const DAY_MS = days(1);
/** After each failed attempt, by Standard Webhooks. */
const WAITS_MS = [
  ...[seconds(5), minutes(5), minutes(30), hours(2), hours(5)],
  ...[hours(10), hours(14), hours(20), DAY_MS],
];
const WEBHOOK_FOR_MS = WAITS_MS.reduce((sum, wait) => sum + wait, 0);

interface FailedDelivery {
  channel: DestinationKind;
  createdAt: Instant;
  /** How many have failed. */
  attempts: number;
  isPermanent: boolean;
  /** The receiver asks to wait this long. */
  retryAfterMs?: number;
  /** Uniform in [0, 1). */
  random: number;
}

/**
 * When a failed delivery is retried; null: there is no further attempt. It ends by its age and not by its attempts, since
 * a further notification brings more of these.
 */
export function nextTryAt(failed: FailedDelivery, now: Instant): Instant | null {
  const { channel, createdAt, attempts, isPermanent, retryAfterMs = 0, random } = failed;
  const age = now - createdAt;
  if (channel === 'email') {
    const retryForMs = isPermanent ? EMAIL_FOR_MS.permanent : EMAIL_FOR_MS.other;
    return age >= retryForMs ? null : now + backoffMs(attempts, random, EMAIL_RETRIES);
  }
  if (isPermanent || age >= WEBHOOK_FOR_MS) return null;
  // A receiver that asks for years would never get anything again.
  return now + Math.max(WAITS_MS[attempts - 1] ?? DAY_MS, Math.min(retryAfterMs, DAY_MS));
}
