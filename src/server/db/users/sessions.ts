import type { RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { LAST_USE_MINUTES, SESSION_DAYS, UNUSED_SESSION_DAYS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import { hashSecret, newSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { instant, withInstants } from '../database.ts';
import type { User } from './users.ts';
import { toUser } from './users.ts';

const SESSION_MS = days(SESSION_DAYS);
const UNUSED_MS = days(UNUSED_SESSION_DAYS);
/**
 * A replaced session stays valid this long: for running requests,
 * and for a retry if the response with the new token was lost.
 */
const REPLACED_MS = minutes(5);
const LAST_USE_MS = minutes(LAST_USE_MINUTES);

/** A session as its user may see it, without the token or its hash. */
export interface Session {
  id: string;
  /** Such as 'Firefox on Windows'. */
  device: string;
  startedAt: Instant;
  lastUsedAt: Instant;
  /** The earlier of its fixed end and its end when unused. */
  expiresAt: Instant;
}

/** Neither expired nor unused for too long. */
function stillHolds(now: Instant): RawBuilder<SqlBool> {
  const unusedSince = new Date(now - UNUSED_MS);
  return sql<SqlBool>`(session.expires_at > ${new Date(now)}::timestamptz and session.last_used_at > ${unusedSince}::timestamptz)`;
}

/** Returns the token; the database stores only its hash. */
export async function startSession(
  db: Db,
  given: { userId: string; device: string; startedAt?: Instant },
  now: Instant,
): Promise<string> {
  const token = newSecret();
  await db
    .insertInto('session')
    .values({
      token_hash: hashSecret(token),
      user_id: given.userId,
      device: given.device,
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
    .returning(['device', 'created_at'])
    .executeTakeFirst();
  if (before === undefined) return null;
  return startSession(db, { userId, device: before.device, startedAt: instant(before.created_at) }, now);
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

/** Excludes replaced sessions, which end within minutes. */
export async function listSessions(db: Db, userId: string, now: Instant): Promise<Session[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'device', 'created_at as startedAt', 'last_used_at as lastUsedAt'])
    .select(
      sql<Date>`least(expires_at, last_used_at + ${UNUSED_MS} * interval '1 millisecond')`.as('expiresAt'),
    )
    .where('user_id', '=', userId)
    .where(stillHolds(now + REPLACED_MS))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(withInstants);
}

/**
 * Ends a session together with its predecessor or replacement.
 * @returns null if the user has no such session
 */
export async function endSession(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<{ device: string } | null> {
  // A replacement keeps the device and the start.
  const row = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb(eb.refTuple('device', 'created_at'), 'in', (own) =>
        own
          .selectFrom('session')
          .select(['device', 'created_at'])
          .where('user_id', '=', userId)
          .where('id', '=', sessionId)
          .$asTuple('device', 'created_at'),
      ),
    )
    .returning('device')
    .executeTakeFirst();
  return row ?? null;
}

/** Ends all sessions of this user, except `keep`. */
export async function endSessionsOf(db: Db, userId: string, keep: string | null = null): Promise<void> {
  await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep ?? ''))
    .execute();
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
