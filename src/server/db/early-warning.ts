import { sql } from 'kysely';
import type { SignalEvidence, SourceState, WarningEvidence, WarningState } from '#core/detection/fusion.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { isSubscribed } from './billing/subscriptions.ts';
import { date, onlyRow, timestamp } from './database.ts';
import { PAUSES, endAt } from './signals.ts';

/** What a source says now, for all users. */
export interface OpenSignal extends SourceState {
  since: Instant;
  evidence: SignalEvidence;
}

export interface Warning {
  id: string;
  state: Exclude<WarningState, 'NORMAL'>;
  /** It notifies and pauses; otherwise it is only recorded. */
  acts: boolean;
  since: Instant;
  until: Instant | null;
  evidence: WarningEvidence;
}

/** Since when early warnings act, null: they are only recorded; locked. Undefined: another process has the lock. */
export async function lockActing(tx: Db, { waits }: { waits: boolean }): Promise<Instant | null | undefined> {
  const { rows } = await sql<{ actingSince: Instant | null }>`
    select acting_since from detection for update ${waits ? sql`` : sql`skip locked`}`.execute(tx);
  return rows[0]?.actingSince;
}

export async function saveActing(tx: Db, since: Instant | null): Promise<void> {
  await tx
    .updateTable('detection')
    .set({ actingSince: date(since) })
    .execute();
}

/** All sources were put together. */
export async function markWeighed(tx: Db, now: Instant): Promise<void> {
  await tx
    .updateTable('detection')
    .set({ weighedAt: new Date(now) })
    .execute();
}

const isOpen = sql`scope = 'everyone' and until is null`;

export async function findOpenSignals(db: Db): Promise<OpenSignal[]> {
  const { rows } = await sql<OpenSignal>`
    select source, state, since, evidence from signals where ${isOpen} and source <> 'early_warning' order by id`.execute(
    db,
  );
  return rows;
}

const COLUMNS = sql`id, state, acts, since, until, evidence`;

/** The early warning that goes on; null: there is none. */
export async function findWarning(db: Db): Promise<Warning | null> {
  const { rows } = await sql<Warning>`
    select ${COLUMNS} from signals where ${isOpen} and source = 'early_warning'`.execute(db);
  return rows[0] ?? null;
}

/** Ends the one before, if there is one, and begins the next one; null: there is none. */
export async function replaceWarning(
  tx: Db,
  before: Warning | null,
  next: Pick<Warning, 'state' | 'acts' | 'evidence'> | null,
  now: Instant,
): Promise<void> {
  if (before !== null)
    await sql`update signals set until = ${endAt(now)} where id = ${before.id}`.execute(tx);
  if (next === null) return;
  const { state, acts, evidence } = next;
  await tx
    .insertInto('signals')
    .values({
      ...{ source: 'early_warning', scope: 'everyone', state, acts, since: new Date(now) },
      evidence: JSON.stringify(evidence),
    })
    .execute();
}

export async function updateEvidence(tx: Db, id: string, evidence: WarningEvidence): Promise<void> {
  await tx
    .updateTable('signals')
    .set({ evidence: JSON.stringify(evidence) })
    .where('id', '=', id)
    .execute();
}

/** The early warning that acts, or has acted until then; null: there is none. */
export async function findLastWarning(db: Db, endedSince: Instant): Promise<Warning | null> {
  const { rows } = await sql<Warning>`
    select ${COLUMNS} from signals where source = 'early_warning' and acts
      and (until is null or until >= ${timestamp(endedSince)}) order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Those that paused campaigns, the latest first. */
export async function findWarningsBefore(db: Db, before: Instant): Promise<Warning[]> {
  const { rows } = await sql<Warning>`
    select ${COLUMNS} from signals where source = 'early_warning' and ${PAUSES}
      and since <= ${timestamp(before)} order by id desc limit 50`.execute(db);
  return rows;
}

const wantsWarnings = (
  now: Instant,
) => sql`u.early_warning <> 'official' and u.initialized_at is not null and u.leaving is null
  and ${isSubscribed(sql`u.id`, timestamp(now))}`;
const isOfWarning = (since: Instant) =>
  sql`a.user_id = u.id and a.event = 'early_warning' and a.dedupe_key = ${`since ${since}`}`;

/** Users who want to know of it and don't yet. @param about.thresholds of theirs */
export async function findToNotify(
  db: Db,
  { since, thresholds }: { since: Instant; thresholds: readonly Threshold[] },
  now: Instant,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where ${wantsWarnings(now)} and u.threshold = any(${[...thresholds]}::text[])
      and not exists (select from activities a where ${isOfWarning(since)}) order by u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Users who know of its beginning, and of its end not yet. */
export async function findNotified(db: Db, since: Instant) {
  const { rows } = await sql<{ userId: string; threshold: Threshold }>`
    select u.id as "userId", u.threshold from users u where u.leaving is null
      and exists (select from activities a where ${isOfWarning(since)})
      and not exists (select from activities a where a.user_id = u.id and a.event = 'early_warning_over'
        and a.dedupe_key = ${`over ${since}`}) order by u.id`.execute(db);
  return rows;
}

/** Users with a subscription, by what they want an early warning to do. */
export async function countChosen(db: Db, now: Instant): Promise<{ pause: number; notify: number }> {
  const result = await sql<{ pause: number; notify: number }>`
    select count(*) filter (where early_warning = 'pause')::int as pause,
      count(*) filter (where early_warning = 'notify')::int as notify
    from users u where ${wantsWarnings(now)}`.execute(db);
  return onlyRow(result);
}

/** Early warnings since then, and those of them that paused, or would have. The rows of one have the same evidence's begin. */
export async function countRecorded(db: Db, since: Instant): Promise<{ suspicions: number; pauses: number }> {
  const result = await sql<{ suspicions: number; pauses: number }>`
    select count(distinct evidence -> 'since')::int as suspicions,
      count(distinct evidence -> 'since') filter (where state = 'PROBABLE')::int as pauses
    from signals where source = 'early_warning' and since > ${timestamp(since)}`.execute(db);
  return onlyRow(result);
}

/**
 * What an outage needs is looked at before one is suspected, when a refused token would no longer count: the tokens of users
 * with SmartPause on, and the lists of ad accounts in which it turns on for new campaigns.
 */
export async function prepare(tx: Db): Promise<void> {
  await sql`update platform_tokens t set check_at = least(check_at, now()) where rejected_at is null and exists (
    select from smartpause_settings sp where sp.user_id = t.user_id and sp.setting = 'ON')`.execute(tx);
  await sql`update account_jobs set due_at = least(due_at, now()) where kind = 'new_campaigns' and due_at is not null`.execute(
    tx,
  );
}
