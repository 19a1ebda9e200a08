import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { StuckPart } from '#contract/failing.ts';
import { COUNTED_MAX } from '#contract/admin.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';
import { stuckWhere } from './stuck-where.ts';

export interface StuckRow {
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
  silentWorker: string | null;
}

interface Row {
  id: string;
  people: { id: string | number; name: string }[] | null;
  account_id: string | null;
  campaign_id: string | null;
  campaign_name: string | null;
  kind: string | null;
  since: Date | null;
  failures: number;
  last_error: string | null;
  next_at: Date | null;
  blocked_until: Date | null;
  silent_worker: string | null;
}

/** One page of them, by their ids. */
export async function findStuck(
  db: Db,
  part: StuckPart,
  page: { after: string | null; limit: number },
  now: Instant,
): Promise<StuckRow[]> {
  const { rows } = await pageOf(part, page, now).execute(db);
  return rows.map((row) => ({
    id: row.id,
    people: (row.people ?? []).map(({ id, name }) => ({ id: String(id), name })),
    accountId: row.account_id,
    campaign: row.campaign_id === null ? null : { id: row.campaign_id, name: row.campaign_name },
    kind: row.kind,
    since: instant(row.since),
    failures: row.failures,
    lastError: row.last_error,
    nextAt: instant(row.next_at),
    blockedUntil: instant(row.blocked_until),
    silentWorker: row.silent_worker,
  }));
}

function pageOf(
  part: StuckPart,
  { after, limit }: { after: string | null; limit: number },
  now: Instant,
): RawBuilder<Row> {
  const where = stuckWhere(part, now);
  const at = sql`${new Date(now)}::timestamptz`;
  // However many there are, one page costs no more than these.
  const most = sql`limit ${COUNTED_MAX + 1}`;
  const onwards = after === null ? sql`true` : sql`id > ${after}::bigint`;
  switch (part) {
    case 'accounts_behind':
    case 'accounts_failing':
    case 'accounts_limited': {
      const by = {
        accounts_behind: 'next_due_at',
        accounts_failing: 'account_id',
        accounts_limited: 'blocked_until',
      };
      return sql<Row>`
        select lane.account_id as id, ${ownersOf(sql`lane.account_id`)} as people, lane.account_id, null as campaign_id,
          null as campaign_name, null as kind,
          case when ${part} = 'accounts_behind' then next_due_at end as since, failures, last_error,
          greatest(next_due_at, blocked_until) as next_at,
          case when blocked_until > ${at} then blocked_until end as blocked_until,
          case when lease_until <= ${at} then lease_owner end as silent_worker
        from (select * from lane where ${where} order by ${sql.ref(by[part])} ${most}) lane
        where ${after === null ? sql`true` : sql`account_id > ${after}`}
        order by account_id limit ${limit}`;
    }
    case 'holds_in_doubt':
      return sql<Row>`
        select hold.id, ${personOf(sql`hold.person_id`)} as people, hold.account_id, hold.campaign_id,
          campaign.name as campaign_name, hold.state as kind, hold.sent_at as since, hold.failures, hold.last_error,
          greatest(hold.retry_at, lane.next_due_at, lane.blocked_until) as next_at,
          case when lane.blocked_until > ${at} then lane.blocked_until end as blocked_until, null as silent_worker
        from (select * from hold where ${where} and ${onwards} order by id limit ${limit}) hold
        left join campaign on campaign.id = hold.campaign_id left join lane on lane.account_id = hold.account_id
        order by hold.id`;
    case 'mail_waiting':
    case 'mail_given_up':
      return sql<Row>`
        select mail.id, ${personOf(sql`mail.person_id`)} as people, null as account_id, null as campaign_id,
          null as campaign_name, mail.kind, coalesce(mail.failed_at, mail.created_at) as since,
          mail.attempts as failures, mail.last_error, mail.due_at as next_at, null::timestamptz as blocked_until, null as silent_worker
        from (select * from mail where ${where} order by ${sql.ref(part === 'mail_waiting' ? 'due_at' : 'failed_at')} ${most}) mail
        where ${onwards} order by mail.id limit ${limit}`;
    case 'readings_failing':
      return sql<Row>`
        select person_id as id, ${personOf(sql`one.person_id`)} as people, null as account_id, null as campaign_id,
          null as campaign_name, null as kind, failed_since as since, sync_no - written_no as failures, last_error,
          sync_at as next_at, null::timestamptz as blocked_until, null as silent_worker
        from billing_customer one
        where ${where} and ${after === null ? sql`true` : sql`person_id > ${after}::bigint`}
        order by person_id limit ${limit}`;
    case 'leaving_failing':
      return sql<Row>`
        select id, ${personOf(sql`one.id`)} as people, null as account_id, null as campaign_id, null as campaign_name,
          leaving as kind, leaving_at as since, leaving_failures as failures, leaving_error as last_error,
          leaving_retry_at as next_at, null::timestamptz as blocked_until, null as silent_worker
        from person one where ${where} and ${onwards} order by id limit ${limit}`;
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
