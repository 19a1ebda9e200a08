import type { Instant } from './time.ts';
import { minutes, seconds } from './time.ts';

/**
 * A younger list is served without a refresh: several open pages must not use up the account's limit at Meta.
 */
export const FRESH_MS = seconds(30);
const TOO_OLD_MS = minutes(5);
/** With SmartPause on for new campaigns, lists are read this often without an open page. */
export const NEW_CAMPAIGNS_MS = minutes(15);

/** `old`: refreshed after the response; `too_old`: refreshed before the response. */
export type ListAge = 'fresh' | 'old' | 'too_old';

export function listAge(readAt: Instant, now: Instant): ListAge {
  const age = now - readAt;
  if (age <= FRESH_MS) return 'fresh';
  return age <= TOO_OLD_MS ? 'old' : 'too_old';
}
