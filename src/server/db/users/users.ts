import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { resumeSettings } from '#contract/shapes.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_RESUME } from '#core/settings.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { fromNow, timestamp } from '../database.ts';
import type { Schema } from '../schema.ts';

type UserRow = Selectable<Schema['users']>;

export interface User extends Pick<
  UserRow,
  'id' | 'platformUserId' | 'name' | 'email' | 'roles' | 'threshold' | 'onForNewCampaigns' | 'loggedInAt'
> {
  isInitialized: boolean;
  resume: ResumeSettings;
  leaving: Leaving | null;
}

/** A user who revokes the authorization or deletes the account. */
export interface Leaving {
  how: 'deauthorize' | 'delete';
  since: Instant;
  by: 'user' | 'meta';
  /** Failed attempts to finish, at Meta or at Stripe. */
  failures: number;
}

export function toUser(row: UserRow): User {
  const { id, platformUserId, name, email, roles, threshold, onForNewCampaigns, loggedInAt } = row;
  return {
    ...{ id, platformUserId, name, email, roles, threshold, onForNewCampaigns, loggedInAt },
    isInitialized: row.initializedAt !== null,
    resume: resumeSettings.parse(row.resumeSettings),
    leaving: row.leaving && {
      how: row.leaving,
      since: row.leavingAt ?? 0,
      by: row.leavingBy ?? 'user',
      failures: row.leavingFailures,
    },
  };
}

/** Saves the user of a Meta user id with Meta's current name and address. */
export async function saveUser(
  db: Db,
  { id: platformUserId, ...user }: { id: string; name: string; email: string | null; roles: string[] },
  now: Instant,
): Promise<User & { isNew: boolean }> {
  const times = { loggedInAt: new Date(now), createdAt: new Date(now) };
  const row = await db
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
  return { ...toUser(row), isNew: row.isNew };
}

const selectUsers = (db: Db) => db.selectFrom('users').selectAll();

async function firstOf(
  query: Pick<ReturnType<typeof selectUsers>, 'executeTakeFirst'>,
): Promise<User | null> {
  const row = await query.executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

export function findUser(db: Db, userId: string): Promise<User | null> {
  return firstOf(selectUsers(db).where('id', '=', userId));
}

export function findUserByPlatformId(db: Db, platformUserId: string): Promise<User | null> {
  return firstOf(selectUsers(db).where('platformUserId', '=', platformUserId));
}

/** Serializes decisions about one user. */
export function lockUser(db: Db, userId: string): Promise<User | null> {
  return firstOf(selectUsers(db).where('id', '=', userId).forUpdate());
}

/** Serializes the notifications of one user, and delays none of the reconciler's work for them. */
export function lockUserForNotification(db: Db, userId: string): Promise<User | null> {
  return firstOf(selectUsers(db).where('id', '=', userId).forNoKeyUpdate());
}

export async function findUsers(db: Db, ids: readonly string[]): Promise<Map<string, User>> {
  const isOne = sql<boolean>`id = any(${[...ids]}::bigint[])`;
  const rows = await selectUsers(db).where(isOne).execute();
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

export async function saveSettings(
  db: Db,
  userId: string,
  { resume, ...settings }: Pick<User, 'threshold' | 'resume' | 'email' | 'onForNewCampaigns'>,
): Promise<void> {
  const row = { ...settings, resumeSettings: JSON.stringify(resume) };
  await db.updateTable('users').set(row).where('id', '=', userId).execute();
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

/** Idempotent; a running deletion stays a deletion. */
export async function markLeaving(
  db: Db,
  userId: string,
  { how, since, by }: Omit<Leaving, 'failures'>,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...NOT_LEAVING,
      leaving: how,
      leavingAt: sql`coalesce(leaving_at, ${timestamp(since)})`,
      leavingBy: by,
    })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('leaving', 'is', null), eb('leaving', '<>', 'delete')]))
    .execute();
}

const NOT_LEAVING = {
  leaving: null,
  leavingAt: null,
  leavingBy: null,
  leavingFailures: 0,
  leavingRetryAt: null,
  leavingError: null,
} as const;

/** A user who logs in while the authorization is being revoked stays. */
export async function stopLeaving(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set(NOT_LEAVING)
    .where('id', '=', userId)
    .where('leaving', '=', 'deauthorize')
    .execute();
}

/** Users who are leaving and are due, longest wait first. */
export async function findLeaving(db: Db): Promise<User[]> {
  const rows = await selectUsers(db)
    .where('leaving', 'is not', null)
    .where((eb) => eb.or([eb('leavingRetryAt', 'is', null), eb('leavingRetryAt', '<=', fromNow(0))]))
    .orderBy('leavingAt')
    .execute();
  return rows.map(toUser);
}

/** Schedules a retry after Meta or Stripe failed or refused. */
export async function postponeLeaving(
  db: Db,
  userId: string,
  { retryInMs, error }: { retryInMs: number; error: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({
      leavingFailures: eb('leavingFailures', '+', 1),
      leavingRetryAt: fromNow(retryInMs),
      leavingError: error,
    }))
    .where('id', '=', userId)
    .where('leaving', 'is not', null)
    .execute();
}

/** Deletes the setup of a deauthorized user; the user row stays until they delete the account. */
export async function forgetAuthorization(db: Db, userId: string): Promise<void> {
  for (const table of ['sessions', 'platformTokens', 'smartpauseSettings', 'adAccounts'] as const) {
    await db.deleteFrom(table).where('userId', '=', userId).execute();
  }
  await db
    .updateTable('users')
    .set({ ...NOT_LEAVING, initializedAt: null })
    .where('id', '=', userId)
    .execute();
}

/** Deletes the user's row and all its data; unsent notifications are still sent. */
export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('notifications').where('userId', '=', userId).where('dueAt', 'is', null).execute();
  await db.deleteFrom('users').where('id', '=', userId).execute();
}
