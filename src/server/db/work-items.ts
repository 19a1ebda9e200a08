import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Usage } from '#core/platform-usage.ts';
import type { StoredFailure } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { isSubscribed } from './billing/subscriptions.ts';
import { claimable } from './claim.ts';
import type { Db } from './database.ts';
import { fromNow, onlyRow, rowsOf } from './database.ts';
import { PAUSES } from './signals.ts';

/**
 * The right to work on an ad account; the fencing token rejects late writers. Leases and due times are of the
 * database's clock: `due_at` is the time of the next pass.
 */
export interface Lease {
  accountId: string;
  fencingToken: number;
}

/**
 * Tables of a statement: work items, and as JSON in `hold` the holds whose writes are being sent. These become rows,
 * or change them, with the results.
 */
export const holdsBeingSent = sql`work_items, json_array_elements(intent) sent, lateral (select sent -> 'hold') one(hold)`;

const LEASE = { accountId: 'text', fencingToken: 'int' } as const;

export interface WorkItemClaim extends Lease {
  /** Grows with every change that a plan depends on. */
  generation: number;
  failures: number;
  usage: Usage | null;
  /** What a dead process was sending: it may have been carried out. */
  intent: object | null;
  /** Daily budgets of the ad account's campaigns with SmartPause on, in minor units: the highest goes first. */
  priority: number;
}

/** A lease is renewed when less than this part of its time is left: most passes end before. */
const RENEWED_BELOW = 0.8;

/** Creates and locks the work item. Lock order: the work item before the settings of its campaigns. */
export async function ensureWorkItem(db: Db, accountId: string): Promise<void> {
  await db
    .insertInto('workItems')
    .values({ accountId })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet((eb) => ({ accountId: eb.ref('excluded.accountId') })),
    )
    .execute();
}

/** A fixed lock order prevents deadlocks between transactions that lock several work items. */
function lockedInOrder(accountIds: RawBuilder<unknown>) {
  return sql`locked as materialized (
    select account_id from work_items where account_id in (${accountIds}) order by account_id for update)`;
}

function listed(accountIds: readonly string[]): RawBuilder<unknown> {
  return sql`select unnest(${[...accountIds]}::text[])`;
}

/**
 * In the transaction of every change that a plan depends on: a pass that is running stores no more intents,
 * and the next one is due now.
 * @param accounts a list, or a query
 * @param aheadMs ahead of accounts that are due since less than this
 */
export async function wake(
  db: Db,
  accounts: readonly string[] | RawBuilder<unknown>,
  aheadMs = 0,
): Promise<void> {
  if ('length' in accounts && accounts.length === 0) return;
  await sql`
    with ${lockedInOrder('length' in accounts ? listed(accounts) : accounts)}
    update work_items set generation = generation + 1, due_at = least(due_at, ${fromNow(-aheadMs)})
    from locked where work_items.account_id = locked.account_id`.execute(db);
}

/**
 * Like wake, as due since then, and without waiting: a work item that is locked is skipped.
 * @returns the skipped ones
 */
export async function makeUnlockedDue(
  db: Db,
  accounts: RawBuilder<unknown>,
  since: RawBuilder<Instant>,
): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    with wanted as materialized (select account_id from work_items where account_id in (${accounts})),
    locked as materialized (
      select account_id from work_items where account_id in (select account_id from wanted) for update skip locked),
    woken as (
      update work_items set generation = generation + 1, due_at = least(due_at, ${since})
      from locked where work_items.account_id = locked.account_id)
    select account_id from wanted except select account_id from locked order by 1`.execute(db);
  return rows.map(({ accountId }) => accountId);
}

/** All ad accounts where the user has a live hold, an unsettled write or SmartPause on. */
export async function wakeForUser(db: Db, userId: string): Promise<void> {
  await wake(
    db,
    sql`select account_id from holds where user_id = ${userId} and state <> 'ended'
      union select account_id from campaign_writes where user_id = ${userId}
        and (state = 'open' or unanswered_until is not null)
      union select account_id from smartpause_settings where user_id = ${userId} and setting = 'ON'`,
  );
}

/**
 * Claims due work items, highest budget first. They stay due, so that another process continues the work of a
 * dead holder when its lease ends.
 * @param leasedAccountIds items that the caller still works on, even if their leases have ended
 */
export async function claimDueWorkItems(
  db: Db,
  { limit, leasedAccountIds }: { limit: number; leasedAccountIds: readonly string[] },
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<WorkItemClaim[]> {
  const { rows } = await sql<WorkItemClaim>`
    update work_items set leased_by = ${owner}, lease_until = ${fromNow(leaseMs)}, fencing_token = fencing_token + 1
    where account_id = any(${claimable({
      ...{ table: 'work_items', key: 'account_id', due: 'due_at', limit, then: sql`priority desc` },
      also: sql`account_id <> all(${[...leasedAccountIds]}::text[])
        and (blocked_until is null or blocked_until <= now())`,
    })})
    returning account_id, fencing_token, generation, failures, usage, intent,
      priority::float8`.execute(db);
  return rows.toSorted((a, b) => b.priority - a.priority);
}

export async function renewLeases(db: Db, leases: readonly WorkItemClaim[], leaseMs: number): Promise<void> {
  if (leases.length === 0) return;
  const aging = sql`select account_id from work_items where lease_until < ${fromNow(leaseMs * RENEWED_BELOW)}
    and account_id = any(${leases.map((l) => l.accountId)}::text[])`;
  await sql`
    with ${lockedInOrder(aging)}
    update work_items set lease_until = ${fromNow(leaseMs)}
    from ${rowsOf(LEASE, leases)}, locked
    where work_items.account_id = given.account_id and locked.account_id = work_items.account_id
      and work_items.fencing_token = given.fencing_token and work_items.lease_until is not null`.execute(db);
}

/** The current generation; null: the lease is over. */
export async function findGeneration(db: Db, { accountId, fencingToken }: Lease): Promise<number | null> {
  const row = await db
    .selectFrom('workItems')
    .select('generation')
    .where('accountId', '=', accountId)
    .where('fencingToken', '=', fencingToken)
    .where('leaseUntil', 'is not', null)
    .executeTakeFirst();
  return row?.generation ?? null;
}

/** Stores what is about to be sent, by ad account; null: its results are stored. Null values are left out. */
export async function saveIntents(
  tx: Db,
  intents: ReadonlyMap<string, readonly object[] | null>,
): Promise<void> {
  if (intents.size === 0) return;
  // PostgreSQL's JSON functions refuse a text that is cut within a character.
  const rows = [...intents].map(([account_id, intent]) => ({ account_id, intent }));
  const all = JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : (value ?? undefined),
  );
  await sql`
    update work_items set intent = given.intent from json_to_recordset(${all}::json) as given(account_id text, intent json)
    where work_items.account_id = given.account_id`.execute(tx);
}

export const AS_BEFORE: Instant = -Infinity;

export interface WorkItemRelease extends Lease, StoredFailure {
  generation: number;
  /** The next due time; null: only on an event; AS_BEFORE: it stays due, at its place in the order. */
  lookAt: Instant | null;
  failures: number;
  blockedUntil: Instant | null;
  usage: Usage | null;
}

const RELEASE = {
  ...LEASE,
  generation: 'int',
  failures: 'int',
  failureKind: 'text',
  failureCode: 'text',
  lookInMs: 'float8',
  blockedForMs: 'float8',
  usage: 'jsonb',
} as const;

/**
 * An account that was woken during the pass stays due. Skips a work item that another holder has claimed since.
 * Keeps a block, because a page request may have met the limit since.
 * @param now the caller's clock: its times become delays, from the statement on and not from the transaction's start
 * @param options.areSettled the results of what was sent are stored
 */
export async function releaseWorkItems(
  db: Db,
  releases: readonly WorkItemRelease[],
  now: Instant,
  { areSettled = false } = {},
): Promise<void> {
  if (releases.length === 0) return;
  const delay = (at: Instant | null): number | null => (at === null ? null : at - now);
  const given = releases.map(({ lookAt, blockedUntil, usage, ...release }) => ({
    ...release,
    lookInMs: delay(lookAt),
    blockedForMs: delay(blockedUntil),
    usage: usage === null ? null : JSON.stringify(usage),
  }));
  await sql`
    with ${lockedInOrder(listed(releases.map((r) => r.accountId)))}
    update work_items set leased_by = null, lease_until = null,
      due_at = case when work_items.generation = given.generation and given.look_in_ms is distinct from ${AS_BEFORE}
        then clock_timestamp() + given.look_in_ms * interval '1 millisecond' else due_at end,
      failures = given.failures, failure_kind = given.failure_kind, failure_code = given.failure_code,
      blocked_until = greatest(work_items.blocked_until,
        clock_timestamp() + given.blocked_for_ms * interval '1 millisecond'),
      usage = coalesce(given.usage, work_items.usage)${areSettled ? sql`, intent = null` : sql``}
    from (select given.* from ${rowsOf(RELEASE, given)} join locked using (account_id) offset 0) given
    where work_items.account_id = given.account_id
      and work_items.fencing_token = given.fencing_token and work_items.lease_until is not null`.execute(db);
}

/** Without other processes, every lease is of a dead one. */
export async function dropAllLeases(db: Db): Promise<void> {
  await sql`update work_items set leased_by = null, lease_until = null where lease_until is not null`.execute(
    db,
  );
  await sql`update account_jobs set leased_by = null, lease_until = null where lease_until is not null`.execute(
    db,
  );
  await sql`update platform_status set poller = null, poller_until = null`.execute(db);
}

/** How long until the next work item can be claimed; null: none waits. */
export async function msUntilNextClaim(db: Db): Promise<number | null> {
  const result = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(due_at, lease_until, blocked_until)) - now()) * 1000)::float8 as ms
    from (select due_at, lease_until, blocked_until from work_items where due_at is not null
      order by due_at limit 100) soonest`.execute(db);
  return onlyRow(result).ms;
}

/**
 * Safety net: finds accounts with holds, or with SmartPause on during a match or a user's own word that can act, and
 * without a due time. Such gaps should not exist.
 * @param matched the thresholds that are met now
 */
export async function makeOverdueItemsDue(db: Db, matched: readonly string[]): Promise<number> {
  const result = await sql`
    insert into work_items (account_id, due_at)
    select account_id, now() from (
      select h.account_id, h.user_id from holds h where h.ended_at is null
      union
      select sp.account_id, sp.user_id from smartpause_settings sp join users p on p.id = sp.user_id
      where sp.setting = 'ON' and p.threshold = any(${[...matched]}::text[])
      union
      select sp.account_id, sp.user_id from signals s
        join users p on p.id = s.user_id or (${PAUSES} and p.early_warning = 'pause')
        join smartpause_settings sp on sp.user_id = p.id and sp.setting = 'ON'
        join ad_accounts a on a.user_id = p.id and a.id = sp.account_id and a.lost_at is null
      where s.source in ('user', 'early_warning') and (s.until is null or s.until > now())
        and p.initialized_at is not null and p.leaving is null
        and ${isSubscribed(sql`p.id`, sql`now()`)}
    ) wanted
    join users on users.id = wanted.user_id
    left join platform_tokens t on t.user_id = wanted.user_id and t.rejected_at is null
    where (t.user_id is not null or users.leaving is not null)
      and not exists (select from work_items w where w.account_id = wanted.account_id and w.due_at is not null)
    group by account_id order by account_id
    on conflict (account_id) do update set due_at = excluded.due_at
    where work_items.due_at is null`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Stores a rate limit block that a call has just met. */
export async function blockWorkItem(db: Db, accountId: string, forMs: number): Promise<void> {
  await ensureWorkItem(db, accountId);
  await sql`
    update work_items set blocked_until = greatest(blocked_until, ${fromNow(forMs)})
    where account_id = ${accountId}`.execute(db);
}

export interface WorkItemLock {
  fencingToken: number;
  generation: number;
  isLeased: boolean;
  hasIntent: boolean;
}

/** Locks those work items that no other transaction has locked, and waits for none. By account. */
export async function lockFreeWorkItems(
  tx: Db,
  accountIds: readonly string[],
): Promise<Map<string, WorkItemLock>> {
  const { rows } = await sql<WorkItemLock & { accountId: string }>`
    select account_id, fencing_token, generation, lease_until is not null as "isLeased",
      intent is not null as "hasIntent"
    from work_items where account_id = any(${[...accountIds]}::text[])
    order by account_id for update skip locked`.execute(tx);
  return new Map(rows.map(({ accountId, ...lock }) => [accountId, lock]));
}
