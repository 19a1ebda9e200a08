import { timestamp } from './database.ts';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Instant } from '#core/time.ts';

/** The rule of `undelivered` in the core for a row `c` of the table campaigns: its times allow delivery now. */
export const isDelivered = (now: Instant) =>
  sql<SqlBool>`(coalesce(c.stop_time > ${timestamp(now)}, true)
    and coalesce(c.start_time <= ${timestamp(now)}, true))`;
