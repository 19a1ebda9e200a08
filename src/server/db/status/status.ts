import { sql } from 'kysely';
import type { Directive, KnownLevel, Level } from '#core/smartpause/level.ts';
import type { Component, Status, StatusReading } from '#core/smartpause/status.ts';
import { isStale, nextStatus, statedBy, touchedThresholds } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, inTransaction, timestamp, fromNow } from '../database.ts';
import { wake } from '../work-items.ts';
import { recordOutage } from './outages.ts';

export interface StatusRow extends Status {
  message: string;
  /** Text of Meta's status page, unchanged; null: unknown. */
  quote: string | null;
  loginDisrupted: boolean;
  /** Null: never read. */
  checkedAt: Instant | null;
  /** Since when the effective status has its value. */
  since: Instant | null;
}

export function readStatus(db: Db): Promise<StatusRow> {
  return selectStatus(db).executeTakeFirstOrThrow();
}

function selectStatus(db: Db) {
  return db
    .selectFrom('platformStatus')
    .select(['trueLevel', 'overrideLevel as directive', 'effectiveLevel as effective', 'knownLevel as known'])
    .select(['message', 'quote', 'since', 'knownIsFromBackup', 'matchSince', 'loginDisrupted', 'checkedAt'])
    .where('id', '=', 1);
}

/** Of the last reading that stated a level. */
export async function readComponents(db: Db): Promise<Component[]> {
  const row = await db.selectFrom('platformStatus').select('components').executeTakeFirstOrThrow();
  return row.components;
}

/** `trouble` and `components` are shown and decide nothing. */
export interface RecordedReading extends StatusReading {
  loginDisrupted: boolean | null;
  trouble: string | null;
  components: readonly Component[];
}

export interface StatusNews {
  reading?: RecordedReading;
  directive?: Directive | null;
}

/**
 * Updates status, history and outages, and makes all ad accounts with affected holds or matches due.
 * One transaction, so that a crash loses no account.
 * @returns the effective level if the reconciler has work
 */
export async function recordStatus(
  db: Db,
  { reading, directive }: StatusNews,
  now: Instant,
  options: { staleMs: number },
): Promise<Level | null> {
  return inTransaction(db, async (tx) => {
    const before = await selectStatus(tx).forUpdate().executeTakeFirstOrThrow();
    const isOld = isStale(before.checkedAt, now, options.staleMs);
    const stated = reading === undefined ? null : statedBy(reading, { ...before, isOld });
    const { level: trueLevel, message, quote } = stated ?? { ...before, level: before.trueLevel };
    const after = nextStatus(before, { trueLevel, directive }, now);
    const changed = before.effective !== after.effective;
    // After a gap the reconciler used UNKNOWN instead of the old status, so an equal status counts as a change.
    const newsWorthy = changed || isOld;
    await tx
      .updateTable('platformStatus')
      .set({
        trueLevel,
        message,
        quote,
        overrideLevel: after.directive,
        effectiveLevel: after.effective,
        knownLevel: after.known,
        knownIsFromBackup: after.knownIsFromBackup,
        matchSince: JSON.stringify(after.matchSince),
        loginDisrupted: reading?.loginDisrupted ?? before.loginDisrupted,
        since: date(changed || before.since === null ? now : before.since),
        ...(reading !== undefined && { trouble: reading.trouble, unreadServices: unreadOf(reading) }),
        ...(reading !== undefined && stated !== null && { components: JSON.stringify(reading.components) }),
        // A level that was only raised keeps the age of the last complete reading.
        ...(stated !== null && stated === reading && { checkedAt: new Date(now) }),
      })
      .where('id', '=', 1)
      .execute();
    if (newsWorthy)
      await wake(
        tx,
        sql`select account_id from holds where state <> 'ended' union
          select sp.account_id from smartpause_settings sp join users p on p.id = sp.user_id
          where sp.setting = 'ON' and p.threshold = any(${touchedThresholds(before, after)}::text[])`,
      );
    if (before.trueLevel !== trueLevel || before.directive !== after.directive) {
      await tx
        .insertInto('statusObservations')
        .values({
          at: new Date(now),
          trueLevel,
          overrideLevel: after.directive,
          message,
        })
        .execute();
    }
    if (before.known !== after.known) await recordOutage(tx, after.known, now);
    return newsWorthy ? after.effective : null;
  });
}

function unreadOf({ components }: RecordedReading): string[] {
  return components.filter(({ level, isWatched }) => isWatched && level === null).map(({ name }) => name);
}

/**
 * Only the process with the lease reads the status page.
 * @returns true if this process has it
 */
export async function takePollerLease(
  db: Db,
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<boolean> {
  const result = await db
    .updateTable('platformStatus')
    .set({ poller: owner, pollerUntil: fromNow(leaseMs) })
    .where('id', '=', 1)
    .where(sql<boolean>`(poller is null or poller = ${owner} or poller_until <= now())`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function dropPollerLease(db: Db, owner: string): Promise<void> {
  await db
    .updateTable('platformStatus')
    .set({ poller: null, pollerUntil: null })
    .where('poller', '=', owner)
    .execute();
}

export interface RecordedLevel {
  level: KnownLevel;
  at: Instant;
  message: string;
}

/** The known levels that were read from the page since then, oldest first, after the one in force then. */
export async function findRecordedLevels(db: Db, since: Instant): Promise<RecordedLevel[]> {
  const { rows } = await sql<RecordedLevel>`
    select true_level as level, at, message from status_observations
    where true_level <> 'UNKNOWN' and at >= coalesce(
      (select max(at) from status_observations where true_level <> 'UNKNOWN' and at <= ${timestamp(since)}), '-infinity')
    order by at, id`.execute(db);
  return rows;
}
