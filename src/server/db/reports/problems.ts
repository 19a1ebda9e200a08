import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { StuckPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import { stuckWhere } from './stuck-where.ts';

export interface ProblemRow {
  id: string;
  people: { id: string; name: string }[];
  accountId: string | null;
  campaign: { id: string; name: string | null } | null;
  kind: string | null;
  since: Instant | null;
  failures: number;
  lastError: string | null;
  nextAt: Instant | null;
  blockedUntil: Instant | null;
}

interface Row {
  id: string;
  people: { id: string; name: string }[] | null;
  account_id: string | null;
  campaign_id: string | null;
  campaign_name: string | null;
  kind: string | null;
  since: Date | null;
  failures: number;
  last_error: string | null;
  next_at: Date | null;
  blocked_until: Date | null;
}

/** The first problems of one kind. */
export async function findProblems(
  db: Db,
  part: StuckPart,
  { limit, now }: { limit: number; now: Instant },
): Promise<ProblemRow[]> {
  const { rows } = await rowsOf(part, limit, now).execute(db);
  return rows.map((row) => ({
    id: row.id,
    people: row.people ?? [],
    accountId: row.account_id,
    campaign: row.campaign_id === null ? null : { id: row.campaign_id, name: row.campaign_name },
    kind: row.kind,
    since: instant(row.since),
    failures: row.failures,
    lastError: row.last_error,
    nextAt: instant(row.next_at),
    blockedUntil: instant(row.blocked_until),
  }));
}

const NOTHING = sql`null as account_id, null as campaign_id, null as campaign_name, null::timestamptz as blocked_until`;

function rowsOf(part: StuckPart, limit: number, now: Instant): RawBuilder<Row> {
  const where = stuckWhere(part, now);
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
        select account_id as id, ${ownersOf(sql`lane.account_id`)} as people, account_id, null as campaign_id,
          null as campaign_name, null as kind, case when ${part} = 'accounts_behind' then next_due_at end as since,
          failures, last_error, greatest(next_due_at, blocked_until) as next_at,
          case when blocked_until > ${at} then blocked_until end as blocked_until
        from (select * from lane where ${where} order by ${sql.ref(by)} limit ${limit}) lane
        order by ${sql.ref(`lane.${by}`)}`;
    }
    case 'holds_in_doubt':
      return sql<Row>`
        select hold.id, ${personOf(sql`hold.person_id`)} as people, hold.account_id, hold.campaign_id,
          campaign.name as campaign_name, hold.state as kind, hold.sent_at as since, hold.failures, hold.last_error,
          greatest(hold.retry_at, lane.next_due_at, lane.blocked_until) as next_at,
          case when lane.blocked_until > ${at} then lane.blocked_until end as blocked_until
        from (select * from hold where ${where} order by id limit ${limit}) hold
        left join campaign on campaign.id = hold.campaign_id left join lane on lane.account_id = hold.account_id
        order by hold.id`;
    case 'mail_waiting':
    case 'mail_given_up':
      return sql<Row>`
        select id, ${personOf(sql`mail.person_id`)} as people, kind, coalesce(failed_at, created_at) as since,
          attempts as failures, last_error, due_at as next_at, ${NOTHING}
        from mail where ${where} order by ${sql.ref(part === 'mail_waiting' ? 'due_at' : 'failed_at')} limit ${limit}`;
    case 'readings_failing':
      return sql<Row>`
        select person_id as id, ${personOf(sql`one.person_id`)} as people, null as kind, failed_since as since,
          sync_no - written_no as failures, last_error, sync_at as next_at, ${NOTHING}
        from billing_customer one where ${where} order by person_id limit ${limit}`;
    case 'leaving_failing':
      return sql<Row>`
        select id, ${personOf(sql`one.id`)} as people, leaving as kind, leaving_at as since,
          leaving_failures as failures, leaving_error as last_error, leaving_retry_at as next_at, ${NOTHING}
        from person one where ${where} order by id limit ${limit}`;
  }
}

function personOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_agg(json_build_object('id', person.id::text, 'name', person.name)) from person where person.id = ${id})`;
}

/** The first few. */
function ownersOf(accountId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_agg(json_build_object('id', owner.id::text, 'name', owner.name)) from (
    select person.id, person.name from ad_account a join person on person.id = a.person_id
    where a.id = ${accountId} order by person.id limit 3) owner)`;
}

/** When Meta's status page was last understood; null: it is, or was never read. */
export async function statusPageSilentSince(db: Db): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from observation
    where at > coalesce((select max(at) from observation where true_level <> 'UNKNOWN'), '-infinity')`.execute(
    db,
  );
  return instant(rows[0]?.at ?? null);
}
