import { sql } from 'kysely';
import type { StuckPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';
import { stuckWhere } from './stuck-where.ts';

/** What the rows say of one thing that fails. */
export interface FailingRows {
  part: string;
  count: number;
  since: Instant | null;
  lastError: string | null;
}

/** What waits, what was given up, and what is in doubt: of all processes together. */
export async function readFailing(db: Db, now: Instant): Promise<FailingRows[]> {
  const where = (part: StuckPart) => stuckWhere(part, now);
  const { rows } = await sql<{ part: string; count: string; since: Date | null; last_error: string | null }>`
    select 'mail_waiting' as part, count(*) as count, min(created_at) as since,
      (array_agg(last_error order by created_at desc))[1] as last_error
      from mail where ${where('mail_waiting')}
    union all
    select 'mail_given_up', count(*), min(failed_at), (array_agg(last_error order by failed_at desc))[1]
      from mail where ${where('mail_given_up')}
    union all
    select 'accounts_behind', count(*), min(next_due_at), null
      from lane where ${where('accounts_behind')}
    union all
    select 'accounts_failing', count(*), null, max(last_error) from lane where ${where('accounts_failing')}
    union all
    select 'accounts_limited', count(*), null, null from lane where ${where('accounts_limited')}
    union all
    select 'holds_in_doubt', count(*), min(sent_at), max(last_error)
      from hold where ${where('holds_in_doubt')}
    union all
    select 'readings_failing', count(*), min(failed_since), max(last_error)
      from billing_customer where ${where('readings_failing')}
    union all
    select 'leaving_failing', count(*), min(leaving_at), max(leaving_error)
      from person where ${where('leaving_failing')}`.execute(db);
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
