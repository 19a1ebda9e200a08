import { sql } from 'kysely';
import type { Directive, KnownLevel, Level } from '#core/smartpause/level.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { Component, Status } from '#core/smartpause/status.ts';
import { isStale, nextStatus, touchedThresholds } from '#core/smartpause/status.ts';
import type { StatusReading, StoredStatus } from '#core/smartpause/status-reading.ts';
import { applyReading, showsReading } from '#core/smartpause/status-reading.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, inTransaction, timestamp, fromNow } from '../database.ts';
import { requestWake } from './account-wakes.ts';
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

/** What pages show in a disruption. */
export function readDisruption(db: Db) {
  return db
    .selectFrom('platformStatus')
    .select(['components', 'overrideSince'])
    .select((eb) => eb('lowerReading', 'is not', null).$castTo<boolean>().as('isFalling'))
    .select((eb) => eb.selectFrom('outages').select('levels').where('endedAt', 'is', null).as('levels'))
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
}

/** What the next reading of the page needs. */
export function readRemembered(
  db: Db,
): Promise<Pick<StoredStatus, 'fileDates' | 'lowerReading'> & { cleanSince: CleanSince }> {
  return db
    .selectFrom('platformStatus')
    .select(['fileDates', 'lowerReading', 'cleanSince'])
    .executeTakeFirstOrThrow();
}

export async function readSilentIncidents(db: Db): Promise<SilentIncident[]> {
  const row = await db.selectFrom('platformStatus').select('silentIncidents').executeTakeFirstOrThrow();
  return row.silentIncidents;
}

/** `trouble`, `components` and `silentIncidents` are shown and decide nothing. */
export interface RecordedReading extends StatusReading {
  loginDisrupted: boolean | null;
  trouble: string | null;
  components: readonly Component[];
  cleanSince: CleanSince;
  silentIncidents: readonly SilentIncident[];
}

export interface StatusNews {
  reading?: RecordedReading & { poller: Poller };
  directive?: Directive | null;
}

/** The process that has read the page. */
export interface Poller {
  owner: string;
  pollMs: number;
}

/** The reading of a process without the lease, or with an old copy of a file. */
export const NOT_USED = Symbol('not used');

/**
 * Updates status, history and outages, and requests that all ad accounts with affected holds or matches become due.
 * One transaction, so that a crash loses no account; the reconciler makes them due after it.
 * @returns the effective level if the reconciler has work
 */
export async function recordStatus(
  db: Db,
  news: StatusNews,
  now: Instant,
  options: { staleMs: number },
): Promise<Level | null | typeof NOT_USED> {
  return inTransaction(db, async (tx) => {
    const { reading } = news;
    const { isPoller, ...before } = await lockStatus(tx, reading?.poller.owner ?? null);
    if (reading !== undefined && !isPoller) return NOT_USED;
    const isOld = isStale(before.checkedAt, now, options.staleMs);
    const after = nextStored(before, news, now, options.staleMs);
    if (after === null) return NOT_USED;
    const changed = before.effective !== after.effective;
    // After a gap the reconciler used UNKNOWN instead of the old status, so an equal status counts as a change.
    const newsWorthy = changed || isOld;
    await tx
      .updateTable('platformStatus')
      .set({
        ...columnsOf(after),
        loginDisrupted: reading?.loginDisrupted ?? before.loginDisrupted,
        since: date(changed || before.since === null ? now : before.since),
        ...(reading !== undefined && shownOf(reading, { before, after })),
      })
      .where('id', '=', 1)
      .execute();
    if (newsWorthy) await requestWake(tx, touchedThresholds(before, after));
    if (before.trueLevel !== after.trueLevel || before.directive !== after.directive) {
      await tx
        .insertInto('statusObservations')
        .values({
          at: new Date(now),
          trueLevel: after.trueLevel,
          overrideLevel: after.directive,
          message: after.message,
        })
        .execute();
    }
    if (before.known !== after.known) await recordOutage(tx, after.known, now);
    return newsWorthy ? after.effective : null;
  });
}

/** Who has set the override, and why; null: it has ended. */
export async function explainOverride(
  tx: Db,
  override: { by: string; reason: string | null; since: Instant } | null,
): Promise<void> {
  const columns = {
    overrideBy: override?.by ?? null,
    overrideReason: override?.reason ?? null,
    overrideSince: date(override?.since ?? null),
  };
  await tx.updateTable('platformStatus').set(columns).where('id', '=', 1).execute();
}

/** Locks the row. @param owner null: no reading */
function lockStatus(tx: Db, owner: string | null) {
  return selectStatus(tx)
    .select(['knownTrueLevel', 'fileDates', 'lowerReading'])
    .select(
      sql<boolean>`coalesce(poller = ${owner} and poller_until > clock_timestamp(), false)`.as('isPoller'),
    )
    .forUpdate()
    .executeTakeFirstOrThrow();
}

function nextStored(
  before: StoredStatus,
  { reading, directive }: StatusNews,
  now: Instant,
  staleMs: number,
): StoredStatus | null {
  if (reading === undefined) return { ...before, ...nextStatus(before, { directive }, now) };
  return applyReading(before, reading, now, { staleMs, pollMs: reading.poller.pollMs });
}

function columnsOf(status: StoredStatus) {
  return {
    trueLevel: status.trueLevel,
    message: status.message,
    quote: status.quote,
    overrideLevel: status.directive,
    effectiveLevel: status.effective,
    knownLevel: status.known,
    knownTrueLevel: status.knownTrueLevel,
    knownIsFromBackup: status.knownIsFromBackup,
    matchSince: JSON.stringify(status.matchSince),
    checkedAt: date(status.checkedAt),
    fileDates: JSON.stringify(status.fileDates),
    lowerReading: status.lowerReading && JSON.stringify(status.lowerReading),
  };
}

/** What is shown of a reading, and since when lines are clean. */
function shownOf(reading: RecordedReading, status: { before: StoredStatus; after: StoredStatus }) {
  return {
    trouble: reading.trouble,
    unreadServices: unreadOf(reading),
    cleanSince: JSON.stringify(reading.cleanSince),
    ...(!reading.isIncomplete && { silentIncidents: JSON.stringify(reading.silentIncidents) }),
    ...(showsReading(reading, status) && { components: JSON.stringify(reading.components) }),
  };
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
