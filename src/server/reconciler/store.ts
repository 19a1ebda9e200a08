import type { LiveStatus } from '#core/smartpause/hold.ts';
import type { Level } from '#core/smartpause/level.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { createBatcher } from '../db/batcher.ts';
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
import { lockUsers } from '../db/users/users.ts';
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
    (items: Intent[]) =>
      inTransaction(db, (tx) => writeIntents(tx, items, { now: now(), staleMs: deps.staleMs })),
    { maxSize: INTENTS_AT_ONCE },
  );
  const settled = createBatcher(
    async (outcomes: Outcome[]) => {
      await inTransaction(db, async (tx) => {
        await noteSuspected(tx, outcomes, now());
        await writeOutcomes(tx, outcomes, now());
      });
      logActivities(deps.log, outcomes);
      return outcomes.map(() => undefined);
    },
    { maxSize: OUTCOMES_AT_ONCE },
  );
  const finished = createBatcher(
    async (finishes: Finish[]) => {
      const outcomes = finishes.flatMap(({ outcome }) => outcome ?? []);
      await inTransaction(db, async (tx) => {
        const userIds = outcomes.flatMap(({ updates }) => updates.map(({ hold }) => hold.userId));
        const releases = finishes.map(({ release }) => release);
        const lists = finishes.flatMap(({ list }) => list ?? []);
        await lockUsers(tx, userIds);
        const wishes = await lockWishes(
          tx,
          lists.map(({ accountId }) => accountId),
        );
        await noteSuspected(tx, outcomes, now());
        // Lock order: the work item before the rows that belong to it.
        await releaseWorkItems(tx, releases, now());
        const campaigns = await saveCampaigns(tx, lists);
        await turnOnNewCampaigns(tx, { wishes, campaigns }, now());
        await writeOutcomes(tx, outcomes, now());
      });
      logActivities(deps.log, outcomes);
      return finishes.map(() => undefined);
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

async function writeIntents(
  tx: Db,
  intents: Intent[],
  { now, staleMs }: { now: Instant; staleMs: number },
): Promise<IntentResult[]> {
  // Lock order: users before work items, as in settings changes.
  const users = await lockUsers(
    tx,
    intents.map(({ userId }) => userId),
  );
  const generations = await findOwnLeases(tx, intents);
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
  return intents.map((intent, index) =>
    accepted[index] === true
      ? {
          accepted: true,
          updated,
          inserted: inserted.filter(
            (hold) =>
              hold.accountId === intent.accountId &&
              intent.inserts.some((i) => i.userId === hold.userId && i.campaignId === hold.campaignId),
          ),
        }
      : { accepted: false },
  );
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
