import { sql } from 'kysely';
import { LATE_WRITE_MS } from '#core/reconciler/hold.ts';
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
import type { HoldRow } from '../db/holds/holds.ts';
import { deactivateSmartPause, saveHolds } from '../db/holds/holds.ts';
import type { ManualChange, ManualEnd } from '../db/holds/manual-changes.ts';
import { endManualChanges } from '../db/holds/manual-changes.ts';
import type { WriteRow } from '../db/holds/writes.ts';
import { saveWrites } from '../db/holds/writes.ts';
import { lockOnForNew } from '../db/new-campaigns.ts';
import { isDatabaseUnavailable } from '../db/pool.ts';
import { updatePriorities } from '../db/priorities.ts';
import type { StatusRow } from '../db/status/status.ts';
import { readStatus } from '../db/status/status.ts';
import { lockFreeUsers } from '../db/users/users.ts';
import type { Lease, WorkItemLock, WorkItemRelease } from '../db/work-items.ts';
import { lockFreeWorkItems, releaseWorkItems, saveIntents, wake } from '../db/work-items.ts';
import { turnOnNewCampaigns } from '../new-campaigns.ts';
import type { Log } from '../observability/log.ts';
import type { HoldActivity } from './hold-activities.ts';

/** What became of one campaign, as it is stored. Null values may be absent: an intent is stored without them. */
export interface CampaignUpdate {
  campaignId: string;
  hold?: HoldRow | null;
  write?: WriteRow | null;
  activities: HoldActivity[];
  /** When someone else's change was first seen: SmartPause is disabled for the campaign. */
  changedSince?: Instant | null;
  manualEnd?: (ManualChange & ManualEnd) | null;
}

/**
 * Part of a plan's validity: a status becomes UNKNOWN by time alone, and after a change of the status the account's
 * generation grows a little later. `since` tells a level from the same one after another.
 */
type PlannedStatus = Pick<StatusRow, 'effective' | 'since'>;

/** Stored before the platform is called, unless the generation or the status has changed since it was made. */
interface Plan {
  status: PlannedStatus;
  /** Changes without a write. */
  decided: readonly CampaignUpdate[];
  /** Changes whose writes are sent next. They become rows with their results. */
  intent: readonly CampaignUpdate[];
}

/** The end of a pass. */
export interface Finish {
  release: WorkItemRelease;
  /** Of the last call. */
  updates: readonly CampaignUpdate[] | null;
  /** Null: it was not read. */
  list: CampaignList | null;
}

/** Of one ad account. Entries of many are stored together. */
interface Entry extends Lease {
  /** What becomes rows; null: nothing. */
  updates: readonly CampaignUpdate[] | null;
  plan?: Plan & { generation: number };
  finish?: Finish;
}

/** Holds and writes begin, go on and end only here, under a lease. Users' requests only mark a resume, a retry or a test's end as due. */
export type ReconcilerStore = ReturnType<typeof createReconcilerStore>;

const STORED_RETRY_MS = 100;
const INTENTS_AT_ONCE = 50;
const RESULTS_AT_ONCE = 100;
/** This many listed campaigns count as one account: a statement stores 5,000 at most, or one larger list. */
const CAMPAIGNS_PER_ACCOUNT = 50;

export function createReconcilerStore(
  db: Db,
  { clock, staleMs, log }: { clock: Clock; staleMs: number; log: Pick<Log, 'info'> },
) {
  const store = async (entries: Entry[]): Promise<(boolean | typeof LOCKED)[]> => {
    const stored = await inTransaction(db, (tx) => storeEntries(tx, entries, { now: clock.now(), staleMs }));
    for (const [index, { accountId, updates }] of entries.entries())
      if (stored[index] === true) logActivities(log, accountId, updates ?? []);
    return stored;
  };
  // A plan does not wait for the lists of other accounts.
  const plans = createBatcher(store, { maxSize: INTENTS_AT_ONCE });
  const results = createBatcher(store, {
    maxSize: RESULTS_AT_ONCE,
    sizeOf: ({ finish }) => Math.max(1, (finish?.list?.campaigns.length ?? 0) / CAMPAIGNS_PER_ACCOUNT),
  });
  return {
    /** False: the plan is outdated, and nothing was stored. */
    intend: ({ generation, ...lease }: Lease & { generation: number }, plan: Plan): Promise<boolean> =>
      plans({ ...lease, updates: plan.decided, plan: { ...plan, generation } }),
    /** Stores results of a call once, unless another process has claimed the ad account since. */
    settle: (lease: Lease, updates: readonly CampaignUpdate[]): Promise<void> =>
      onceAvailable(() => results({ ...lease, updates })),
    finish: (finish: Finish): Promise<void> =>
      onceAvailable(() => results({ ...finish.release, updates: finish.updates, finish })),
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

/** One line per ad account, for operators who investigate an incident. Advertisers read the activity log. */
function logActivities(log: Pick<Log, 'info'>, account: string, updates: readonly CampaignUpdate[]): void {
  const activities = updates.flatMap((update) => update.activities);
  const counts = [...Map.groupBy(activities, ({ event }) => event)].map(([event, all]) => [
    event,
    all.length,
  ]);
  const user = activities[0]?.userId;
  if (user !== undefined)
    log.info({ account, user, ...(Object.fromEntries(counts) as object) }, 'activities written');
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
  const onForNew = await lockOnForNew(tx, accountIds);
  const locks = await lockFree(tx, entries);
  const free = [...locks.keys()];
  const status = entries.some(({ plan }) => plan !== undefined)
    ? currentStatus(await readStatus(tx), now, staleMs)
    : null;
  const stored = free.filter((entry) => isToStore(entry, locks.get(entry), status));
  // The release of a finished pass also ends its intent.
  const changed = stored.filter(({ plan, finish }) => plan?.intent.length !== 0 && finish === undefined);
  await saveIntents(tx, new Map(changed.map(({ accountId, plan }) => [accountId, plan?.intent ?? null])));
  const campaigns = await saveCampaigns(tx, listsOf(free));
  await turnOnNewCampaigns(tx, { onForNew, campaigns }, now);
  await saveUpdates(tx, stored, now);
  const releases = free.flatMap(({ finish }) => finish?.release ?? []);
  await releaseWorkItems(tx, releases, now, { areSettled: true });
  return entries.map((entry) => {
    if (!locks.has(entry)) return LOCKED;
    return entry.plan === undefined || stored.includes(entry);
  });
}

/** Locks the users and work items of entries that no other transaction has locked. Lock order: users before work items. */
async function lockFree(tx: Db, entries: readonly Entry[]): Promise<Map<Entry, WorkItemLock | undefined>> {
  const users = await lockFreeUsers(tx, entries.flatMap(usersOf));
  const ofFreeUsers = entries.filter((entry) => usersOf(entry).every((id) => users.get(id) !== false));
  const workItems = await lockFreeWorkItems(
    tx,
    ofFreeUsers.map(({ accountId }) => accountId),
  );
  return new Map(
    ofFreeUsers.flatMap((entry) => {
      const lock = workItems.get(entry.accountId);
      return lock === undefined ? [] : [[entry, lock] as const];
    }),
  );
}

/** Their rows are locked by what is stored. */
function usersOf({ updates }: Entry): string[] {
  return (updates ?? []).flatMap(({ hold, write, activities }) => [
    ...(hold ? [hold.userId] : []),
    ...(write ? [write.requestedBy] : []),
    ...activities.flatMap(({ userId }) => userId ?? []),
  ]);
}

/** A plan that was made from what is stored now, and results whose intent is not stored as rows yet. */
function isToStore(
  { fencingToken, plan }: Entry,
  lock: WorkItemLock | undefined,
  status: PlannedStatus | null,
): boolean {
  if (lock?.fencingToken !== fencingToken || !lock.isLeased) return false;
  if (plan === undefined) return lock.hasIntent;
  return lock.generation === plan.generation && isSame(plan.status, status);
}

function isSame(planned: PlannedStatus, status: PlannedStatus | null): boolean {
  return planned.effective === status?.effective && planned.since === status.since;
}

async function saveUpdates(tx: Db, entries: readonly Entry[], now: Instant): Promise<void> {
  const all = entries.flatMap(({ updates }) => updates ?? []);
  if (all.length === 0) return;
  const holds = all.flatMap(({ hold }) => hold ?? []);
  const writes = all.flatMap(({ write }) => write ?? []);
  const ids = await saveHolds(tx, holds, now);
  await saveWrites(tx, writes);
  const external = all.flatMap(({ hold, changedSince }) =>
    hold && typeof changedSince === 'number' ? [{ ...hold, seenAt: changedSince }] : [],
  );
  const alsoEnded = await deactivateSmartPause(tx, external, now);
  await updatePriorities(tx, [...new Set(external.map(({ accountId }) => accountId))]);
  await wake(tx, [...new Set(alsoEnded.map(({ accountId }) => accountId))]);
  const ends = all.flatMap(({ manualEnd }) => manualEnd ?? []);
  await endManualChanges(tx, ends, now);
  await noteManualPauses(
    tx,
    ends.filter(({ failure }) => (failure ?? null) === null),
    now,
  );
  await saveWrittenStatus(tx, writes);
  const activities = all
    .flatMap((update) => update.activities)
    .map(({ isOfHold = false, campaign, ...activity }): Activity => {
      const holdId = isOfHold ? ids.get(campaign?.id ?? '') : undefined;
      return { ...activity, ...(campaign && { campaign: { ...campaign, ...(holdId && { holdId }) } }) };
    });
  await recordActivities(tx, [...activities, ...notifiedToOthers(activities, alsoEnded)], now);
}

/** Copies the activity of an external change to the other users with SmartPause on for that campaign. */
function notifiedToOthers(
  activities: readonly Activity[],
  others: readonly { userId: string; campaignId: string }[],
): Activity[] {
  return others.flatMap(({ userId, campaignId }) => {
    const activity = activities.find((a) => a.event === 'deactivated' && a.campaign?.id === campaignId);
    const campaign = activity?.campaign;
    if (activity === undefined || campaign === undefined) return [];
    return [{ ...activity, userId, campaign: { id: campaign.id, name: campaign.name } }];
  });
}
