import { sql } from 'kysely';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { date, instant, onlyRow } from './database.ts';

/**
 * The queue of one ad account. Only the holder of the lease works there.
 * The fencing token rejects late writers; `next_due_at` is the time of the next pass.
 */
export interface WorkItemClaim {
  accountId: string;
  fencingToken: number;
  failures: number;
  usage: Usage | null;
  /** Daily budgets of the ad account's campaigns with SmartPause on, in minor units: the highest goes first. */
  priority: number;
}

/** Creates and locks the work item. Lock order: the work item before the settings of its campaigns. */
export async function ensureWorkItem(db: Db, accountId: string): Promise<void> {
  await db
    .insertInto('work_item')
    .values({ account_id: accountId })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ account_id: eb.ref('excluded.account_id') })),
    )
    .execute();
}

/**
 * The new due time. During a lease it lies before the lease's end, even if the lease has expired.
 * The release can thus tell a request from the lease's own end.
 */
export function dueAt(now: Instant) {
  return sql`least(next_due_at, ${new Date(now)}::timestamptz, lease_until - interval '1 millisecond')`;
}

/** Makes these accounts due now. An account with a running pass gets another pass right afterwards. */
export async function makeDue(db: Db, accountIds: readonly string[], now: Instant): Promise<void> {
  if (accountIds.length === 0) return;
  await sql`
    with locked as materialized (${lockedInOrder(accountIds)})
    update work_item set next_due_at = ${dueAt(now)}
    from locked where work_item.account_id = locked.account_id`.execute(db);
}

/** All ad accounts where the user has a live hold or SmartPause on. */
export async function makeDueForUser(db: Db, userId: string, now: Instant): Promise<void> {
  await sql`
    with locked as materialized (
      select account_id from work_item where account_id in (
        select account_id from hold where user_id = ${userId} and state <> 'ended'
        union
        select account_id from smart_pause where user_id = ${userId} and setting = 'ON')
      order by account_id for update)
    update work_item set next_due_at = ${dueAt(now)}
    from locked where work_item.account_id = locked.account_id`.execute(db);
}

interface Lease {
  owner: string;
  until: Instant;
}

const CLAIM = sql`work_item.account_id as "accountId", fencing_token as "fencingToken", failures, usage,
  priority::float8`;

/**
 * Claims due work items, highest budget first. The next due time is the end of the lease,
 * so that another process continues the work of a dead holder.
 * @param leasedAccountIds items that the caller still works on, even if a clock jump has ended their leases
 */
export async function claimDueWorkItems(
  db: Db,
  { limit, leasedAccountIds }: { limit: number; leasedAccountIds: readonly string[] },
  lease: Lease,
  now: Instant,
): Promise<WorkItemClaim[]> {
  const at = new Date(now);
  const until = new Date(lease.until);
  const { rows } = await sql<WorkItemClaim>`
    update work_item set lease_owner = ${lease.owner}, lease_until = ${until}::timestamptz,
      next_due_at = ${until}::timestamptz, fencing_token = fencing_token + 1
    where account_id = any(array(
      select account_id from work_item
      where next_due_at <= ${at}::timestamptz
        and (lease_until is null or lease_until <= ${at}::timestamptz) and account_id <> all(${[...leasedAccountIds]}::text[])
        and (blocked_until is null or blocked_until <= ${at}::timestamptz)
      order by next_due_at, priority desc limit ${limit} for update skip locked))
    returning ${CLAIM}`.execute(db);
  return rows.toSorted((a, b) => b.priority - a.priority);
}

export async function renewLeases(db: Db, leases: readonly WorkItemClaim[], until: Instant): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    with locked as materialized (${lockedInOrder(leases.map((l) => l.accountId))})
    update work_item set lease_until = ${new Date(until)}::timestamptz,
      next_due_at = case when next_due_at = lease_until then ${new Date(until)}::timestamptz else next_due_at end
    from unnest(${leases.map((l) => l.accountId)}::text[], ${leases.map((l) => l.fencingToken)}::int[])
      as own(account_id, fencing_token), locked
    where work_item.account_id = own.account_id and locked.account_id = work_item.account_id and work_item.fencing_token = own.fencing_token
      and work_item.lease_until is not null`.execute(db);
}

/** Returns the valid leases; locks their rows until the transaction ends. */
export async function findOwnLeases(
  tx: Db,
  leases: readonly { accountId: string; fencingToken: number }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ account_id: string }>`
    select work_item.account_id from work_item
    join unnest(${leases.map((l) => l.accountId)}::text[], ${leases.map((l) => l.fencingToken)}::int[])
      as own(account_id, fencing_token) on work_item.account_id = own.account_id and work_item.fencing_token = own.fencing_token
    where work_item.lease_until is not null order by work_item.account_id for share of work_item`.execute(tx);
  return new Set(rows.map((row) => row.account_id));
}

export interface WorkItemRelease {
  accountId: string;
  fencingToken: number;
  /** The next due time; null: only on an event. A request that came since is kept. */
  lookAt: Instant | null;
  failures: number;
  lastError: string | null;
  blockedUntil: Instant | null;
  usage: Usage | null;
}

/** A fixed lock order prevents deadlocks between transactions that lock several work items. */
export function lockedInOrder(accountIds: readonly string[]) {
  return sql`select account_id from work_item where account_id = any(${[...accountIds]}::text[])
    order by account_id for update`;
}

/**
 * Skips a work item that another holder has claimed since.
 * Keeps a block, because a page request may have met the limit since.
 */
export async function releaseWorkItems(db: Db, releases: readonly WorkItemRelease[]): Promise<void> {
  if (releases.length === 0) return;
  await sql`
    with locked as materialized (${lockedInOrder(releases.map((r) => r.accountId))})
    update work_item set lease_owner = null, lease_until = null,
      next_due_at = least(case when next_due_at < lease_until then next_due_at end, done.look_at),
      failures = done.failures, last_error = done.last_error, blocked_until = greatest(work_item.blocked_until, done.blocked_until),
      usage = coalesce(done.usage::jsonb, work_item.usage)
    from unnest(
      ${releases.map((r) => r.accountId)}::text[], ${releases.map((r) => r.fencingToken)}::int[],
      ${releases.map((r) => date(r.lookAt))}::timestamptz[], ${releases.map((r) => r.failures)}::int[],
      ${releases.map((r) => r.lastError)}::text[], ${releases.map((r) => date(r.blockedUntil))}::timestamptz[],
      ${releases.map((r) => (r.usage === null ? null : JSON.stringify(r.usage)))}::text[]
    ) as done(account_id, fencing_token, look_at, failures, last_error, blocked_until, usage), locked
    where work_item.account_id = done.account_id and locked.account_id = work_item.account_id and work_item.fencing_token = done.fencing_token and work_item.lease_until is not null`.execute(
    db,
  );
}

/** Without other processes, every lease is of a dead one. */
export async function dropAllLeases(db: Db, now: Instant): Promise<void> {
  await sql`update work_item set lease_owner = null, lease_until = null,
    next_due_at = least(next_due_at, ${new Date(now)}::timestamptz) where lease_until is not null`.execute(
    db,
  );
  await sql`update platform_status set poller = null, poller_until = null`.execute(db);
  await sql`update notification set lease_until = null where lease_until is not null`.execute(db);
}

/** When the next work item can be claimed; null: none waits. */
export async function nextClaimAt(db: Db): Promise<Instant | null> {
  const result = await sql<{ at: Date | null }>`
    select min(greatest(next_due_at, lease_until, blocked_until)) as at from (
      select next_due_at, lease_until, blocked_until from work_item where next_due_at is not null
      order by next_due_at limit 100) soonest`.execute(db);
  return instant(onlyRow(result).at);
}

/**
 * Safety net: finds accounts with holds, or with SmartPause on during a match, that have no due time.
 * Such gaps should not exist.
 * @param matched the thresholds that are met now
 */
export async function makeOverdueItemsDue(db: Db, matched: readonly string[], now: Instant): Promise<number> {
  const result = await sql`
    insert into work_item (account_id, next_due_at)
    select account_id, ${new Date(now)}::timestamptz from (
      select h.account_id, h.user_id from hold h where h.state <> 'ended'
      union
      select sp.account_id, sp.user_id from smart_pause sp join app_user p on p.id = sp.user_id
      where sp.setting = 'ON' and p.threshold = any(${[...matched]}::text[])
    ) wanted
    join app_user on app_user.id = wanted.user_id
    left join platform_token t on t.user_id = wanted.user_id and t.refused_at is null
    where t.user_id is not null or app_user.leaving is not null
    group by account_id order by account_id
    on conflict (account_id) do update set next_due_at = excluded.next_due_at
    where work_item.next_due_at is null`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Whether Meta's rate limit blocks this account now. */
export async function isBlocked(db: Db, accountId: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('work_item')
    .select('blocked_until')
    .where('account_id', '=', accountId)
    .where('blocked_until', '>', new Date(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a rate limit block that a call has just met. */
export async function blockWorkItem(db: Db, accountId: string, until: Instant): Promise<void> {
  await ensureWorkItem(db, accountId);
  await sql`
    update work_item set blocked_until = greatest(blocked_until, ${new Date(until)}::timestamptz)
    where account_id = ${accountId}`.execute(db);
}
