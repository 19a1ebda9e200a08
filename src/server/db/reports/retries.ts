import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { RetriedPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import { dueAt } from '../lanes.ts';
import { stuckWhere } from './stuck-where.ts';

export interface MadeDue {
  isDue: boolean;
  /** Meta's rate limit prevents the retry until then. */
  blockedUntil: Instant | null;
}

/** Makes one problem due now, unless Meta's rate limit blocks it. Idempotent. */
export async function makeProblemDue(
  tx: Db,
  { part, id }: { part: RetriedPart; id: string },
  now: Instant,
): Promise<MadeDue> {
  const where = stuckWhere(part, now);
  const at = sql`${new Date(now)}::timestamptz`;
  switch (part) {
    case 'accounts_behind':
    case 'accounts_failing':
      return makeLaneDue(tx, sql`select account_id from lane where ${where} and account_id = ${id}`, now);
    case 'holds_in_doubt':
      return makeLaneDue(tx, sql`select account_id from hold where ${where} and id = ${id}`, now);
    case 'mail_waiting':
      return done(
        await sql`update mail set due_at = least(due_at, ${at}) where ${where} and id = ${id}`.execute(tx),
      );
    case 'mail_given_up':
      // Its text is gone: it is composed anew from the activity log when it is sent.
      return done(
        await sql`update mail set due_at = ${at}, failed_at = null
          where ${where} and person_id is not null and id = ${id}`.execute(tx),
      );
    case 'readings_failing':
      return done(
        await sql`update billing_customer set sync_at = least(sync_at, ${at})
          where ${where} and person_id = ${id}`.execute(tx),
      );
    case 'leaving_failing':
      return unlessBlocked(
        await sql<{ until: Date | null }>`
          with locked as materialized (
            select id, case when leaving_error like 'rate_limited%' and leaving_retry_at > ${at}
              then leaving_retry_at end as until
            from person where ${where} and id = ${id} for update
          ), made_due as (
            update person set leaving_retry_at = least(leaving_retry_at, ${at}) from locked
            where person.id = locked.id and locked.until is null
          )
          select until from locked`.execute(tx),
      );
  }
}

async function makeLaneDue(tx: Db, account: RawBuilder<unknown>, now: Instant): Promise<MadeDue> {
  const at = sql`${new Date(now)}::timestamptz`;
  return unlessBlocked(
    await sql<{ until: Date | null }>`
      with locked as materialized (
        select account_id, case when blocked_until > ${at} then blocked_until end as until
        from lane where account_id in (${account}) for update
      ), made_due as (
        update lane set next_due_at = ${dueAt(now)} from locked
        where lane.account_id = locked.account_id and locked.until is null
      )
      select until from locked`.execute(tx),
  );
}

function done({ numAffectedRows = 0n }: { numAffectedRows?: bigint }): MadeDue {
  return { isDue: numAffectedRows > 0n, blockedUntil: null };
}

function unlessBlocked({ rows: [row] }: { rows: { until: Date | null }[] }): MadeDue {
  return { isDue: row?.until === null, blockedUntil: instant(row?.until ?? null) };
}
