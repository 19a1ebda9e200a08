import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import { REPLACED_SESSION_MS, SESSION_MS, SESSION_USE_MS, UNUSED_SESSION_MS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { hashSecret, newSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import type { User } from './users.ts';

/** Neither expired nor unused for too long. */
const isValid = (now: Instant) =>
  sql<SqlBool>`(sessions.expires_at > ${timestamp(now)} and sessions.last_used_at > ${timestamp(now - UNUSED_SESSION_MS)})`;
/** Neither ended nor replaced. */
const isCurrent = (now: Instant) => isValid(now + REPLACED_SESSION_MS);

/** Returns the token; the database stores only its hash. */
export async function startSession(
  db: Db,
  userId: string,
  now: Instant,
  { token = newSecret(), startedAt = now } = {},
): Promise<string> {
  const times = { createdAt: new Date(startedAt), lastUsedAt: new Date(now) };
  await db
    .insertInto('sessions')
    .values({ tokenHash: hashSecret(token), userId, ...times, expiresAt: new Date(now + SESSION_MS) })
    .execute();
  return token;
}

/** The token of the new session; null: the user has no such session. */
export async function replaceSession(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Instant,
): Promise<string | null> {
  const before = await db
    .updateTable('sessions')
    .set({ expiresAt: sql`least(expires_at, ${timestamp(now + REPLACED_SESSION_MS)})` })
    .where('userId', '=', userId)
    .where('id', '=', sessionId)
    .returning('createdAt')
    .executeTakeFirst();
  return before === undefined ? null : startSession(db, userId, now, { startedAt: before.createdAt });
}

/** Null for an invalid token. */
export async function findUserOfSession(
  db: Db,
  token: string,
  now: Instant,
): Promise<{ user: User; sessionId: string } | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .selectAll('users')
    .select(['sessions.id as sessionId', 'lastUsedAt'])
    .where('tokenHash', '=', hashSecret(token))
    .where(isValid(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { sessionId, lastUsedAt, ...user } = row;
  // A parallel request that touches the same session is not waited for.
  if (now - lastUsedAt >= SESSION_USE_MS)
    await sql`
      update sessions set last_used_at = ${timestamp(now)}
      where id = (select id from sessions where id = ${sessionId} for update skip locked)`.execute(db);
  return { user, sessionId };
}

/** The valid ones of these sessions, each with the roles of its user. */
export async function findLiveSessions(
  db: Db,
  sessionIds: readonly string[],
  now: Instant,
): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; roles: string[] }>`
    select sessions.id, users.roles from sessions join users on users.id = sessions.user_id
    where sessions.id = any(${sessionIds}::bigint[]) and ${isValid(now)}`.execute(db);
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** The user of a session that is neither ended nor replaced. */
export async function findUserIdOfCurrent(db: Db, token: string, now: Instant): Promise<string | null> {
  const query = db.selectFrom('sessions').select('userId').where('tokenHash', '=', hashSecret(token));
  return (await query.where(isCurrent(now)).executeTakeFirst())?.userId ?? null;
}

/**
 * Ends a session together with its predecessor or replacement, which keeps the start.
 * @returns whether the user had this session
 */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const ended = await sql`
    delete from sessions using sessions own where own.id = ${sessionId} and own.user_id = ${userId}
      and sessions.user_id = own.user_id and sessions.created_at = own.created_at`.execute(db);
  return (ended.numAffectedRows ?? 0n) > 0n;
}

/**
 * Ends all sessions of this user, except `keep`.
 * @returns how many, without replaced ones, which end within a minute
 */
export async function endOtherSessions(
  db: Db,
  { userId, keep }: { userId: string; keep: string },
  now: Instant,
): Promise<number> {
  const query = db.deleteFrom('sessions').where('userId', '=', userId).where('id', '<>', keep);
  const ended = await query.returning(isCurrent(now).as('counts')).execute();
  return ended.filter(({ counts }) => counts).length;
}

/**
 * For the operator after a suspected leak. Null: all users.
 * @returns the number of sessions
 */
export async function endSessionsOfPlatformUser(db: Db, platformUserId: string | null): Promise<number> {
  const ended = await sql`
    delete from sessions using users where users.id = user_id
      and platform_user_id = coalesce(${platformUserId}::text, platform_user_id)`.execute(db);
  return Number(ended.numAffectedRows ?? 0n);
}
