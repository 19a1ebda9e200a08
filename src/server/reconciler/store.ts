import { sql } from 'kysely';
import type { Target } from '#core/reconciler/hold.ts';
import { LATE_WRITE_MS } from '#core/reconciler/hold.ts';
import type { Level } from '#core/smartpause/level.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Activity } from '../db/activities.ts';
import { recordActivities } from '../db/activities.ts';
import { LOCKED, createBatcher } from '../db/batcher.ts';
import type { CampaignList } from '../db/campaigns.ts';
import { noteManualPauses, saveCampaigns, saveWrittenStatus } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { lockFreeUsers, lockFreeWorkItems } from '../db/free-rows.ts';
import { isDatabaseUnavailable } from '../db/pool.ts';
import type { ExternalChange, StoredHold } from '../db/holds/holds.ts';
import { deactivateSmartPause, saveHolds } from '../db/holds/holds.ts';
import type { ManualEnd } from '../db/holds/manual-changes.ts';
import { endManualChanges } from '../db/holds/manual-changes.ts';
import type { StoredWrite } from '../db/holds/writes.ts';
import { saveWrites } from '../db/holds/writes.ts';
import { lockWishes, turnOnNewCampaigns } from '../db/new-campaigns.ts';
import { readStatus } from '../db/status/status.ts';
import { suspectTokens } from '../db/users/tokens.ts';
import type { WorkItemRelease } from '../db/work-items.ts';
import { findOwnLeases, releaseWorkItems, wake } from '../db/work-items.ts';
import type { Log } from '../observability/log.ts';
import type { Access } from './access.ts';
import { blockWrites, loseAccess, regainAccess } from './access.ts';
import { logActivities } from './log-activities.ts';

/** What a pass stores about one ad account, as the core decided it. */
export interface Changes {
  holds: StoredHold[];
  writes: (StoredWrite & { accountId: string; campaignId: string })[];
  deactivated: ExternalChange[];
  manualEnds: (ManualEnd & { id: string; campaignId: string; status: Target })[];
  activities: Activity[];
  /** Statuses that the platform has just confirmed. */
  written: { campaignId: string; status: Target }[];
  /** Users whose token the platform refused; a separate check decides whether the token is valid. */
  suspectedTokens: string[];
  /** Users whose changes the platform refuses until then; null: it accepts them again. */
  writesBlocked: (Access & { until: Instant | null })[];
}

export function emptyChanges(): Changes {
  return {
    holds: [],
    writes: [],
    deactivated: [],
    manualEnds: [],
    activities: [],
    written: [],
    suspectedTokens: [],
    writesBlocked: [],
  };
}

interface OwnChanges {
  accountId: string;
  fencingToken: number;
  changes: Changes;
}

/** Stored before the platform is called. */
export interface Intent extends OwnChanges {
  /** Of the work item when the plan's data was loaded. */
  generation: number;
  /** The level of the plan: a status becomes UNKNOWN by time alone, without a new generation. */
  effective: Level;
}

/** Ids of new holds by campaign; null: the plan is outdated, and nothing was stored. */
export type IntentResult = ReadonlyMap<string, string> | null;

/** The end of a pass: the released work item, the list that was read, and the result of the last call. */
export interface Finish {
  release: WorkItemRelease;
  changes: Changes | null;
  list: CampaignList | null;
}

/** The only writer of holds and writes: the holder of the lease. Entries of many ad accounts are stored together. */
export interface ReconcilerStore {
  intend(intent: Intent): Promise<IntentResult>;
  /** Stores results, unless another process has claimed the ad account since: it reads what became of the writes. */
  settle(result: OwnChanges): Promise<void>;
  /** Records whether the platform refuses this user the ad account. */
  noteAccess(access: Access, isLost: boolean): Promise<void>;
  finish(finish: Finish): Promise<void>;
}

const STORED_RETRY_MS = 100;
const INTENTS_AT_ONCE = 50;
const RESULTS_AT_ONCE = 100;
/** This many listed campaigns count as one account: a statement stores 5,000 at most, or one larger list. */
const CAMPAIGNS_PER_ACCOUNT = 50;

export function createReconcilerStore(
  db: Db,
  deps: { clock: Clock; staleMs: number; log: Pick<Log, 'info'> },
): ReconcilerStore {
  const now = (): Instant => deps.clock.now();
  const intents = createBatcher(
    (items: Intent[]) => inBatch(db, (tx) => writeIntents(tx, items, { now: now(), staleMs: deps.staleMs })),
    { maxSize: INTENTS_AT_ONCE },
  );
  const settled = createBatcher(
    async (results: OwnChanges[]) => {
      const written = await inBatch(db, (tx) => writeResults(tx, results, now()));
      logActivities(
        deps.log,
        results.filter((one) => written.has(one)).map(({ changes }) => changes),
      );
      return results.map((one) => (written.has(one) ? undefined : LOCKED));
    },
    { maxSize: RESULTS_AT_ONCE },
  );
  const finished = createBatcher(
    async (finishes: Finish[]) => {
      const written = await inBatch(db, (tx) => writeFinishes(tx, finishes, now()));
      logActivities(
        deps.log,
        written.flatMap(({ changes }) => changes ?? []),
      );
      return finishes.map((finish) => (written.includes(finish) ? undefined : LOCKED));
    },
    {
      maxSize: RESULTS_AT_ONCE,
      sizeOf: ({ list }) => Math.max(1, (list?.campaigns.length ?? 0) / CAMPAIGNS_PER_ACCOUNT),
    },
  );
  return {
    intend: (intent) => intents(intent),
    settle: (result) => onceAvailable(() => settled(result)),
    noteAccess: (access, isLost) =>
      inTransaction(db, (tx) => (isLost ? loseAccess(tx, access, now()) : regainAccess(tx, access))),
    finish: (finish) => onceAvailable(() => finished(finish)),
  };
}

/** A result that is lost is known again when no copy of its write can arrive, so it is kept until then. */
async function onceAvailable(store: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || tries * STORED_RETRY_MS > LATE_WRITE_MS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, STORED_RETRY_MS));
  }
}

/** Users and work items that are locked are left out; a lock on another row delays a batch no longer than this. */
async function inBatch<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    return run(tx);
  });
}

/** Locks the users and work items of entries that no other transaction has locked. Lock order: users before work items. */
async function lockFree<T extends { accountId: string; changes: Changes | null }>(
  tx: Db,
  entries: readonly T[],
): Promise<T[]> {
  const users = await lockFreeUsers(tx, entries.flatMap(usersOf));
  const ofFreeUsers = entries.filter((entry) => usersOf(entry).every((id) => users.get(id) !== false));
  const workItems = await lockFreeWorkItems(
    tx,
    ofFreeUsers.map(({ accountId }) => accountId),
  );
  return ofFreeUsers.filter(({ accountId }) => workItems.has(accountId));
}

/** Their rows are locked by what is stored. */
function usersOf({ changes }: { changes: Changes | null }): string[] {
  if (changes === null) return [];
  return [
    ...changes.holds.map(({ userId }) => userId),
    ...changes.writes.map(({ requestedBy }) => requestedBy),
    ...changes.activities.flatMap(({ userId }) => userId ?? []),
    ...changes.suspectedTokens,
  ];
}

async function writeIntents(
  tx: Db,
  intents: readonly Intent[],
  { now, staleMs }: { now: Instant; staleMs: number },
): Promise<(IntentResult | typeof LOCKED)[]> {
  const free = new Set(await lockFree(tx, intents));
  const generations = await findOwnLeases(tx, [...free]);
  const { effective } = currentStatus(await readStatus(tx), now, staleMs);
  const accepted = new Set(
    [...free].filter(
      (intent) => generations.get(intent.accountId) === intent.generation && intent.effective === effective,
    ),
  );
  const added = await writeChanges(
    tx,
    [...accepted].map(({ changes }) => changes),
    now,
  );
  return intents.map((intent) => {
    if (!free.has(intent)) return LOCKED;
    if (!accepted.has(intent)) return null;
    const own = intent.changes.holds.map(({ campaignId }) => campaignId);
    return new Map(own.flatMap((id) => (added.has(id) ? [[id, added.get(id) ?? '']] : [])));
  });
}

/** @returns the results that were written or are outdated, but not those with locked rows */
async function writeResults(tx: Db, results: readonly OwnChanges[], now: Instant): Promise<Set<OwnChanges>> {
  const free = await lockFree(tx, results);
  const leases = await findOwnLeases(tx, free);
  await writeChanges(
    tx,
    free.filter(({ accountId }) => leases.has(accountId)).map(({ changes }) => changes),
    now,
  );
  return new Set(free);
}

/** @returns those that were written */
async function writeFinishes(tx: Db, finishes: readonly Finish[], now: Instant): Promise<Finish[]> {
  const listsOf = (some: readonly Finish[]): CampaignList[] => some.flatMap(({ list }) => list ?? []);
  // Lock order: users before work items, and the work item before the rows that belong to it.
  const wishes = await lockWishes(
    tx,
    listsOf(finishes).map(({ accountId }) => accountId),
  );
  const free = await lockFree(
    tx,
    finishes.map((finish) => ({ ...finish, ...finish.release, finish })),
  );
  const leases = await findOwnLeases(tx, free);
  const written = free.map(({ finish }) => finish);
  await releaseWorkItems(
    tx,
    written.map(({ release }) => release),
    now,
  );
  const campaigns = await saveCampaigns(tx, listsOf(written));
  await turnOnNewCampaigns(tx, { wishes, campaigns }, now);
  const own = free.filter(({ accountId }) => leases.has(accountId));
  await writeChanges(
    tx,
    own.flatMap(({ changes }) => changes ?? []),
    now,
  );
  return written;
}

/** @returns ids of new holds, by campaign */
async function writeChanges(tx: Db, given: readonly Changes[], now: Instant): Promise<Map<string, string>> {
  const all = <T>(of: (changes: Changes) => readonly T[]): T[] => given.flatMap(of);
  const added = await saveHolds(
    tx,
    all(({ holds }) => holds),
    now,
  );
  await saveWrites(
    tx,
    all(({ writes }) => writes),
  );
  const alsoEnded = await deactivateSmartPause(
    tx,
    all(({ deactivated }) => deactivated),
    now,
  );
  await wake(tx, [...new Set(alsoEnded.map(({ accountId }) => accountId))]);
  const ends = all(({ manualEnds }) => manualEnds);
  await endManualChanges(tx, ends, now);
  await noteManualPauses(
    tx,
    ends.filter(({ failure }) => failure === null),
    now,
  );
  await saveWrittenStatus(
    tx,
    all(({ written }) => written),
    now,
  );
  await suspectTokens(
    tx,
    all(({ suspectedTokens }) => suspectedTokens),
    now,
  );
  for (const { until, ...access } of all(({ writesBlocked }) => writesBlocked))
    await blockWrites(tx, access, until, now);
  const activities = all((changes) => changes.activities);
  await recordActivities(tx, [...activities, ...notifiedToOthers(activities, alsoEnded)], now);
  return added;
}

/** Copies the activity of an external change to the other users with SmartPause on for that campaign. */
function notifiedToOthers(
  activities: readonly Activity[],
  others: readonly { userId: string; campaignId: string }[],
): Activity[] {
  return others.flatMap(({ userId, campaignId }) => {
    const activity = activities.find((a) => a.event === 'deactivated' && a.campaignId === campaignId);
    if (activity === undefined) return [];
    const { type, event, message, reason, actor, accountId } = activity;
    const about = { userId, actor, type, event, message, campaignId };
    return [
      { ...about, ...(reason !== undefined && { reason }), ...(accountId !== undefined && { accountId }) },
    ];
  });
}
