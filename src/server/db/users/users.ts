import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_RESUME } from '#core/settings.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, fromNow, timestamp } from '../database.ts';
import { IS_ENDED } from '../deliveries.ts';
import type { Schema } from '../schema.ts';

export type User = Selectable<Schema['users']>;
/** A user leaves by revoking the authorization or by deleting the account. */
export type Leaving = NonNullable<User['leaving']>;

/** Saves the user of a Meta user id with Meta's current name and address. */
export async function saveUser(
  db: Db,
  { id: platformUserId, ...user }: { id: string; name: string; email: string | null; roles: string[] },
  now: Instant,
): Promise<User & { isNew: boolean }> {
  const times = { loggedInAt: new Date(now), createdAt: new Date(now) };
  return db
    .insertInto('users')
    .values({ platformUserId, ...user, ...times, resumeSettings: JSON.stringify(DEFAULT_RESUME) })
    .onConflict((conflict) =>
      conflict.column('platformUserId').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        email: eb.fn.coalesce('users.email', 'excluded.email'),
        loggedInAt: eb.ref('excluded.loggedInAt'),
        roles: sql`(select array(select distinct unnest(users.roles || excluded.roles)))`,
      })),
    )
    .returningAll()
    .returning(sql<boolean>`(xmax = 0)`.as('isNew'))
    .executeTakeFirstOrThrow();
}

const selectUser = (db: Db, userId: string) => db.selectFrom('users').selectAll().where('id', '=', userId);

export async function findUser(db: Db, userId: string): Promise<User | null> {
  return (await selectUser(db, userId).executeTakeFirst()) ?? null;
}

/** Serializes decisions about one user. */
export async function lockUser(db: Db, userId: string): Promise<User | null> {
  return (await selectUser(db, userId).forUpdate().executeTakeFirst()) ?? null;
}

/** Serializes the notifications of one user, and delays none of the reconciler's work for them. */
export async function lockUserForNotification(db: Db, userId: string): Promise<User | null> {
  return (await selectUser(db, userId).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** The same for many at once, by id. Those whom another transaction has locked are absent, so that they delay no other one. */
export async function lockUsersForNotifications(tx: Db, ids: readonly string[]): Promise<Map<string, User>> {
  const isOne = sql<boolean>`id = any(${[...ids]}::bigint[])`;
  const locked = tx.selectFrom('users').selectAll().where(isOne).orderBy('id');
  return new Map((await locked.forNoKeyUpdate().skipLocked().execute()).map((user) => [user.id, user]));
}

export async function findUserId(db: Db, platformUserId: string): Promise<string | null> {
  const query = db.selectFrom('users').select('id').where('platformUserId', '=', platformUserId);
  return (await query.executeTakeFirst())?.id ?? null;
}

export async function findUsers(db: Db, ids: readonly string[]): Promise<Map<string, User>> {
  const isOne = sql<boolean>`id = any(${[...ids]}::bigint[])`;
  const rows = await db.selectFrom('users').selectAll().where(isOne).execute();
  return new Map(rows.map((user) => [user.id, user]));
}

/** What a user chooses in Settings. */
export interface Settings extends Pick<
  User,
  'threshold' | 'email' | 'onForNewCampaigns' | 'hasMonthlySummary' | 'earlyWarning'
> {
  resumeSettings: ResumeSettings;
  letsPauseSince: Instant | null;
  letsPauseUntil: Instant | null;
}

/** When early warnings pause for the user: by their last choice, and by earlier ones. */
export const LET_PAUSE = sql`(lets_pause_earlier + case when lets_pause_since is null then '{}'
  else tstzmultirange(tstzrange(lets_pause_since, lets_pause_until)) end)`;

export async function saveSettings(db: Db, userId: string, settings: Settings): Promise<void> {
  const { resumeSettings, letsPauseSince, letsPauseUntil, ...others } = settings;
  const since = date(letsPauseSince);
  const isSame = sql<boolean>`lets_pause_since is not distinct from ${since}::timestamptz`;
  const row = {
    ...others,
    ...{ resumeSettings: JSON.stringify(resumeSettings), letsPauseSince: since },
    letsPauseUntil: date(letsPauseUntil),
    letsPauseEarlier: sql<string>`case when ${isSame} then lets_pause_earlier else ${LET_PAUSE} end`,
  };
  await db.updateTable('users').set(row).where('id', '=', userId).execute();
}

export async function saveEmail(tx: Db, userId: string, email: string): Promise<void> {
  await tx.updateTable('users').set({ email }).where('id', '=', userId).execute();
}

/** False: already initialized. */
export async function markInitialized(db: Db, userId: string, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ initializedAt: new Date(now) })
    .where('id', '=', userId)
    .where('initializedAt', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const NOT_LEAVING = {
  leaving: null,
  leavingAt: null,
  leavingBy: null,
  leavingFailures: 0,
  leavingRetryAt: null,
  leavingError: null,
} as const;

/** Idempotent; a running deletion stays a deletion. */
export async function markLeaving(
  db: Db,
  userId: string,
  { how, since, by }: { how: Leaving; since: Instant; by: 'user' | 'meta' },
): Promise<void> {
  const leavingAt = sql<Instant>`coalesce(leaving_at, ${timestamp(since)})`;
  await db
    .updateTable('users')
    .set({ ...NOT_LEAVING, leaving: how, leavingAt, leavingBy: by })
    .where('id', '=', userId)
    .where('leaving', 'is distinct from', 'delete')
    .execute();
}

/** A user who logs in while the authorization is being revoked stays. */
export async function stopLeaving(db: Db, userId: string): Promise<void> {
  const query = db.updateTable('users').set(NOT_LEAVING).where('id', '=', userId);
  await query.where('leaving', '=', 'deauthorize').execute();
}

/** Users who are leaving and are due, longest wait first. */
export async function findLeaving(db: Db): Promise<User[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('leaving', 'is not', null)
    .where((eb) => eb.or([eb('leavingRetryAt', 'is', null), eb('leavingRetryAt', '<=', fromNow(0))]))
    .orderBy('leavingAt')
    .execute();
}

/** Schedules a retry after Meta or Stripe failed or refused. */
export async function postponeLeaving(
  db: Db,
  userId: string,
  { retryInMs, error }: { retryInMs: number; error: string },
): Promise<void> {
  const leavingFailures = sql<number>`leaving_failures + 1`;
  await db
    .updateTable('users')
    .set({ leavingFailures, leavingRetryAt: fromNow(retryInMs), leavingError: error })
    .where('id', '=', userId)
    .where('leaving', 'is not', null)
    .execute();
}

/** Deletes the setup of a deauthorized user; the user row stays until they delete the account. */
export async function forgetAuthorization(db: Db, userId: string): Promise<void> {
  for (const table of ['sessions', 'platformTokens', 'smartpauseSettings', 'adAccounts'] as const)
    await db.deleteFrom(table).where('userId', '=', userId).execute();
  const row = { ...NOT_LEAVING, initializedAt: null };
  await db.updateTable('users').set(row).where('id', '=', userId).execute();
}

/** Deletes the user's row and all its data; unsent emails to the user are still sent. */
export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('destinations').where('userId', '=', userId).execute();
  await sql`delete from notifications where user_id = ${userId} and (kind = 'confirm_address' or ${IS_ENDED})`.execute(
    db,
  );
  await db.deleteFrom('users').where('id', '=', userId).execute();
}

/**
 * Locks those users that no other transaction has locked, and waits for none.
 * @returns by user whether they are locked for this transaction; users who no longer exist are absent
 */
export async function lockFreeUsers(tx: Db, userIds: readonly string[]): Promise<Map<string, boolean>> {
  if (userIds.length === 0) return new Map();
  const ids = sql`${[...new Set(userIds)]}::bigint[]`;
  const { rows } = await sql<{ id: string; isLocked: boolean }>`
    with free as materialized (
      select id from users where id = any(${ids}) order by id for key share skip locked)
    select users.id, free.id is not null as "isLocked" from users left join free on free.id = users.id
    where users.id = any(${ids})`.execute(tx);
  return new Map(rows.map(({ id, isLocked }) => [id, isLocked]));
}

/** The user's own addresses get no monthly summary any more. */
export async function turnUserSummaryOff(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ hasMonthlySummary: false }).where('id', '=', userId).execute();
}
