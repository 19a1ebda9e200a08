import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { RetriedPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import { dueAt } from '../work-items.ts';
import { problemCondition } from './problem-conditions.ts';

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
  const where = problemCondition(part, now);
  const at = sql`${new Date(now)}::timestamptz`;
  switch (part) {
    case 'accounts_behind':
    case 'accounts_failing':
      return makeWorkItemDue(
        tx,
        sql`select account_id from work_item where ${where} and account_id = ${id}`,
        now,
      );
    case 'holds_unconfirmed':
      return makeWorkItemDue(tx, sql`select account_id from hold where ${where} and id = ${id}`, now);
    case 'notification_waiting':
      return done(
        await sql`update notification set due_at = least(due_at, ${at}) where ${where} and id = ${id}`.execute(
          tx,
        ),
      );
    case 'notification_failed':
      // Its text was deleted; the outbox worker renders it again from the activity log.
      return done(
        await sql`update notification set due_at = ${at}, failed_at = null
          where ${where} and user_id is not null and id = ${id}`.execute(tx),
      );
    case 'readings_failing':
      return done(
        await sql`update billing_customer set sync_at = least(sync_at, ${at})
          where ${where} and user_id = ${id}`.execute(tx),
      );
    case 'leaving_failing':
      return unlessBlocked(
        await sql<{ until: Date | null }>`
          with locked as materialized (
            select id, case when leaving_error like 'rate_limited%' and leaving_retry_at > ${at}
              then leaving_retry_at end as until
            from app_user where ${where} and id = ${id} for update
          ), made_due as (
            update app_user set leaving_retry_at = least(leaving_retry_at, ${at}) from locked
            where app_user.id = locked.id and locked.until is null
          )
          select until from locked`.execute(tx),
      );
  }
}

async function makeWorkItemDue(tx: Db, account: RawBuilder<unknown>, now: Instant): Promise<MadeDue> {
  const at = sql`${new Date(now)}::timestamptz`;
  return unlessBlocked(
    await sql<{ until: Date | null }>`
      with locked as materialized (
        select account_id, case when blocked_until > ${at} then blocked_until end as until
        from work_item where account_id in (${account}) for update
      ), made_due as (
        update work_item set next_due_at = ${dueAt(now)} from locked
        where work_item.account_id = locked.account_id and locked.until is null
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
