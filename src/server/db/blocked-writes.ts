import { sql } from 'kysely';
import { BLOCK_COUNTS_MS } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import { timestamp } from './database.ts';

/** The rule of `countsAsBlocked` in the core for a row `a` of the table ad_accounts. */
export const areWritesBlocked = (now: Instant) =>
  sql<boolean>`coalesce(a.writes_blocked_until > ${timestamp(now - BLOCK_COUNTS_MS)}, false)`;
