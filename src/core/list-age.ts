import type { Instant } from './time.ts';
import { days, minutes, seconds } from './time.ts';

/**
 * A younger list is served without a refresh: several open pages must not use up the account's limit at Meta.
 */
export const FRESH_MS = seconds(30);
const TOO_OLD_MS = minutes(5);
/** With SmartPause on for new campaigns, lists are read this often without an open page. */
export const NEW_CAMPAIGNS_MS = minutes(15);

/** After a refusal an ad account that Meta lists counts as lost this long, and is read again then. */
export const REFUSED_COUNTS_MS = minutes(10);
/** An ad account that Meta does not list is removed by a second list that began this much later. */
export const SECOND_LIST_MS = seconds(60);
/** What belongs to a removed ad account comes back with it until then. */
export const REMOVED_KEPT_MS = days(30);

/** `old`: refreshed after the response; `too_old`: refreshed before the response. */
export type ListAge = 'fresh' | 'old' | 'too_old';

export function listAge(readAt: Instant, now: Instant): ListAge {
  const age = now - readAt;
  if (age <= FRESH_MS) return 'fresh';
  return age <= TOO_OLD_MS ? 'old' : 'too_old';
}
