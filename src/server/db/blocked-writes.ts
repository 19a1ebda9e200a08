import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { timestamp } from './database.ts';

/** Only an accepted write proves that a block is over, and none may be due: without one it counts for a day. */
const COUNTS_MS = days(1);

/** `a` is a row of the table ad_accounts. */
export const areWritesBlocked = (now: Instant) =>
  sql<boolean>`coalesce(a.writes_blocked_until > ${timestamp(now - COUNTS_MS)}, false)`;

export function countsAsBlocked(until: Instant | null, now: Instant): boolean {
  return until !== null && until > now - COUNTS_MS;
}
