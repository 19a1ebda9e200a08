import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { DELIVERY } from '#core/detection/parameters.ts';
import { LATEST_RESUME_MS } from '#core/settings.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { date, timestamp } from './database.ts';
import { LET_PAUSE } from './users/users.ts';

/** An early warning that acts and pauses: `pauses` of the core. */
export const PAUSES = sql`acts and state = 'PROBABLE'`;
/** The clock of another process, by which it began, may be ahead. */
export const endAt = (at: Instant): RawBuilder<Instant> => sql<Instant>`greatest(since, ${timestamp(at)})`;

/** After a stop of all processes, which does not end it sooner than what it stands on. */
const STALE_WARNING_MS = DELIVERY.lastsMs;

/**
 * What acts for each user beside the status page: their own words that are on, or that have ended in the match that lasts;
 * and early warnings, while the user let them pause, also those whose end may still delay a resume. One that no process has
 * weighed for an hour has ended.
 * @param moment.matchBegan null: there is no match
 */
export async function findActing(
  db: Db,
  userIds: readonly string[],
  { now, matchBegan }: { now: Instant; matchBegan: Instant | null },
): Promise<Map<string, Signal[]>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<Signal & { userId: string }>`
    select one.* from unnest(${[...userIds]}::bigint[]) as wanted(id) cross join lateral (
      select user_id, source, since, until from signals where user_id = wanted.id
        and (until is null or until >= ${timestamp(Math.min(now, matchBegan ?? now))}) offset 0) one
    union all
    select users.id, source, lower(let), upper(let) from signals, users, detection,
      lateral (select coalesce(until, case when weighed_at < ${timestamp(now - STALE_WARNING_MS)} then greatest(since, weighed_at) end) as last) weighed,
      unnest(${LET_PAUSE} * tstzmultirange(tstzrange(since, last))) as let
    where ${PAUSES} and (until is null or until >= ${timestamp(Math.min(now - LATEST_RESUME_MS, matchBegan ?? now))})
      and users.id = any(${[...userIds]}::bigint[])`.execute(db);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([id, own]) => [id, own.map(({ source, since, until }) => ({ source, since, until }))]),
  );
}

/** The user's own word that is on; null: there is none. */
export async function findWord(
  db: Db,
  userId: string,
  now: Instant,
): Promise<(Signal & { id: string }) | null> {
  const row = await db
    .selectFrom('signals')
    .select(['id', 'since', 'until'])
    .where('userId', '=', userId)
    .where('source', '=', 'user')
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', timestamp(now))]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, source: 'user' };
}

export async function insertWord(
  tx: Db,
  { userId, until }: { userId: string; until: Instant | null },
  now: Instant,
): Promise<void> {
  await tx
    .insertInto('signals')
    .values({
      source: 'user',
      scope: 'user',
      state: 'SAID',
      userId,
      since: new Date(now),
      until: date(until),
    })
    .execute();
}

export async function setEnd(tx: Db, id: string, until: Instant | null): Promise<void> {
  await tx
    .updateTable('signals')
    .set({ until: until === null ? null : endAt(until) })
    .where('id', '=', id)
    .execute();
}

/** The user leaves: what they said does not act when they come back. */
export async function endWords(tx: Db, userId: string, at: Instant): Promise<void> {
  await sql`update signals set until = ${endAt(at)}
    where user_id = ${userId} and source = 'user' and (until is null or until > ${timestamp(at)})`.execute(
    tx,
  );
}
