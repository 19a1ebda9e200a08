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
import { saveAccess } from '../db/ad-accounts.ts';
import type { CampaignList } from '../db/campaigns.ts';
import { noteManualPauses, saveCampaigns, saveWrittenStatus } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { lockFreeUsers } from '../db/users/users.ts';
import { isDatabaseUnavailable } from '../db/pool.ts';
import type { ExternalChange, HoldRow } from '../db/holds/holds.ts';
import { deactivateSmartPause, saveHolds } from '../db/holds/holds.ts';
import type { ManualEnd } from '../db/holds/manual-changes.ts';
import { endManualChanges } from '../db/holds/manual-changes.ts';
import type { WriteRow } from '../db/holds/writes.ts';
import { saveWrites } from '../db/holds/writes.ts';
import { lockWishes, turnOnNewCampaigns } from '../db/new-campaigns.ts';
import { readStatus } from '../db/status/status.ts';
import { suspectTokens } from '../db/users/tokens.ts';
import type { WorkItemRelease } from '../db/work-items.ts';
import {
  endIntents,
  findOwnLeases,
  lockFreeWorkItems,
  releaseWorkItems,
  saveIntents,
  wake,
} from '../db/work-items.ts';
import type { Log } from '../observability/log.ts';
import type { Access } from './access.ts';
import { blockWrites } from './access.ts';
import type { HoldActivity } from './hold-activities.ts';
import { logActivities } from './log-activities.ts';

/** What a pass stores about one ad account, as the core decided it. */
export interface Changes {
  holds: HoldRow[];
  writes: WriteRow[];
  deactivated: ExternalChange[];
  manualEnds: (ManualEnd & { id: string; campaignId: string; status: Target })[];
  activities: HoldActivity[];
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

interface Own {
  accountId: string;
  fencingToken: number;
}

/** Results of a call, or what a dead process was sending. */
export interface Settled extends Own {
  changes: Changes;
}

/** Stored before the platform is called. */
export interface Intent extends Settled {
  /** Of the work item when the plan's data was loaded. */
  generation: number;
  /** The level of the plan: a status becomes UNKNOWN by time alone, without a new generation. */
  effective: Level;
  /** Changes whose writes are sent next. They are stored as rows with their results. */
  intent: Changes | null;
}

/** The end of a pass: the released work item, the list that was read, and the result of the last call. */
export interface Finish {
  release: WorkItemRelease;
  changes: Changes | null;
  list: CampaignList | null;
}

type Entry = Own & { changes: Changes | null; plan?: Intent; finish?: Finish };

/** The only writer of holds and writes: the holder of the lease. Entries of many ad accounts are stored together. */
export interface ReconcilerStore {
  /** False: the plan is outdated, and nothing was stored. */
  intend(intent: Intent): Promise<boolean>;
  /** Stores results once, unless another process has claimed the ad account since. */
  settle(settled: Settled): Promise<void>;
  /** Records whether the platform refuses this user the ad account. */
  noteAccess(access: Access, isLost: boolean): Promise<void>;
  /** The platform refused the user's token; a separate check decides whether it is valid. */
  suspectToken(userId: string): Promise<void>;
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
  const store = async (entries: Entry[]): Promise<(boolean | typeof LOCKED)[]> => {
    const stored = await inTransaction(db, (tx) => storeEntries(tx, entries, { ...deps, now: now() }));
    logActivities(
      deps.log,
      entries.flatMap((entry, index) => (stored[index] === true ? (entry.changes ?? []) : [])),
    );
    return stored;
  };
  // A plan does not wait for the lists of other accounts.
  const intents = createBatcher(store, { maxSize: INTENTS_AT_ONCE });
  const results = createBatcher(store, {
    maxSize: RESULTS_AT_ONCE,
    sizeOf: ({ finish }) => Math.max(1, (finish?.list?.campaigns.length ?? 0) / CAMPAIGNS_PER_ACCOUNT),
  });
  return {
    intend: (plan) => intents({ ...plan, plan }),
    settle: (settled) => onceAvailable(() => results(settled)),
    noteAccess: (access, isLost) => saveAccess(db, access, isLost ? now() : null),
    suspectToken: (userId) => suspectTokens(db, [userId], now()),
    finish: (finish) => onceAvailable(() => results({ ...finish.release, changes: finish.changes, finish })),
  };
}

/** A result that is lost is known again when no copy of its write can arrive, so it is kept until then. */
async function onceAvailable(store: () => Promise<unknown>): Promise<void> {
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

/** Locks the users and work items of entries that no other transaction has locked. Lock order: users before work items. */
async function lockFree(tx: Db, entries: readonly Entry[]): Promise<Set<Entry>> {
  const users = await lockFreeUsers(tx, entries.flatMap(usersOf));
  const ofFreeUsers = entries.filter((entry) => usersOf(entry).every((id) => users.get(id) !== false));
  const workItems = await lockFreeWorkItems(
    tx,
    ofFreeUsers.map(({ accountId }) => accountId),
  );
  return new Set(ofFreeUsers.filter(({ accountId }) => workItems.has(accountId)));
}

/** Their rows are locked by what is stored. */
function usersOf({ changes }: Entry): string[] {
  if (changes === null) return [];
  return [
    ...changes.holds.map(({ userId }) => userId),
    ...changes.writes.map(({ requestedBy }) => requestedBy),
    ...changes.activities.flatMap(({ userId }) => userId ?? []),
    ...changes.suspectedTokens,
  ];
}

/** Locked rows of others are left out; a lock on another row delays the entries no longer than a second. */
async function storeEntries(
  tx: Db,
  entries: readonly Entry[],
  { now, staleMs }: { now: Instant; staleMs: number },
): Promise<(boolean | typeof LOCKED)[]> {
  await sql`set local lock_timeout = '1s'`.execute(tx);
  const listsOf = (some: readonly Entry[]): CampaignList[] =>
    some.flatMap(({ finish }) => finish?.list ?? []);
  // Lock order: users before work items, and the work item before the rows that belong to it.
  const accountIds = listsOf(entries).map(({ accountId }) => accountId);
  const wishes = await lockWishes(tx, accountIds);
  const free = await lockFree(tx, entries);
  const current = await currentPlans(tx, [...free], { now, staleMs });
  const settled = [...free].filter(({ changes, plan }) => changes !== null && plan === undefined);
  const ended = await endIntents(tx, settled);
  await saveIntents(
    tx,
    new Map(
      [...current].flatMap(({ accountId, plan }) => {
        const intent = plan?.intent ?? null;
        return intent === null ? [] : [[accountId, intent]];
      }),
    ),
  );
  const stored = [...settled.filter(({ accountId }) => ended.has(accountId)), ...current];
  const campaigns = await saveCampaigns(tx, listsOf([...free]));
  await turnOnNewCampaigns(tx, { wishes, campaigns }, now);
  await writeChanges(
    tx,
    stored.flatMap(({ changes }) => changes ?? []),
    now,
  );
  await releaseWorkItems(
    tx,
    [...free].flatMap(({ finish }) => finish?.release ?? []),
    now,
  );
  return entries.map((entry) => {
    if (!free.has(entry)) return LOCKED;
    return entry.plan === undefined || current.has(entry);
  });
}

/** Entries whose plan was made from what is stored now. */
async function currentPlans(
  tx: Db,
  entries: readonly Entry[],
  { now, staleMs }: { now: Instant; staleMs: number },
): Promise<Set<Entry>> {
  const planned = entries.filter(({ plan }) => plan !== undefined);
  if (planned.length === 0) return new Set();
  const generations = await findOwnLeases(tx, planned);
  const { effective } = currentStatus(await readStatus(tx), now, staleMs);
  return new Set(
    planned.filter(
      ({ accountId, plan }) =>
        generations.get(accountId) === plan?.generation && plan?.effective === effective,
    ),
  );
}

async function writeChanges(tx: Db, given: readonly Changes[], now: Instant): Promise<void> {
  if (given.length === 0) return;
  const all = <T>(of: (changes: Changes) => readonly T[]): T[] => given.flatMap(of);
  const ids = await saveHolds(
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
    ends.filter(({ failure }) => (failure ?? null) === null),
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
  const activities = all((changes) => changes.activities).map(
    ({ isOfHold = false, ...activity }): Activity => {
      const holdId = isOfHold ? ids.get(activity.campaignId ?? '') : undefined;
      return holdId === undefined ? activity : { ...activity, holdId };
    },
  );
  await recordActivities(tx, [...activities, ...notifiedToOthers(activities, alsoEnded)], now);
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
