import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';

/** What the rows say of one thing that fails. */
export interface FailingRows {
  part: string;
  count: number;
  since: Instant | null;
  lastError: string | null;
}

/** Work is begun within a second, and a write is answered within half a minute, when all is well. */
export const LATE_MS = minutes(1);
export const GIVEN_UP_SHOWN_MS = days(7);
/** Once is nothing: it is tried again within seconds. */
export const LEAVING_FAILED = 2;

/** What waits, what was given up, and what is in doubt: of all processes together. */
export async function readFailing(db: Db, now: Instant): Promise<FailingRows[]> {
  const at = sql`${new Date(now)}::timestamptz`;
  const late = sql`${new Date(now - LATE_MS)}::timestamptz`;
  const weekAgo = sql`${new Date(now - GIVEN_UP_SHOWN_MS)}::timestamptz`;
  const isFree = sql`(lease_until is null or lease_until <= ${at})`;
  const isLimited = sql`coalesce(blocked_until > ${at}, false)`;
  const { rows } = await sql<{ part: string; count: string; since: Date | null; last_error: string | null }>`
    select 'mail_waiting' as part, count(*) as count, min(created_at) as since,
      (array_agg(last_error order by created_at desc))[1] as last_error
      from mail where due_at is not null and sealed_at is not null and attempts > 0
    union all
    select 'mail_given_up', count(*), min(failed_at), (array_agg(last_error order by failed_at desc))[1]
      from mail where failed_at > ${weekAgo} and sent_at is null
    union all
    select 'accounts_behind', count(*), min(next_due_at), null
      from lane where next_due_at <= ${late} and ${isFree} and not ${isLimited}
    union all
    select 'accounts_failing', count(*), null, max(last_error) from lane where last_error is not null
    union all
    select 'accounts_limited', count(*), null, null from lane where ${isLimited}
    union all
    select 'holds_in_doubt', count(*), min(sent_at), max(last_error)
      from hold where state <> 'ended' and state in ('pausing', 'resuming') and in_doubt and sent_at <= ${late}
    union all
    select 'readings_failing', count(*), min(failed_since), max(last_error)
      from billing_customer where failed_since is not null
    union all
    select 'leaving_failing', count(*), min(leaving_at), null
      from person where leaving is not null and leaving_failures >= ${LEAVING_FAILED}`.execute(db);
  return rows
    .map(({ part, count, since, last_error: lastError }) => ({
      part,
      count: Number(count),
      since: instant(since),
      lastError,
    }))
    .filter(({ count }) => count > 0);
}

/** Since when the status page has told nothing that could be understood; null: it does, or was never asked. */
export async function statusPageSilentSince(db: Db): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from observation
    where at > coalesce((select max(at) from observation where true_level <> 'UNKNOWN'), '-infinity')`.execute(
    db,
  );
  return instant(rows[0]?.at ?? null);
}
