import type { RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import { hashSecret, newSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import type { Person } from './people.ts';
import { toPerson } from './people.ts';

const SESSION_MS = days(30);
/** Whoever has not come back for so long has to log in again, however much is left of the thirty days. */
const UNUSED_MS = days(14);
/**
 * A replaced session stays valid for this long: for calls that are under way with it, and for a second try when the
 * response with the new token was lost.
 */
const REPLACED_MS = minutes(5);
/** 'Last used' is exact to this much: it is not worth a write at every call. */
const USED_STEP_MS = minutes(5);

/** A session as its person may see it: never the token, nor its hash. */
export interface Session {
  id: string;
  /** Such as 'Firefox on Windows'. */
  device: string;
  startedAt: Instant;
  lastUsedAt: Instant;
  /** Whichever comes first: its own end, or that of not being used. */
  expiresAt: Instant;
}

/** Has neither run out nor been left. */
function stillHolds(now: Instant): RawBuilder<SqlBool> {
  const unusedSince = new Date(now - UNUSED_MS);
  return sql<SqlBool>`(session.expires_at > ${new Date(now)}::timestamptz and session.last_used_at > ${unusedSince}::timestamptz)`;
}

/** Starts a session and returns its token, which is stored as a hash only. */
export async function startSession(
  db: Db,
  given: { personId: string; device: string; startedAt?: Instant },
  now: Instant,
): Promise<string> {
  const token = newSecret();
  await db
    .insertInto('session')
    .values({
      token_hash: hashSecret(token),
      person_id: given.personId,
      device: given.device,
      created_at: new Date(given.startedAt ?? now),
      last_used_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
    })
    .execute();
  return token;
}

/** Starts a session in place of this one and returns its token. Null: the person has no such session. */
export async function replaceSession(
  db: Db,
  { personId, sessionId }: { personId: string; sessionId: string },
  now: Instant,
): Promise<string | null> {
  const before = await db
    .updateTable('session')
    .set({ expires_at: sql`least(expires_at, ${new Date(now + REPLACED_MS)}::timestamptz)` })
    .where('person_id', '=', personId)
    .where('id', '=', sessionId)
    .returning(['device', 'created_at'])
    .executeTakeFirst();
  if (before === undefined) return null;
  return startSession(db, { personId, device: before.device, startedAt: instant(before.created_at) }, now);
}

export interface OwnSession {
  person: Person;
  sessionId: string;
}

/** Whose sessions these tokens are of, in their order; null for what is none, or does not hold any more. */
export async function findPeopleOfSessions(
  db: Db,
  tokens: readonly string[],
  now: Instant,
): Promise<(OwnSession | null)[]> {
  const hashes = tokens.map(hashSecret);
  const rows = await db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .selectAll('person')
    .select(['session.id as session_id', 'last_used_at', 'token_hash'])
    .where(sql<SqlBool>`token_hash = any(${hashes}::bytea[])`)
    .where(stillHolds(now))
    .execute();
  const used = rows.filter(({ last_used_at: at }) => now - instant(at) >= USED_STEP_MS);
  if (used.length > 0) await touchSessions(db, used, now);
  const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64url');
  const found = new Map(
    rows.map((row) => [keyOf(row.token_hash), { person: toPerson(row), sessionId: row.session_id }]),
  );
  return hashes.map((hash) => found.get(keyOf(hash)) ?? null);
}

/** In the order of their ids, as whoever writes several rows does. */
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

/** Which of these sessions still hold, each with the roles of its person. */
export async function findLiveSessions(
  db: Db,
  sessionIds: readonly string[],
  now: Instant,
): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; roles: string[] }>`
    select session.id, person.roles from session join person on person.id = session.person_id
    where session.id = any(${sessionIds}::bigint[]) and ${stillHolds(now)}`.execute(db);
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** Without those that are about to end: they have been replaced. */
export async function listSessions(db: Db, personId: string, now: Instant): Promise<Session[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'device', 'created_at', 'last_used_at', 'expires_at'])
    .where('person_id', '=', personId)
    .where(stillHolds(now + REPLACED_MS))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    startedAt: instant(row.created_at),
    lastUsedAt: instant(row.last_used_at),
    expiresAt: Math.min(instant(row.expires_at), instant(row.last_used_at) + UNUSED_MS),
  }));
}

/** Ends one session of this person, also what it replaced or was replaced by. Null: they have no such session. */
export async function endSession(
  db: Db,
  personId: string,
  sessionId: string,
): Promise<{ device: string } | null> {
  // A replacement keeps the device and the start.
  const row = await db
    .deleteFrom('session')
    .where('person_id', '=', personId)
    .where((eb) =>
      eb(eb.refTuple('device', 'created_at'), 'in', (own) =>
        own
          .selectFrom('session')
          .select(['device', 'created_at'])
          .where('person_id', '=', personId)
          .where('id', '=', sessionId)
          .$asTuple('device', 'created_at'),
      ),
    )
    .returning('device')
    .executeTakeFirst();
  return row ?? null;
}

/** Ends all sessions of this person, or all but one. */
export async function endSessionsOf(db: Db, personId: string, keep: string | null = null): Promise<void> {
  await db
    .deleteFrom('session')
    .where('person_id', '=', personId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep ?? ''))
    .execute();
}

/** For whoever runs this, on suspicion. Null: everybody's. Answers how many. */
export async function endSessionsOfPlatformUser(db: Db, platformUserId: string | null): Promise<number> {
  const ended = await db
    .deleteFrom('session')
    .$if(platformUserId !== null, (query) =>
      query.where('person_id', 'in', (person) =>
        person.selectFrom('person').select('id').where('platform_user_id', '=', platformUserId),
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
