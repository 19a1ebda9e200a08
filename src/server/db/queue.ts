import { sql } from 'kysely';
import { COUNTED_MAX } from '#contract/admin.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';

/** How many there are, counted up to `COUNTED_MAX`, and since when the oldest of them waits. */
export interface Line {
  count: number;
  oldestAt: Instant | null;
}

export interface LaneQueue {
  due: Line;
  blocked: { count: number; until: Instant | null };
  waiting: { count: number; next: { accountId: string; at: Instant }[] };
  workers: { name: string; count: number; until: Instant }[];
}

const WORKERS_SHOWN = 20;
const NEXT_SHOWN = 5;
/** However long a queue is, no more of it is looked at. */
const most = sql`limit ${COUNTED_MAX + 1}`;

export async function readLaneQueue(db: Db, now: Instant): Promise<LaneQueue> {
  const at = sql`${new Date(now)}::timestamptz`;
  const isFree = sql`(lease_until is null or lease_until <= ${at})`;
  const isBlocked = sql`coalesce(blocked_until > ${at}, false)`;
  const { rows: counts } = await sql<
    Record<'due' | 'blocked' | 'waiting', string> & Record<'oldest' | 'until', Date | null>
  >`
    select count(*) filter (where ${isFree} and not ${isBlocked}) as due,
      min(next_due_at) filter (where ${isFree} and not ${isBlocked}) as oldest,
      count(*) filter (where ${isFree} and ${isBlocked}) as blocked,
      min(blocked_until) filter (where ${isFree} and ${isBlocked}) as until,
      (select count(*) from (
        select from lane where next_due_at > ${at} and ${isFree} order by next_due_at ${most}) later) as waiting
    from (select next_due_at, lease_until, blocked_until from lane where next_due_at <= ${at}
      order by next_due_at ${most}) soonest`.execute(db);
  const { rows: workers } = await sql<{ name: string; count: string; until: Date }>`
    select coalesce(lease_owner, '') as name, count(*) as count, min(lease_until) as until from lane
    where lease_until > ${at} group by lease_owner order by count(*) desc limit ${WORKERS_SHOWN}`.execute(db);
  const { rows: next } = await sql<{ account_id: string; next_due_at: Date }>`
    select account_id, next_due_at from lane where next_due_at > ${at} and ${isFree}
    order by next_due_at limit ${NEXT_SHOWN}`.execute(db);
  const [row] = counts;
  if (row === undefined) throw new Error('counting gave no row');
  return {
    due: { count: Number(row.due), oldestAt: instant(row.oldest) },
    blocked: { count: Number(row.blocked), until: instant(row.until) },
    waiting: {
      count: Number(row.waiting),
      next: next.map((one) => ({ accountId: one.account_id, at: instant(one.next_due_at) })),
    },
    workers: workers.map((one) => ({ ...one, count: Number(one.count), until: instant(one.until) })),
  };
}

export type MailQueue = Record<'open' | 'due' | 'waiting' | 'beingSent', Line>;

export async function readMailQueue(db: Db, now: Instant): Promise<MailQueue> {
  const at = sql`${new Date(now)}::timestamptz`;
  const { rows } = await sql<{ place: keyof MailQueue; count: string; oldest: Date | null }>`
    select case when lease_until > ${at} then 'beingSent' when due_at <= ${at} then 'due'
        when sealed_at is null then 'open' else 'waiting' end as place,
      count(*) as count, min(created_at) as oldest
    from (select lease_until, due_at, sealed_at, created_at from mail where due_at is not null order by due_at ${most}) outbox
    group by 1`.execute(db);
  const line = (place: keyof MailQueue): Line => {
    const row = rows.find((one) => one.place === place);
    return { count: Number(row?.count ?? 0), oldestAt: instant(row?.oldest ?? null) };
  };
  return { open: line('open'), due: line('due'), waiting: line('waiting'), beingSent: line('beingSent') };
}

export interface JobQueue {
  job: 'leaving' | 'tokens' | 'readings';
  due: number;
  oldestAt: Instant | null;
  /** When the next one comes round; null: none is planned. */
  nextAt: Instant | null;
}

/** What comes round by itself beside the ad accounts, and is planned row by row. */
export async function readJobQueue(db: Db, now: Instant): Promise<JobQueue[]> {
  const at = sql`${new Date(now)}::timestamptz`;
  const { rows } = await sql<{ job: JobQueue['job']; due: string; oldest: Date | null; next: Date | null }>`
    select 'leaving' as job, count(*) as due, min(due_at) as oldest, (
        select min(leaving_retry_at) from person where leaving is not null and leaving_retry_at > ${at}) as next
      from (select coalesce(leaving_retry_at, leaving_at) as due_at from person where leaving is not null
        and coalesce(leaving_retry_at, leaving_at) <= ${at} ${most}) one
    union all
    select 'tokens', count(*), min(check_at), (
        select min(check_at) from platform_token where refused_at is null and check_at > ${at})
      from (select check_at from platform_token where refused_at is null and check_at <= ${at}
        order by check_at ${most}) one
    union all
    select 'readings', count(*), min(sync_at), (
        select min(sync_at) from billing_customer where sync_at > ${at} and customer_id is not null)
      from (select sync_at from billing_customer where sync_at <= ${at} and customer_id is not null
        order by sync_at ${most}) one`.execute(db);
  return rows.map((row) => ({
    job: row.job,
    due: Number(row.due),
    oldestAt: instant(row.oldest),
    nextAt: instant(row.next),
  }));
}
