import { sql } from 'kysely';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import type { Level } from '#core/smartpause/level.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { LOCKED, createBatcher } from '../db/batcher.ts';
import type { Clock } from '../clock.ts';
import type { CampaignList } from '../db/campaigns.ts';
import { saveCampaigns, saveWrittenStatus } from '../db/campaigns.ts';
import { lockWishes, turnOnNewCampaigns } from '../db/new-campaigns.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { Deactivated, HoldUpdate, NewHold, StoredHold } from '../db/holds/holds.ts';
import { deactivateSmartPause, insertHolds, updateHolds } from '../db/holds/holds.ts';
import type { Activity } from '../db/activities.ts';
import { recordActivities } from '../db/activities.ts';
import type { WorkItemRelease } from '../db/work-items.ts';
import { findOwnLeases, releaseWorkItems, wake } from '../db/work-items.ts';
import { lockFreeUsers, lockFreeWorkItems } from '../db/free-rows.ts';
import { readStatus } from '../db/status/status.ts';
import { suspectTokens } from '../db/users/tokens.ts';
import type { Log } from '../observability/log.ts';
import { logActivities } from './log-activities.ts';
import type { Access } from './lost-access.ts';
import { loseAccess, regainAccess } from './lost-access.ts';

/** Stored before the platform is called. */
export interface Intent {
  accountId: string;
  userId: string;
  fencingToken: number;
  /** Of the work item when the plan's data was loaded. */
  generation: number;
  /** The level of the plan: a status becomes UNKNOWN by time alone, without a new generation. */
  effective: Level;
  updates: HoldUpdate[];
  inserts: NewHold[];
  deactivated: (Deactivated & { holdId: string })[];
  activities: Activity[];
}

export type IntentResult =
  { accepted: false } | { accepted: true; updated: Set<string>; inserted: StoredHold[] };

/** The result of the platform calls. */
export interface Outcome {
  updates: HoldUpdate[];
  written: { campaignId: string; status: LiveStatus }[];
  activities: Activity[];
  /** The user whose token the platform refused; a separate check decides whether the token is valid. */
  suspectedToken: string | null;
}

/** The end of a pass: the released work item, the list that was read, and the outcome of the last calls. */
export interface Finish {
  release: WorkItemRelease;
  outcome: Outcome | null;
  list: CampaignList | null;
}

/** Writes concurrent entries of many ad accounts together. */
export interface ReconcilerStore {
  intend(intent: Intent): Promise<IntentResult>;
  settle(outcome: Outcome): Promise<void>;
  /** Records whether the platform refuses this user the ad account. */
  noteAccess(access: Access, isLost: boolean): Promise<void>;
  finish(finish: Finish): Promise<void>;
}

const INTENTS_AT_ONCE = 50;
const OUTCOMES_AT_ONCE = 100;
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
    async (outcomes: Outcome[]) => {
      const written = await inBatch(db, (tx) => writeFree(tx, outcomes, now()));
      logActivities(deps.log, written);
      return outcomes.map((outcome) => (written.includes(outcome) ? undefined : LOCKED));
    },
    { maxSize: OUTCOMES_AT_ONCE },
  );
  const finished = createBatcher(
    async (finishes: Finish[]) => {
      const written = await inBatch(db, (tx) => writeFinishes(tx, finishes, now()));
      logActivities(
        deps.log,
        written.flatMap(({ outcome }) => outcome ?? []),
      );
      return finishes.map((finish) => (written.includes(finish) ? undefined : LOCKED));
    },
    {
      maxSize: OUTCOMES_AT_ONCE,
      sizeOf: ({ list }) => Math.max(1, (list?.campaigns.length ?? 0) / CAMPAIGNS_PER_ACCOUNT),
    },
  );
  return {
    intend: (intent) => intents(intent),
    settle: (outcome) => settled(outcome),
    noteAccess: (access, isLost) =>
      inTransaction(db, (tx) => (isLost ? loseAccess(tx, access, now()) : regainAccess(tx, access))),
    finish: (finish) => finished(finish),
  };
}

/** Users and work items that are locked are left out; a lock on another row delays a batch no longer than this. */
async function inBatch<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    return run(tx);
  });
}

/** @returns the outcomes that were written: those whose users no other transaction has locked */
async function writeFree(tx: Db, outcomes: Outcome[], now: Instant): Promise<Outcome[]> {
  const users = await lockFreeUsers(tx, outcomes.flatMap(usersOf));
  const free = outcomes.filter((outcome) => areFree(users, outcome));
  await noteSuspected(tx, free, now);
  await writeOutcomes(tx, free, now);
  return free;
}

/** @returns those that were written */
async function writeFinishes(tx: Db, finishes: Finish[], now: Instant): Promise<Finish[]> {
  const outcomesOf = (some: Finish[]): Outcome[] => some.flatMap(({ outcome }) => outcome ?? []);
  const listsOf = (some: Finish[]): CampaignList[] => some.flatMap(({ list }) => list ?? []);
  const users = await lockFreeUsers(tx, outcomesOf(finishes).flatMap(usersOf));
  const ofFreeUsers = finishes.filter(({ outcome }) => outcome === null || areFree(users, outcome));
  const wishes = await lockWishes(
    tx,
    listsOf(ofFreeUsers).map(({ accountId }) => accountId),
  );
  await noteSuspected(tx, outcomesOf(ofFreeUsers), now);
  // Lock order: the work item before the rows that belong to it.
  const workItems = await lockFreeWorkItems(
    tx,
    ofFreeUsers.map(({ release }) => release.accountId),
  );
  const free = ofFreeUsers.filter(({ release }) => workItems.has(release.accountId));
  await releaseWorkItems(
    tx,
    free.map(({ release }) => release),
    now,
  );
  const campaigns = await saveCampaigns(tx, listsOf(free));
  await turnOnNewCampaigns(tx, { wishes, campaigns }, now);
  await writeOutcomes(tx, outcomesOf(free), now);
  return free;
}

/** Their rows are locked by what an outcome writes. */
function usersOf({ updates, activities, suspectedToken }: Outcome): string[] {
  const userIds = [...updates.map(({ hold }) => hold.userId), ...activities.map(({ userId }) => userId)];
  return [...userIds, suspectedToken].filter((id) => id !== null);
}

function areFree(users: ReadonlyMap<string, boolean>, outcome: Outcome): boolean {
  return usersOf(outcome).every((id) => users.get(id) !== false);
}

async function writeIntents(
  tx: Db,
  intents: Intent[],
  { now, staleMs }: { now: Instant; staleMs: number },
): Promise<(IntentResult | typeof LOCKED)[]> {
  // Lock order: users before work items, as in settings changes.
  const users = await lockFreeUsers(
    tx,
    intents.map(({ userId }) => userId),
  );
  const workItems = await lockFreeWorkItems(
    tx,
    intents.map(({ accountId }) => accountId),
  );
  const isLocked = ({ userId, accountId }: Intent): boolean =>
    users.get(userId) === false || !workItems.has(accountId);
  const generations = await findOwnLeases(
    tx,
    intents.filter((intent) => !isLocked(intent)),
  );
  const { effective } = currentStatus(await readStatus(tx), now, staleMs);
  const accepted = intents.map(
    (intent) =>
      users.has(intent.userId) &&
      generations.get(intent.accountId) === intent.generation &&
      intent.effective === effective,
  );
  const kept = intents.filter((_intent, index) => accepted[index]);
  const updates = kept.flatMap((intent) => intent.updates);
  const inserts = kept.flatMap((intent) => intent.inserts);
  const updated = await updateHolds(tx, updates, now);
  const inserted = await insertHolds(tx, inserts, now);
  const alsoEnded = await deactivateSmartPause(
    tx,
    kept.flatMap((intent) => intent.deactivated).filter(({ holdId }) => updated.has(holdId)),
    now,
  );
  await wake(tx, [...new Set(alsoEnded.map(({ accountId }) => accountId))]);
  const activities = kept
    .flatMap((intent) => intent.activities)
    .filter((a) => a.holdId === undefined || updated.has(a.holdId));
  await recordActivities(tx, [...activities, ...notifiedToOthers(activities, alsoEnded)], now);
  return intents.map((intent, index) => {
    if (isLocked(intent)) return LOCKED;
    if (accepted[index] !== true) return { accepted: false };
    const isOwn = ({ userId, accountId, campaignId }: StoredHold): boolean =>
      accountId === intent.accountId &&
      intent.inserts.some((one) => one.userId === userId && one.campaignId === campaignId);
    return { accepted: true, updated, inserted: inserted.filter(isOwn) };
  });
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

/**
 * A hold that ended during its call (SmartPause turned off) stays ended. The write itself happened and is
 * reported.
 */
async function writeOutcomes(tx: Db, outcomes: Outcome[], now: Instant): Promise<void> {
  const updates = outcomes.flatMap((outcome) => outcome.updates);
  const written = outcomes.flatMap((outcome) => outcome.written);
  const activities = outcomes.flatMap((outcome) => outcome.activities);
  const requiresUpdatedHold = (a: Activity): boolean => a.event === 'released' && a.holdId !== undefined;
  const hasRelease = activities.some(requiresUpdatedHold);
  const updated = await updateHolds(tx, updates, now);
  await saveWrittenStatus(tx, written, now);
  await recordActivities(tx, hasRelease ? [] : activities, now);
  // A release is recorded only if the hold still belonged to the user.
  const isTrue = (a: Activity): boolean => !requiresUpdatedHold(a) || updated.has(String(a.holdId));
  if (hasRelease) await recordActivities(tx, activities.filter(isTrue), now);
}

async function noteSuspected(tx: Db, outcomes: readonly Outcome[], now: Instant): Promise<void> {
  await suspectTokens(
    tx,
    outcomes.flatMap(({ suspectedToken }) => suspectedToken ?? []),
    now,
  );
}
