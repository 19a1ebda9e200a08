import { sql } from 'kysely';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { Component, Status } from '#core/smartpause/status.ts';
import type { StoredStatus } from '#core/smartpause/status-reading.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, timestamp, fromNow } from '../database.ts';

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

/** Locks the row, with what the next status is decided from. @param owner null: no reading */
export function lockStatus(tx: Db, owner: string | null) {
  return selectStatus(tx)
    .select(['knownTrueLevel', 'fileDates', 'lowerReading'])
    .select(
      sql<boolean>`coalesce(poller = ${owner} and poller_until > clock_timestamp(), false)`.as('isPoller'),
    )
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** What is shown of a reading and decides nothing, but for `cleanSince`. Absent: as before. */
export interface ShownReading {
  trouble: string | null;
  unreadServices: string[];
  cleanSince: CleanSince;
  silentIncidents?: readonly SilentIncident[];
  components?: readonly Component[];
}

export async function saveStatus(
  tx: Db,
  status: StoredStatus & Pick<StatusRow, 'since' | 'loginDisrupted'>,
  shown: ShownReading | null,
): Promise<void> {
  const { directive: overrideLevel, effective: effectiveLevel, known: knownLevel, ...same } = status;
  const row = {
    ...{ ...same, overrideLevel, effectiveLevel, knownLevel },
    matchSince: JSON.stringify(status.matchSince),
    checkedAt: date(status.checkedAt),
    since: date(status.since),
    fileDates: JSON.stringify(status.fileDates),
    lowerReading: status.lowerReading && JSON.stringify(status.lowerReading),
  };
  const ofReading = shown && {
    ...{ trouble: shown.trouble, unreadServices: shown.unreadServices },
    cleanSince: JSON.stringify(shown.cleanSince),
    ...(shown.silentIncidents && { silentIncidents: JSON.stringify(shown.silentIncidents) }),
    ...(shown.components && { components: JSON.stringify(shown.components) }),
  };
  await tx
    .updateTable('platformStatus')
    .set({ ...row, ...ofReading })
    .where('id', '=', 1)
    .execute();
}

/** The history of what was read and forced. */
export async function addObservation(
  tx: Db,
  { trueLevel, directive, message }: Pick<StoredStatus, 'trueLevel' | 'directive' | 'message'>,
  now: Instant,
): Promise<void> {
  const row = { at: new Date(now), trueLevel, overrideLevel: directive, message };
  await tx.insertInto('statusObservations').values(row).execute();
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

/** What the page said from this time until that one; also while an admin had set a level. */
export async function findSaid(db: Db, from: Instant, until: Instant): Promise<RecordedLevel[]> {
  const { rows } = await sql<RecordedLevel>`
    select true_level as level, at, message from status_observations
    where true_level <> 'UNKNOWN' and at between ${timestamp(from)} and ${timestamp(until)} order by at, id`.execute(
    db,
  );
  return rows;
}
