import { backoffMs } from './backoff.ts';
import type { DestinationKind } from './destinations.ts';
import type { Instant } from './time.ts';
import { days, hours, minutes, seconds } from './time.ts';

const EMAIL_RETRIES = { firstMs: seconds(5), longestMs: minutes(30) };
/** A permanent refusal may come from a misconfigured email server, so delivery is retried for a day. */
const EMAIL_FOR_MS = { permanent: days(1), other: days(5) };

const DAY_MS = days(1);
/** After each failed attempt, by Standard Webhooks. */
const WAITS_MS: readonly number[] = [
  ...[seconds(5), minutes(5), minutes(30), hours(2), hours(5)],
  ...[hours(10), hours(14), hours(20), DAY_MS],
];
/** How old a delivery is at each attempt. */
const AGES_MS = WAITS_MS.reduce((ages, wait) => [...ages, (ages.at(-1) ?? 0) + wait], [0]);
const WEBHOOK_FOR_MS = AGES_MS.at(-1) ?? 0;
/** A receiver that refuses this message, and not all, may take the later ones. */
const HOLDING_REFUSALS = 2;

interface FailedDelivery {
  channel: DestinationKind;
  createdAt: Instant;
  /** How many have failed. */
  attempts: number;
  /** The receiver refuses this message. */
  isPermanent: boolean;
  /** The receiver asks to wait this long. */
  retryAfterMs?: number;
  /** Uniform in [0, 1). */
  random: number;
}

/**
 * When a failed delivery is retried; null: there is no further attempt. The attempts that further notifications bring
 * use up nothing: it ends by its age, and waits no longer than one of its age that was tried by the schedule alone.
 */
export function nextTryAt(failed: FailedDelivery, now: Instant): Instant | null {
  const { channel, createdAt, attempts, isPermanent, retryAfterMs = 0, random } = failed;
  const age = now - createdAt;
  if (channel === 'email') {
    const retryForMs = isPermanent ? EMAIL_FOR_MS.permanent : EMAIL_FOR_MS.other;
    return age >= retryForMs ? null : now + backoffMs(attempts, random, EMAIL_RETRIES);
  }
  // Standard Webhooks repeats what an endpoint refuses, too.
  if ((isPermanent && channel !== 'webhook') || age >= WEBHOOK_FOR_MS) return null;
  const tries = Math.min(attempts, AGES_MS.filter((at) => at <= age).length);
  return Math.max(now + (WAITS_MS[tries - 1] ?? DAY_MS), askedUntil(retryAfterMs, now));
}

/** A receiver that asks for years would never get anything again. */
export function askedUntil(retryAfterMs: number, now: Instant): Instant {
  return now + Math.min(retryAfterMs, DAY_MS);
}

/** Whether later deliveries to a destination wait for this one, so that no 'resumed' comes before its 'paused'. */
export function holdsUp({
  attempts,
  isPermanent,
}: Pick<FailedDelivery, 'attempts' | 'isPermanent'>): boolean {
  return !isPermanent || attempts < HOLDING_REFUSALS;
}
