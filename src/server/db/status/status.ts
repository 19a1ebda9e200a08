import { sql } from 'kysely';
import { z } from 'zod';
import type { Directive } from '#core/smartpause/level.ts';
import { LEVELS } from '#core/smartpause/level.ts';
import type { Status } from '#core/smartpause/status.ts';
import { isStale, nextStatus, touchedThresholds } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, inTransaction, instant } from '../database.ts';
import { dueAt } from '../lanes.ts';
import { recordOutage } from './outages.ts';

export interface StatusRow extends Status {
  message: string;
  /** What the platform's status page says, word for word; null: not known. */
  quote: string | null;
  loginDisrupted: boolean;
  /** Null: never looked yet. */
  checkedAt: Instant | null;
  /** Since when the effective status has been what it is. */
  since: Instant | null;
}

const level = z.enum(LEVELS);
const known = level.exclude(['UNKNOWN']);
const directive = z.enum(['FORCE_UP', 'FORCE_LOW', 'FORCE_MEDIUM', 'FORCE_HIGH']).nullable();
const matchSince = z.object({
  LOW: z.number().nullable(),
  MEDIUM: z.number().nullable(),
  HIGH: z.number().nullable(),
});

export async function readStatus(db: Db, options: { lock?: boolean } = {}): Promise<StatusRow> {
  const query = db.selectFrom('platform_status').selectAll().where('id', '=', 1);
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirstOrThrow();
  return {
    trueLevel: level.parse(row.true_level),
    directive: directive.parse(row.directive),
    effective: level.parse(row.effective),
    known: known.parse(row.known),
    knownIsFromBackup: row.known_is_from_backup,
    matchSince: matchSince.parse(row.match_since),
    message: row.message,
    quote: row.quote,
    loginDisrupted: row.login_disrupted,
    checkedAt: instant(row.checked_at),
    since: instant(row.since),
  };
}

export interface StatusNews {
  trueLevel?: (typeof LEVELS)[number];
  directive?: Directive | null;
  message?: string;
  quote?: string | null;
  loginDisrupted?: boolean;
}

/**
 * Folds news into the status, keeps the history and the outages, and makes every ad account due whose holds or
 * matches it touches: in one transaction, so nobody is ever forgotten between the two. True when there is
 * something to act on.
 */
export async function recordStatus(
  db: Db,
  news: StatusNews,
  now: Instant,
  options: { staleMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const before = await readStatus(tx, { lock: true });
    const after = nextStatus(before, news, now);
    const changed = before.effective !== after.effective;
    // After a gap the engine has been reading the old status as UNKNOWN: the same news is news then.
    const newsWorthy = changed || isStale(before.checkedAt, now, options.staleMs);
    await tx
      .updateTable('platform_status')
      .set({
        true_level: after.trueLevel,
        message: news.message ?? before.message,
        quote: news.quote === undefined ? before.quote : news.quote,
        directive: after.directive,
        effective: after.effective,
        known: after.known,
        known_is_from_backup: after.knownIsFromBackup,
        match_since: JSON.stringify(after.matchSince),
        login_disrupted: news.loginDisrupted ?? before.loginDisrupted,
        since: date(changed || before.since === null ? now : before.since),
        ...(news.trueLevel === undefined ? {} : { checked_at: new Date(now) }),
      })
      .where('id', '=', 1)
      .execute();
    if (newsWorthy) await makeTouchedLanesDue(tx, touchedThresholds(before, after), now);
    const same = before.trueLevel === after.trueLevel && before.directive === after.directive;
    if (same) return newsWorthy;
    await tx
      .insertInto('observation')
      .values({
        at: new Date(now),
        true_level: after.trueLevel,
        directive: after.directive,
        effective: after.effective,
        known: after.known,
        message: news.message ?? before.message,
      })
      .execute();
    if (before.known !== after.known) await recordOutage(tx, after.known, now);
    return newsWorthy;
  });
}

async function makeTouchedLanesDue(tx: Db, touched: string[], now: Instant): Promise<void> {
  await sql`
    with locked as materialized (
      select account_id from lane where account_id in (
        select account_id from hold where state <> 'ended'
        union
        select sp.account_id from smart_pause sp join person p on p.id = sp.person_id
        where sp.setting = 'ON' and p.threshold = any(${touched}::text[])
      ) order by account_id for update)
    update lane set next_due_at = ${dueAt(now)}
    from locked where lane.account_id = locked.account_id`.execute(tx);
}

/** One process of many looks at the status page: the one that holds the lease. True when it is this one. */
export async function takePollerLease(
  db: Db,
  given: { owner: string; until: Instant },
  now: Instant,
): Promise<boolean> {
  const result = await db
    .updateTable('platform_status')
    .set({ poller: given.owner, poller_until: new Date(given.until) })
    .where('id', '=', 1)
    .where((eb) =>
      eb.or([
        eb('poller', 'is', null),
        eb('poller', '=', given.owner),
        eb('poller_until', '<=', new Date(now)),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function dropPollerLease(db: Db, owner: string): Promise<void> {
  await db
    .updateTable('platform_status')
    .set({ poller: null, poller_until: null })
    .where('poller', '=', owner)
    .execute();
}

/** The administrator's override that was in force then; null: there was none. */
export async function findDirectiveAt(db: Db, at: Instant): Promise<Directive | null> {
  const row = await db
    .selectFrom('observation')
    .select('directive')
    .where('at', '<=', new Date(at))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return directive.parse(row?.directive ?? null);
}
