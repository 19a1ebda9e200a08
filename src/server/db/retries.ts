import { sql } from 'kysely';
import type { RetriedPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';
import { dueAt } from './lanes.ts';
import { stuckWhere } from './stuck-where.ts';

export interface RetriedRows {
  count: number;
  blocked: number;
  /** When the first of those may be tried again. */
  blockedUntil: Instant | null;
}

/**
 * Makes what is stuck due now: one thing, or all of its part. Twice is as once. An ad account that Meta wants left alone
 * is left alone.
 * @param id null: all
 */
export async function makeStuckDue(
  tx: Db,
  given: { part: RetriedPart; id: string | null },
  now: Instant,
): Promise<RetriedRows> {
  const { part, id } = given;
  const where = stuckWhere(part, now);
  const at = sql`${new Date(now)}::timestamptz`;
  const isOne = (column: string) => (id === null ? sql`true` : sql`${sql.ref(column)} = ${id}`);
  switch (part) {
    case 'accounts_behind':
    case 'accounts_failing':
      return makeLanesDue(
        tx,
        sql`select account_id from lane where ${where} and ${isOne('account_id')}`,
        now,
      );
    case 'holds_in_doubt':
      return makeLanesDue(tx, sql`select account_id from hold where ${where} and ${isOne('id')}`, now);
    case 'mail_waiting':
      return counted(
        await sql`update mail set due_at = least(due_at, ${at}) where id in (
          select id from mail where ${where} and ${isOne('id')} order by id for update)`.execute(tx),
      );
    case 'mail_given_up':
      // Its words are gone: they are composed anew from the journal when it is sent.
      return counted(
        await sql`update mail set due_at = ${at}, failed_at = null where id in (
          select id from mail where ${where} and person_id is not null and ${isOne('id')} order by id for update)`.execute(
          tx,
        ),
      );
    case 'readings_failing':
      return counted(
        await sql`update billing_customer set sync_at = least(sync_at, ${at}) where person_id in (
          select person_id from billing_customer where ${where} and ${isOne('person_id')} order by person_id for update)`.execute(
          tx,
        ),
      );
    case 'leaving_failing':
      return makeLeavingDue(tx, sql`select id from person where ${where} and ${isOne('id')}`, now);
  }
}

/** Whom Meta's limits keep waiting waits on. */
async function makeLeavingDue(tx: Db, people: ReturnType<typeof sql>, now: Instant): Promise<RetriedRows> {
  const at = sql`${new Date(now)}::timestamptz`;
  return countsOf(
    await sql<Counts>`
      with locked as materialized (
        select id, leaving_retry_at as until,
          coalesce(leaving_error like 'rate_limited%' and leaving_retry_at > ${at}, false) as is_blocked
        from person where id in (${people}) order by id for update
      ), made_due as (
        update person set leaving_retry_at = least(leaving_retry_at, ${at}) from locked
        where person.id = locked.id and not is_blocked
      )
      ${COUNT_LOCKED}`.execute(tx),
  );
}

function counted({ numAffectedRows = 0n }: { numAffectedRows?: bigint }): RetriedRows {
  return { count: Number(numAffectedRows), blocked: 0, blockedUntil: null };
}

async function makeLanesDue(tx: Db, accounts: ReturnType<typeof sql>, now: Instant): Promise<RetriedRows> {
  const at = sql`${new Date(now)}::timestamptz`;
  return countsOf(
    await sql<Counts>`
    with locked as materialized (
      select account_id, coalesce(blocked_until > ${at}, false) as is_blocked, blocked_until as until
      from lane where account_id in (${accounts}) order by account_id for update
    ), made_due as (
      update lane set next_due_at = ${dueAt(now)} from locked
      where lane.account_id = locked.account_id and not is_blocked
    )
    ${COUNT_LOCKED}`.execute(tx),
  );
}

interface Counts {
  count: string;
  blocked: string;
  until: Date | null;
}

const COUNT_LOCKED = sql`select count(*) filter (where not is_blocked) as count, count(*) filter (where is_blocked) as blocked,
  min(until) filter (where is_blocked) as until from locked`;

function countsOf({ rows: [row] }: { rows: Counts[] }): RetriedRows {
  if (row === undefined) throw new Error('counting gave no row');
  return { count: Number(row.count), blocked: Number(row.blocked), blockedUntil: instant(row.until) };
}
