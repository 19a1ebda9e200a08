import { isDeepStrictEqual } from 'node:util';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import type { ChunkLimits } from '../db/chunks.ts';
import { inChunks } from '../db/chunks.ts';
import type { Clock } from '../clock.ts';
import { saveCampaigns, saveWrittenStatus } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { Deactivated, HoldUpdate, NewHold, StoredHold } from '../db/holds/holds.ts';
import { deactivateSmartPause, findStillOn, insertHolds, updateHolds } from '../db/holds/holds.ts';
import type { Activity } from '../db/journal.ts';
import { recordActivities } from '../db/journal.ts';
import type { LaneRelease } from '../db/lanes.ts';
import { findHeldLeases, releaseLanes } from '../db/lanes.ts';
import type { Access } from '../db/holds/lost-access.ts';
import { loseAccess, regainAccess } from '../db/holds/lost-access.ts';
import type { Choices } from '../db/users/people.ts';
import { keepChoices, keepPeople } from '../db/users/people.ts';
import { readStatus } from '../db/status/status.ts';
import { suspectTokens } from '../db/users/tokens.ts';
import type { Log } from '../observability/log.ts';
import { sayWhatWasDone } from './say-what-was-done.ts';

/** What is written before the platform is called. */
export interface Intent {
  accountId: string;
  personId: string;
  leaseNo: number;
  /**
   * The status and the person's choices that the plan was made from; if they are others by now, or SmartPause was turned
   * off for a campaign that is to be written to, the plan is void.
   */
  plannedFrom: Pick<Status, 'effective' | 'known' | 'matchSince'> & { choices: Choices };
  updates: HoldUpdate[];
  inserts: NewHold[];
  deactivated: (Deactivated & { holdId: string })[];
  activities: Activity[];
}

export type IntentResult =
  { accepted: false } | { accepted: true; updated: Set<string>; inserted: StoredHold[] };

/** What came of the calls. */
export interface Outcome {
  updates: HoldUpdate[];
  written: { campaignId: string; status: LiveStatus }[];
  activities: Activity[];
  /** Whose token the platform has refused: what it is worth is asked, not concluded from that. */
  suspectedToken: string | null;
}

/** What a turn leaves behind: the lane given back, the list that was read, and what came of its last calls. */
export interface Finish {
  release: LaneRelease;
  outcome: Outcome | null;
  list: { accountId: string; campaigns: readonly PlatformCampaign[]; readAt: Instant } | null;
}

/** The engine's book. Entries of many ad accounts that come together are written together. */
export interface Ledger {
  intend(intent: Intent): Promise<IntentResult>;
  settle(outcome: Outcome): Promise<void>;
  /** The platform refuses this person the ad account; or lets them in again. */
  noteAccess(access: Access, isLost: boolean): Promise<void>;
  finish(finish: Finish): Promise<void>;
}

/** A turn that waits for its intent has a call to make, and what it has read grows old. */
const SOON: ChunkLimits = { max: 50, waitMs: { least: 5, most: 20 }, atOnce: 2 };
/** What came of the calls can wait a little longer. */
const TOGETHER: ChunkLimits = { max: 100, waitMs: { least: 5, most: 40 }, atOnce: 1 };
/** So many campaigns of lists that were read go into one statement, or one list. */
const CAMPAIGNS = 5000;

export function createLedger(
  db: Db,
  deps: { clock: Clock; staleMs: number; log: Pick<Log, 'info'> },
): Ledger {
  const now = (): Instant => deps.clock.now();
  const intend = inChunks(
    (intents: Intent[]) =>
      inTransaction(db, (tx) => writeIntents(tx, intents, { now: now(), staleMs: deps.staleMs })),
    SOON,
  );
  const settle = inChunks(async (outcomes: Outcome[]) => {
    await inTransaction(db, async (tx) => {
      await noteSuspected(tx, outcomes, now());
      await writeOutcomes(tx, outcomes, now());
    });
    sayWhatWasDone(deps.log, outcomes);
    return outcomes.map(() => true);
  }, TOGETHER);
  const finish = inChunks(
    async (finishes: Finish[]) => {
      const outcomes = finishes.flatMap(({ outcome }) => outcome ?? []);
      await inTransaction(db, async (tx) => {
        const personIds = outcomes.flatMap(({ updates }) => updates.map(({ hold }) => hold.personId));
        const releases = finishes.map(({ release }) => release);
        const lists = finishes.flatMap(({ list }) => list ?? []);
        await keepPeople(tx, personIds);
        await noteSuspected(tx, outcomes, now());
        // Whoever needs a lane and what belongs to it takes the lane first.
        await releaseLanes(tx, releases);
        await saveCampaigns(tx, lists);
        await writeOutcomes(tx, outcomes, now());
      });
      sayWhatWasDone(deps.log, outcomes);
      return finishes.map(() => true);
    },
    {
      ...TOGETHER,
      maxWeight: CAMPAIGNS,
      weightOf: ({ list }) => list?.campaigns.length ?? 0,
    },
  );
  return {
    intend,
    settle: (outcome) => settle(outcome).then(() => undefined),
    noteAccess: (access, isLost) =>
      inTransaction(db, (tx) => (isLost ? loseAccess(tx, access, now()) : regainAccess(tx, access))),
    finish: (done) => finish(done).then(() => undefined),
  };
}

async function writeIntents(
  tx: Db,
  intents: Intent[],
  { now, staleMs }: { now: Instant; staleMs: number },
): Promise<IntentResult[]> {
  // People before lanes, as whoever changes their settings does.
  const personIds = intents.map(({ personId }) => personId);
  const needOn = intents.flatMap((intent) => intent.updates.filter((update) => needsOn(update, intent)));
  const choices = await keepChoices(tx, personIds);
  const held = await findHeldLeases(tx, intents);
  const statusRow = await readStatus(tx);
  const stillOn = await findStillOn(tx, needOn);
  const status = currentStatus(statusRow, now, staleMs);
  const accepted = intents.map(
    ({ accountId, personId, plannedFrom, ...intent }) =>
      held.has(accountId) &&
      intent.updates.every((update) => !needsOn(update, intent) || stillOn.has(update.hold.id)) &&
      plannedFrom.effective === status.effective &&
      plannedFrom.known === status.known &&
      // A match may have come and gone meanwhile.
      isDeepStrictEqual(plannedFrom.matchSince, status.matchSince) &&
      isDeepStrictEqual(choices.get(personId), plannedFrom.choices),
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
  const activities = kept
    .flatMap((intent) => intent.activities)
    .filter((a) => a.holdId === undefined || updated.has(a.holdId));
  await recordActivities(tx, [...activities, ...toldToOthers(activities, alsoEnded)], now);
  return intents.map((intent, index) =>
    accepted[index] === true
      ? {
          accepted: true,
          updated,
          inserted: inserted.filter(
            (hold) =>
              hold.accountId === intent.accountId &&
              intent.inserts.some((i) => i.personId === hold.personId && i.campaignId === hold.campaignId),
          ),
        }
      : { accepted: false },
  );
}

/**
 * A write goes with it, or a new hold that takes its place, or it is held on, or SmartPause is turned off by it. Not a write that somebody
 * has asked for who had turned SmartPause off.
 */
function needsOn(
  { hold, expectedAttempt, end, wasTurnedOff }: HoldUpdate,
  { inserts, deactivated }: Pick<Intent, 'inserts' | 'deactivated'>,
): boolean {
  const isAskedFor = hold.givenUp !== null && hold.state === 'resuming';
  const isTakenPlace = end !== null && inserts.some(({ campaignId }) => campaignId === hold.campaignId);
  const isDeactivated = deactivated.some(({ holdId }) => holdId === hold.id);
  const isHeldOn = wasTurnedOff === true && !hold.turnedOff;
  return isTakenPlace || isDeactivated || isHeldOn || (hold.attempt > expectedAttempt && !isAskedFor);
}

/** The same outside change, told to everybody else who had SmartPause on for that campaign. */
function toldToOthers(
  activities: readonly Activity[],
  others: readonly { personId: string; campaignId: string }[],
): Activity[] {
  return others.flatMap(({ personId, campaignId }) => {
    const told = activities.find((a) => a.event === 'deactivated' && a.campaignId === campaignId);
    if (told === undefined) return [];
    const { type, event, message, reason, actor, accountId } = told;
    const about = { personId, actor, type, event, message, campaignId };
    return [
      { ...about, ...(reason !== undefined && { reason }), ...(accountId !== undefined && { accountId }) },
    ];
  });
}

/**
 * A hold that was ended while its call was on the way (SmartPause turned off) stays ended; that the campaign
 * was changed is true all the same, and is told.
 */
async function writeOutcomes(tx: Db, outcomes: Outcome[], now: Instant): Promise<void> {
  const updates = outcomes.flatMap((outcome) => outcome.updates);
  const written = outcomes.flatMap((outcome) => outcome.written);
  const activities = outcomes.flatMap((outcome) => outcome.activities);
  const isIfUpdated = (a: Activity): boolean => a.event === 'let_go' && a.holdId !== undefined;
  const isLater = activities.some(isIfUpdated);
  const updated = await updateHolds(tx, updates, now);
  await saveWrittenStatus(tx, written, now);
  await recordActivities(tx, isLater ? [] : activities, now);
  // Given up is only what is still the same person's to give up.
  const isTrue = (a: Activity): boolean => !isIfUpdated(a) || updated.has(String(a.holdId));
  if (isLater) await recordActivities(tx, activities.filter(isTrue), now);
}

async function noteSuspected(tx: Db, outcomes: readonly Outcome[], now: Instant): Promise<void> {
  await suspectTokens(
    tx,
    outcomes.flatMap(({ suspectedToken }) => suspectedToken ?? []),
    now,
  );
}
