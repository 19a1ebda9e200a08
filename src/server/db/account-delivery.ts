import { sql } from 'kysely';
import { NOT_DELIVERING, STATUS_COUNTS_MS } from '#core/account-delivery.ts';
import type { Instant } from '#core/time.ts';
import { timestamp } from './database.ts';

/** The rule of `noDelivery` in the core for a row `a` of the table ad_accounts. */
export const deliversNothing = (now: Instant) =>
  sql<boolean>`(coalesce(a.account_status = any(${NOT_DELIVERING}::int[]), false)
    and a.seen_at > ${timestamp(now - STATUS_COUNTS_MS)})`;
