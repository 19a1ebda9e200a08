import type { Instant } from './time.ts';
import { minutes, seconds } from './time.ts';

/** A younger list is shown as it is: several open pages must not use up the account's limit at Meta. */
export const FRESH_MS = seconds(30);
const TOO_OLD_MS = minutes(5);

/** `old`: read again after it is answered; `too_old`: read again before it is answered. */
export type ListAge = 'fresh' | 'old' | 'too_old';

export function listAge(readAt: Instant, now: Instant): ListAge {
  const age = now - readAt;
  if (age <= FRESH_MS) return 'fresh';
  return age <= TOO_OLD_MS ? 'old' : 'too_old';
}
