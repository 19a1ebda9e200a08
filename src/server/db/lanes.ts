import { sql } from 'kysely';
import { z } from 'zod';
import type { Usage } from '#core/platform-usage.ts';
import { TIERS } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { date, instant } from './database.ts';

/**
 * A lane is the queue of one ad account: whoever holds its lease is the only one to work there. The lease
 * number fences off a holder that was thought dead. `next_due_at` says when somebody should look.
 */
export interface LaneClaim {
  accountId: string;
  leaseNo: number;
  failures: number;
  usage: Usage | null;
}

const usageColumn = z
  .object({
    tier: z.enum(TIERS).nullable(),
    percent: z.number(),
    regainAt: z.number().nullable(),
    resetAt: z.number().nullable(),
    at: z.number(),
  })
  .nullable()
  .catch(null);

/** There is one then, and it is locked: whoever needs the lane and its wishes takes the lane first. */
export async function ensureLane(db: Db, accountId: string): Promise<void> {
  await db
    .insertInto('lane')
    .values({ account_id: accountId })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ account_id: eb.ref('excluded.account_id') })),
    )
    .execute();
}

/**
 * A wish that somebody should look. While a lane is leased it lies before the lease's end, also when the lease is over
 * and its holder still at it: so the release can tell it from the lease's own end.
 */
export function dueAt(now: Instant) {
  return sql`least(next_due_at, ${new Date(now)}::timestamptz, lease_until - interval '1 millisecond')`;
}

/** Somebody should look at these accounts now; also while they are being worked on, then right afterwards. */
export async function makeDue(db: Db, accountIds: readonly string[], now: Instant): Promise<void> {
  if (accountIds.length === 0) return;
  await sql`
    with locked as materialized (${lockedInOrder(accountIds)})
    update lane set next_due_at = ${dueAt(now)}
    from locked where lane.account_id = locked.account_id`.execute(db);
}

/** All accounts of one person in which something is held or watched. */
export async function makeDueForPerson(db: Db, personId: string, now: Instant): Promise<void> {
  await sql`
    with locked as materialized (
      select account_id from lane where account_id in (
        select account_id from hold where person_id = ${personId} and state <> 'ended'
        union
        select account_id from smart_pause where person_id = ${personId} and setting = 'ON')
      order by account_id for update)
    update lane set next_due_at = ${dueAt(now)}
    from locked where lane.account_id = locked.account_id`.execute(db);
}

interface Lease {
  owner: string;
  until: Instant;
}

interface ClaimedRow {
  account_id: string;
  lease_no: number;
  failures: number;
  usage: unknown;
}

/**
 * Claims due lanes, the dearest accounts first. While a lane is leased it is due again at the lease's end, so
 * that a dead holder's work is found again.
 * @param held whoever claims is still at these, although a clock that jumps may have ended their leases, and others used them
 */
export async function claimDueLanes(
  db: Db,
  { limit, held }: { limit: number; held: readonly string[] },
  lease: Lease,
  now: Instant,
): Promise<LaneClaim[]> {
  const at = new Date(now);
  const until = new Date(lease.until);
  const { rows } = await sql<ClaimedRow>`
    update lane set lease_owner = ${lease.owner}, lease_until = ${until}::timestamptz,
      next_due_at = ${until}::timestamptz, lease_no = lease_no + 1
    where account_id = any(array(
      select account_id from lane
      where next_due_at <= ${at}::timestamptz
        and (lease_until is null or lease_until <= ${at}::timestamptz) and account_id <> all(${[...held]}::text[])
        and (blocked_until is null or blocked_until <= ${at}::timestamptz)
      order by next_due_at, priority desc limit ${limit} for update skip locked))
    returning account_id, lease_no, failures, usage`.execute(db);
  return rows.map(toClaim);
}

export interface OwnClaim {
  claim: LaneClaim;
  /** What was planned for the lane before, to be given back with it. */
  lookAt: Instant | null;
  blockedUntil: Instant | null;
}

/** Claims one lane for a person's own act; null while somebody else works there. */
export async function claimLane(
  db: Db,
  accountId: string,
  lease: Lease,
  now: Instant,
): Promise<OwnClaim | null> {
  await ensureLane(db, accountId);
  const until = new Date(lease.until);
  const { rows } = await sql<ClaimedRow & { blocked_until: Date | null; look_at: Date | null }>`
    update lane set lease_owner = ${lease.owner}, lease_until = ${until}::timestamptz,
      next_due_at = ${until}::timestamptz, lease_no = lane.lease_no + 1
    from (
      select account_id, next_due_at as look_at from lane
      where account_id = ${accountId} and (lease_until is null or lease_until <= ${new Date(now)}::timestamptz)
      for update) free
    where lane.account_id = free.account_id
    returning lane.account_id, lease_no, failures, usage, blocked_until, look_at`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const blockedUntil = instant(row.blocked_until);
  return {
    claim: toClaim(row),
    lookAt: instant(row.look_at),
    blockedUntil: blockedUntil !== null && blockedUntil > now ? blockedUntil : null,
  };
}

function toClaim(row: ClaimedRow): LaneClaim {
  return {
    accountId: row.account_id,
    leaseNo: row.lease_no,
    failures: row.failures,
    usage: usageColumn.parse(row.usage),
  };
}

export async function renewLeases(db: Db, leases: readonly LaneClaim[], until: Instant): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    with locked as materialized (${lockedInOrder(leases.map((l) => l.accountId))})
    update lane set lease_until = ${new Date(until)}::timestamptz,
      next_due_at = case when next_due_at = lease_until then ${new Date(until)}::timestamptz else next_due_at end
    from unnest(${leases.map((l) => l.accountId)}::text[], ${leases.map((l) => l.leaseNo)}::int[])
      as held(account_id, lease_no), locked
    where lane.account_id = held.account_id and locked.account_id = lane.account_id and lane.lease_no = held.lease_no
      and lane.lease_until is not null`.execute(db);
}

/** Which of these leases still hold; the rows stay locked until the transaction's end. */
export async function findHeldLeases(
  tx: Db,
  leases: readonly { accountId: string; leaseNo: number }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ account_id: string }>`
    select lane.account_id from lane
    join unnest(${leases.map((l) => l.accountId)}::text[], ${leases.map((l) => l.leaseNo)}::int[])
      as held(account_id, lease_no) on lane.account_id = held.account_id and lane.lease_no = held.lease_no
    where lane.lease_until is not null order by lane.account_id for share of lane`.execute(tx);
  return new Set(rows.map((row) => row.account_id));
}

export interface LaneRelease {
  accountId: string;
  leaseNo: number;
  /** When to look again; null: not until something happens. A wish that came meanwhile is kept. */
  lookAt: Instant | null;
  failures: number;
  lastError: string | null;
  blockedUntil: Instant | null;
  usage: Usage | null;
}

/** Whoever locks several lanes locks them in one order, so that no two wait for each other. */
export function lockedInOrder(accountIds: readonly string[]) {
  return sql`select account_id from lane where account_id = any(${[...accountIds]}::text[])
    order by account_id for update`;
}

/**
 * Gives lanes back. One that was taken over by somebody else in the meantime is left alone, and one that is blocked stays so: a
 * page may have learnt that meanwhile.
 */
export async function releaseLanes(db: Db, releases: readonly LaneRelease[]): Promise<void> {
  if (releases.length === 0) return;
  await sql`
    with locked as materialized (${lockedInOrder(releases.map((r) => r.accountId))})
    update lane set lease_owner = null, lease_until = null,
      next_due_at = least(case when next_due_at < lease_until then next_due_at end, done.look_at),
      failures = done.failures, last_error = done.last_error, blocked_until = greatest(lane.blocked_until, done.blocked_until),
      usage = coalesce(done.usage::jsonb, lane.usage)
    from unnest(
      ${releases.map((r) => r.accountId)}::text[], ${releases.map((r) => r.leaseNo)}::int[],
      ${releases.map((r) => date(r.lookAt))}::timestamptz[], ${releases.map((r) => r.failures)}::int[],
      ${releases.map((r) => r.lastError)}::text[], ${releases.map((r) => date(r.blockedUntil))}::timestamptz[],
      ${releases.map((r) => (r.usage === null ? null : JSON.stringify(r.usage)))}::text[]
    ) as done(account_id, lease_no, look_at, failures, last_error, blocked_until, usage), locked
    where lane.account_id = done.account_id and locked.account_id = lane.account_id and lane.lease_no = done.lease_no and lane.lease_until is not null`.execute(
    db,
  );
}

/** With a database that only one process can open, every lease of a former process is a dead one. */
export async function dropAllLeases(db: Db, now: Instant): Promise<void> {
  await sql`update lane set lease_owner = null, lease_until = null,
    next_due_at = least(next_due_at, ${new Date(now)}::timestamptz) where lease_until is not null`.execute(
    db,
  );
  await sql`update platform_status set poller = null, poller_until = null`.execute(db);
  await sql`update mail set lease_until = null where lease_until is not null`.execute(db);
}

/** When the next lane can be claimed; null when none is waiting. */
export async function nextClaimAt(db: Db): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(next_due_at, lease_until, blocked_until)) as at from (
      select next_due_at, lease_until, blocked_until from lane where next_due_at is not null
      order by next_due_at limit 100) soonest`.execute(db);
  return instant(rows[0]?.at ?? null);
}

/**
 * Level-triggered healing: accounts with something held, or something to watch during a match, that nobody is
 * going to look at. Such a gap should not exist; this is what mends it if it does.
 * @param matched the thresholds that are met now
 */
export async function sweepLanes(db: Db, matched: readonly string[], now: Instant): Promise<number> {
  const result = await sql`
    insert into lane (account_id, next_due_at)
    select account_id, ${new Date(now)}::timestamptz from (
      select h.account_id, h.person_id from hold h where h.state <> 'ended'
      union
      select sp.account_id, sp.person_id from smart_pause sp join person p on p.id = sp.person_id
      where sp.setting = 'ON' and p.threshold = any(${[...matched]}::text[])
    ) wanted
    join person on person.id = wanted.person_id
    left join platform_token t on t.person_id = wanted.person_id and t.refused_at is null
    where t.person_id is not null or person.leaving is not null
    group by account_id order by account_id
    on conflict (account_id) do update set next_due_at = excluded.next_due_at
    where lane.next_due_at is null`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Whether the platform wants this account to be left alone for now. */
export async function isBlocked(db: Db, accountId: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('lane')
    .select('blocked_until')
    .where('account_id', '=', accountId)
    .where('blocked_until', '>', new Date(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** The platform wants this account to be left alone until then, as somebody's own call has just learnt. */
export async function blockLane(db: Db, accountId: string, until: Instant): Promise<void> {
  await ensureLane(db, accountId);
  await sql`
    update lane set blocked_until = greatest(blocked_until, ${new Date(until)}::timestamptz)
    where account_id = ${accountId}`.execute(db);
}
