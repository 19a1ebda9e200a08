import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import { SESSION_DAYS, UNUSED_SESSION_DAYS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import { hashSecret, newSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import type { User } from './users.ts';
import { toUser } from './users.ts';

const SESSION_MS = days(SESSION_DAYS);
const UNUSED_MS = days(UNUSED_SESSION_DAYS);
/**
 * A replaced session stays valid this long: for running requests,
 * and for a retry if the response with the new token was lost.
 */
const REPLACED_MS = minutes(1);
/** Precision of a session's last use: it saves a database write on every request. */
const LAST_USE_MS = minutes(5);

/** Neither expired nor unused for too long. */
const isValid = (now: Instant) =>
  sql<SqlBool>`(sessions.expires_at > ${timestamp(now)} and sessions.last_used_at > ${timestamp(now - UNUSED_MS)})`;

/** Returns the token; the database stores only its hash. */
export async function startSession(
  db: Db,
  userId: string,
  now: Instant,
  { token = newSecret(), startedAt = now } = {},
): Promise<string> {
  await db
    .insertInto('sessions')
    .values({
      tokenHash: hashSecret(token),
      userId,
      createdAt: new Date(startedAt),
      lastUsedAt: new Date(now),
      expiresAt: new Date(now + SESSION_MS),
    })
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
    .set({ expiresAt: sql`least(expires_at, ${timestamp(now + REPLACED_MS)})` })
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
  // A parallel request that touches the same session is not waited for.
  if (now - row.lastUsedAt >= LAST_USE_MS)
    await sql`
      update sessions set last_used_at = ${timestamp(now)}
      where id = (select id from sessions where id = ${row.sessionId} for update skip locked)`.execute(db);
  return { user: toUser(row), sessionId: row.sessionId };
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
  const row = await db
    .selectFrom('sessions')
    .select('userId')
    .where('tokenHash', '=', hashSecret(token))
    .where(isValid(now + REPLACED_MS))
    .executeTakeFirst();
  return row?.userId ?? null;
}

/**
 * Ends a session together with its predecessor or replacement.
 * @returns whether the user had this session
 */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  // A replacement keeps the start.
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('createdAt', '=', (own) =>
      own.selectFrom('sessions').select('createdAt').where('userId', '=', userId).where('id', '=', sessionId),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Ends all sessions of this user, except `keep`.
 * @returns how many, without replaced ones, which end within a minute
 */
export async function endSessionsOf(
  db: Db,
  { userId, keep }: { userId: string; keep: string },
  now: Instant,
): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '<>', keep)
    .returning(isValid(now + REPLACED_MS).as('counts'))
    .execute();
  return ended.filter(({ counts }) => counts).length;
}

/**
 * For the operator after a suspected leak. Null: all users.
 * @returns the number of sessions
 */
export async function endSessionsOfPlatformUser(db: Db, platformUserId: string | null): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .$if(platformUserId !== null, (query) =>
      query.where('userId', 'in', (user) =>
        user.selectFrom('users').select('id').where('platformUserId', '=', platformUserId),
      ),
    )
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

export async function dropExpiredSessions(db: Db, now: Instant): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(sql<SqlBool>`not ${isValid(now)}`)
    .execute();
}
