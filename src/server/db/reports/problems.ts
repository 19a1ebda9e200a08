import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Problem } from '#contract/admin.ts';
import type { ProblemPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { Dated, Db } from '../database.ts';
import { instant, onlyRow, withInstants } from '../database.ts';
import { problemCondition } from './problem-conditions.ts';

type Row = Dated<Omit<Problem, 'part'>, 'since' | 'nextAt' | 'blockedUntil'>;

/** The first problems of one kind. */
export async function findProblems(
  db: Db,
  part: ProblemPart,
  { limit, now }: { limit: number; now: Instant },
) {
  const { rows } = await rowsOf(part, limit, now).execute(db);
  return rows.map(withInstants);
}

const NOTHING = sql`null as "accountId", null as campaign, null::timestamptz as "blockedUntil"`;

function rowsOf(part: ProblemPart, limit: number, now: Instant): RawBuilder<Row> {
  const where = problemCondition(part, now);
  const at = sql`${new Date(now)}::timestamptz`;
  switch (part) {
    case 'accounts_behind':
    case 'accounts_failing':
    case 'accounts_limited': {
      const by = {
        accounts_behind: 'next_due_at',
        accounts_failing: 'account_id',
        accounts_limited: 'blocked_until',
      }[part];
      return sql<Row>`
        select account_id as id, ${ownersOf(sql`work_item.account_id`)} as users, account_id as "accountId", null as campaign,
          null as kind, case when ${part} = 'accounts_behind' then next_due_at end as since, failures,
          last_error as "lastError", greatest(next_due_at, blocked_until) as "nextAt",
          case when blocked_until > ${at} then blocked_until end as "blockedUntil"
        from (select * from work_item where ${where} order by ${sql.ref(by)} limit ${limit}) work_item
        order by ${sql.ref(`work_item.${by}`)}`;
    }
    case 'holds_unconfirmed':
      return sql<Row>`
        select hold.id, ${userOf(sql`hold.user_id`)} as users, hold.account_id as "accountId",
          json_build_object('id', hold.campaign_id, 'name', campaign.name) as campaign, hold.state as kind,
          hold.sent_at as since, hold.failures, hold.last_error as "lastError",
          greatest(hold.retry_at, work_item.next_due_at, work_item.blocked_until) as "nextAt",
          case when work_item.blocked_until > ${at} then work_item.blocked_until end as "blockedUntil"
        from (select * from hold where ${where} order by id limit ${limit}) hold
        left join campaign on campaign.id = hold.campaign_id left join work_item on work_item.account_id = hold.account_id
        order by hold.id`;
    case 'notification_waiting':
    case 'notification_failed':
      return sql<Row>`
        select id, ${userOf(sql`notification.user_id`)} as users, kind, coalesce(failed_at, created_at) as since,
          attempts as failures, last_error as "lastError", due_at as "nextAt", ${NOTHING}
        from notification where ${where} order by ${sql.ref(part === 'notification_waiting' ? 'due_at' : 'failed_at')} limit ${limit}`;
    case 'readings_failing':
      return sql<Row>`
        select user_id as id, ${userOf(sql`one.user_id`)} as users, null as kind, failed_since as since,
          sync_no - written_no as failures, last_error as "lastError", sync_at as "nextAt", ${NOTHING}
        from billing_customer one where ${where} order by user_id limit ${limit}`;
    case 'leaving_failing':
      return sql<Row>`
        select id, ${userOf(sql`one.id`)} as users, leaving as kind, leaving_at as since,
          leaving_failures as failures, leaving_error as "lastError", leaving_retry_at as "nextAt", ${NOTHING}
        from app_user one where ${where} order by id limit ${limit}`;
  }
}

function userOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(json_build_object('id', app_user.id::text, 'name', app_user.name)), '[]') from app_user where app_user.id = ${id})`;
}

/** Only the first few owners. */
function ownersOf(accountId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(json_build_object('id', owner.id::text, 'name', owner.name)), '[]') from (
    select app_user.id, app_user.name from ad_account a join app_user on app_user.id = a.user_id
    where a.id = ${accountId} order by app_user.id limit 3) owner)`;
}

/** The time of the last readable status page; null: readable now, or never read. */
export async function statusPageSilentSince(db: Db): Promise<Instant | null> {
  const result = await sql<{ at: Date | null }>`
    select min(at) as at from status_observation
    where at > coalesce((select max(at) from status_observation where true_level <> 'UNKNOWN'), '-infinity')`.execute(
    db,
  );
  return instant(onlyRow(result).at);
}
