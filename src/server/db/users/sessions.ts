import type { RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { SESSION_DAYS, UNUSED_SESSION_DAYS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import { hashSecret, newSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
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
function stillHolds(now: Instant): RawBuilder<SqlBool> {
  const unusedSince = new Date(now - UNUSED_MS);
  return sql<SqlBool>`(session.expires_at > ${new Date(now)}::timestamptz and session.last_used_at > ${unusedSince}::timestamptz)`;
}

/** Returns the token; the database stores only its hash. */
export async function startSession(
  db: Db,
  given: { userId: string; startedAt?: Instant },
  now: Instant,
): Promise<string> {
  const token = newSecret();
  await db
    .insertInto('session')
    .values({
      token_hash: hashSecret(token),
      user_id: given.userId,
      created_at: new Date(given.startedAt ?? now),
      last_used_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
    })
    .execute();
  return token;
}

/**
 * Replaces this session and returns the new token.
 * @returns null if the user has no such session
 */
export async function replaceSession(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Instant,
): Promise<string | null> {
  const before = await db
    .updateTable('session')
    .set({ expires_at: sql`least(expires_at, ${new Date(now + REPLACED_MS)}::timestamptz)` })
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .returning('created_at')
    .executeTakeFirst();
  if (before === undefined) return null;
  return startSession(db, { userId, startedAt: instant(before.created_at) }, now);
}

export interface OwnSession {
  user: User;
  sessionId: string;
}

/** The users of these session tokens, in order; null for an invalid token. */
export async function findUsersOfSessions(
  db: Db,
  tokens: readonly string[],
  now: Instant,
): Promise<(OwnSession | null)[]> {
  const hashes = tokens.map(hashSecret);
  const rows = await db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .selectAll('app_user')
    .select(['session.id as session_id', 'last_used_at', 'token_hash'])
    .where(sql<SqlBool>`token_hash = any(${hashes}::bytea[])`)
    .where(stillHolds(now))
    .execute();
  const used = rows.filter(({ last_used_at: at }) => now - instant(at) >= LAST_USE_MS);
  if (used.length > 0) await touchSessions(db, used, now);
  const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64url');
  const found = new Map(
    rows.map((row) => [keyOf(row.token_hash), { user: toUser(row), sessionId: row.session_id }]),
  );
  return hashes.map((hash) => found.get(keyOf(hash)) ?? null);
}

/** In id order, the lock order of all statements that write several rows. */
async function touchSessions(
  db: Db,
  sessions: readonly { session_id: string }[],
  now: Instant,
): Promise<void> {
  const ids = sessions.map(({ session_id: id }) => id);
  await sql`
    with locked as materialized (
      select id from session where id = any(${ids}::bigint[]) order by id for update skip locked)
    update session set last_used_at = ${new Date(now)}::timestamptz
    from locked where session.id = locked.id`.execute(db);
}

/** The valid ones of these sessions, each with the roles of its user. */
export async function findLiveSessions(
  db: Db,
  sessionIds: readonly string[],
  now: Instant,
): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; roles: string[] }>`
    select session.id, app_user.roles from session join app_user on app_user.id = session.user_id
    where session.id = any(${sessionIds}::bigint[]) and ${stillHolds(now)}`.execute(db);
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** Neither ended nor replaced. */
export async function isCurrentSession(db: Db, token: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('token_hash', '=', hashSecret(token))
    .where(stillHolds(now + REPLACED_MS))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends a session together with its predecessor or replacement.
 * @returns whether the user had this session
 */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  // A replacement keeps the start.
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('created_at', '=', (own) =>
      own
        .selectFrom('session')
        .select('created_at')
        .where('user_id', '=', userId)
        .where('id', '=', sessionId),
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
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '<>', keep)
    .returning(stillHolds(now + REPLACED_MS).as('counts'))
    .execute();
  return ended.filter(({ counts }) => counts).length;
}

/**
 * For the operator after a suspected leak. Null: all users.
 * @returns the number of sessions
 */
export async function endSessionsOfPlatformUser(db: Db, platformUserId: string | null): Promise<number> {
  const ended = await db
    .deleteFrom('session')
    .$if(platformUserId !== null, (query) =>
      query.where('user_id', 'in', (user) =>
        user.selectFrom('app_user').select('id').where('platform_user_id', '=', platformUserId),
      ),
    )
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

export async function dropExpiredSessions(db: Db, now: Instant): Promise<void> {
  await db
    .deleteFrom('session')
    .where(sql<SqlBool>`not ${stillHolds(now)}`)
    .execute();
}
