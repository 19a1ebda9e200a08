import type { Hold, HoldStep, LiveStatus, Unsettled } from '#core/smartpause/hold.ts';
import { letGoText } from '#core/smartpause/activity-text.ts';
import {
  afterStep,
  afterWriteDone,
  inDoubtOf,
  isWatched,
  lateAgainst,
  mayArriveUntil,
} from '#core/smartpause/hold.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Change, World } from '#core/smartpause/plan.ts';
import { BATCH_MAX } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { describeFailure } from '../platforms/meta/errors.ts';
import type { AdPlatform, WriteResult } from '../platforms/meta/ads.ts';
import type { Clock } from '../clock.ts';
import type { HoldEnd, HoldUpdate, StoredHold } from '../db/holds/holds.ts';
import { aboutHold, pausedAct, resumedAct, takenBackAct } from '../db/holds/hold-acts.ts';
import type { Activity } from '../db/journal.ts';
import { choicesOf } from '../db/users/people.ts';
import type { LaneClaim } from '../db/lanes.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import type { Intent, Ledger, Outcome } from './ledger.ts';

export interface CarryOutDeps {
  platform: AdPlatform;
  ledger: Ledger;
  clock: Clock;
  roll: () => number;
  /** The platform says that a campaign is paused, so long after the status has changed. */
  onPaused?: (afterMs: number) => void;
}

/** Where the changes come from and whom they concern. */
export interface Errand {
  claim: LaneClaim;
  stored: StoredWorld;
  world: World;
  token: string | null;
  names: ReadonlyMap<string, string>;
}

export interface CarriedOut {
  /** The plan had become void before it could be written: look again at once. */
  void: boolean;
  lookAt: Instant | null;
  blockedUntil: Instant | null;
  usage: Usage | null;
  lastError: string | null;
  /** Something was written: for others in the same account it may matter. */
  hasActed: boolean;
  /** The platform has carried out at least one write. */
  hasWritten: boolean;
  /** What came of the call, to be written down; null: nothing was called. */
  outcome: Outcome | null;
}

/** One write to the platform: the hold as it stands with the intent written. */
interface Write {
  hold: StoredHold;
  /** Whether an earlier write was in doubt already: a clear refusal of this one does not settle that one. */
  doubtBefore: boolean;
}

/** Carries out up to one batch of changes: intent row, then platform call. Anything more waits. */
export async function carryOut(
  deps: CarryOutDeps,
  errand: Errand,
  changes: readonly Change[],
): Promise<CarriedOut> {
  const now = deps.clock.now();
  const { intent, resumed } = toIntent(errand, changes, { now, aheadMs: deps.platform.aheadMs() });
  const idle: CarriedOut = {
    void: false,
    lookAt: null,
    blockedUntil: null,
    usage: null,
    lastError: null,
    hasActed: false,
    hasWritten: false,
    outcome: null,
  };
  if (isEmpty(intent)) return idle;
  const written = await deps.ledger.intend(intent);
  if (!written.accepted) return { ...idle, void: true };
  const writes: Write[] = [
    ...resumed.filter(({ hold }) => written.updated.has(hold.id)),
    ...written.inserted.map((hold) => ({ hold, doubtBefore: false })),
  ];
  // Somebody else has changed one of the holds since it was read: what is to be done with it now is another plan.
  const again = intent.updates.every(({ hold }) => written.updated.has(hold.id)) ? null : deps.clock.now();
  if (writes.length === 0 || errand.token === null) return { ...idle, hasActed: true, lookAt: again };
  const answer = await deps.platform.setStatuses(
    errand.token,
    errand.claim.accountId,
    writes.map(({ hold }) => ({ campaignId: hold.campaignId, status: wantedStatus(hold) })),
  );
  if (hasLostAccess([...answer.results.values()])) {
    const { accountId } = errand.claim;
    await deps.ledger.noteAccess({ personId: errand.stored.person.id, accountId }, true);
  }
  const came = toOutcome(deps, errand, { writes, answer });
  const hasWritten = [...answer.results.values()].some(({ ok }) => ok);
  return { ...came, lookAt: earliest([came.lookAt, again]), void: false, hasActed: true, hasWritten };
}

/**
 * The changes that go into one batch: as many writes as fit, and every quiet step. All steps of one campaign
 * stay together, since each builds on the one before.
 */
export function firstBatch(changes: readonly Change[], allowed: number): { now: Change[]; later: Change[] } {
  const writes = [
    ...new Set(changes.filter(({ step }) => isWrite(step)).map(({ campaignId }) => campaignId)),
  ];
  const late = new Set(writes.slice(Math.min(BATCH_MAX, allowed)));
  return {
    now: changes.filter(({ campaignId }) => !late.has(campaignId)),
    later: changes.filter(({ campaignId }) => late.has(campaignId)),
  };
}

function isWrite(step: HoldStep): boolean {
  return step.kind === 'pause' || step.kind === 'resume';
}

function isEmpty(intent: Intent): boolean {
  return intent.updates.length === 0 && intent.inserts.length === 0;
}

function toIntent(
  errand: Errand,
  changes: readonly Change[],
  { now, aheadMs }: { now: Instant; aheadMs: number },
): { intent: Intent; resumed: Write[] } {
  const { accountId, leaseNo } = errand.claim;
  const { status } = errand.world;
  const personId = errand.stored.person.id;
  const intent: Intent = {
    accountId,
    personId,
    leaseNo,
    plannedFrom: {
      effective: status.effective,
      known: status.known,
      matchSince: status.matchSince,
      choices: choicesOf(errand.stored.person),
    },
    updates: [],
    inserts: changes
      .filter((change) => change.hold === null)
      .map(({ campaignId }) => ({
        personId,
        accountId,
        campaignId,
        pausedFor: status.known,
        readAt: errand.world.readAt,
        platformReadAt: errand.world.readAt + aheadMs,
      })),
    deactivated: changes
      .filter(({ step }) => step.kind === 'deactivate')
      .flatMap(({ campaignId, hold }) => {
        const seenAt = hold?.suspicion?.since ?? now;
        return hold === null ? [] : [{ personId, campaignId, holdId: hold.id, seenAt }];
      }),
    activities: [],
  };
  const resumed: Write[] = [];
  for (const hold of errand.stored.holds) {
    const steps = changes.filter((change) => change.hold?.id === hold.id).map(({ step }) => step);
    if (steps.length === 0) continue;
    const { update, write } = foldSteps(hold, steps, { now, known: status.known });
    intent.updates.push(update);
    if (write !== null) resumed.push(write);
    intent.activities.push(...steps.flatMap((step) => activityOf(errand, hold, step)));
  }
  return { intent, resumed };
}

function foldSteps(
  hold: StoredHold,
  steps: readonly HoldStep[],
  { now, known }: { now: Instant; known: KnownLevel },
): { update: HoldUpdate; write: Write | null } {
  let current: StoredHold = hold;
  let end: HoldEnd | null = null;
  let unsettled: Unsettled | null = null;
  let write: Write | null = null;
  for (const step of steps) {
    const next: Hold | null = afterStep(current, step, now);
    unsettled = unsettledBy(step, hold) ?? unsettled;
    if (next === null) {
      end = endOf(step, hold);
    } else if (isWrite(step)) {
      const pausedFor = step.kind === 'pause' ? known : current.pausedFor;
      const sent = { ...current, ...next, attempt: current.attempt + 1, pausedFor };
      write = { hold: sent, doubtBefore: current.inDoubt };
      current = sent;
    } else {
      const confirmed = step.kind === 'confirm_paused';
      current = { ...current, ...next, pausedAt: confirmed ? (current.pausedAt ?? now) : current.pausedAt };
    }
  }
  const wasTurnedOff = hold.turnedOff;
  return { update: { hold: current, expectedAttempt: hold.attempt, end, unsettled, wasTurnedOff }, write };
}

function endOf(step: HoldStep, hold: StoredHold): HoldEnd {
  if (hold.givenUp !== null) return { outcome: 'let_go', reason: hold.givenUp };
  if ((step.kind === 'let_go' && !isLeftAfterResume(step, hold)) || step.kind === 'deactivate')
    return { outcome: 'let_go', reason: step.reason };
  return { outcome: 'resumed' };
}

/**
 * Resumed by us, told as that, and paused, archived or deleted by a hand since: its end is the resume. Not when SmartPause
 * is off and a late pause of ours has come: that one is told.
 */
function isLeftAfterResume(step: HoldStep, hold: StoredHold): boolean {
  return isWatched(hold) && 'reason' in step && step.reason !== 'smartpause_off';
}

function wantedStatus(hold: StoredHold): 'ACTIVE' | 'PAUSED' {
  return hold.state === 'resuming' ? 'ACTIVE' : 'PAUSED';
}

/** Which write nobody will ever know of; null: none. One that was resumed was told as such. */
function unsettledBy(step: HoldStep, hold: StoredHold): Unsettled | null {
  if (step.kind !== 'let_go' && step.kind !== 'give_up') return null;
  return hold.resumedAt === null ? step.unsettled : null;
}

/** What a finished step leaves in the journal; steps that only note something leave nothing. */
function activityOf(errand: Errand, hold: StoredHold, step: HoldStep): Activity[] {
  const { status } = errand.world;
  const { person } = errand.stored;
  const name = errand.names.get(hold.campaignId) ?? hold.campaignId;
  const seen = { name, known: status.known, person };
  switch (step.kind) {
    case 'confirm_paused':
      return [hold.givenUp === null ? pausedAct(hold, seen) : takenBackAct(hold, seen)];
    case 'confirm_resumed':
      return [hold.givenUp === null ? resumedAct(hold, seen) : takenBackAct(hold, seen)];
    case 'give_up':
    case 'let_go':
    case 'deactivate':
      // That it was given up was told when it was.
      if (hold.givenUp !== null || isLeftAfterResume(step, hold)) return [];
      return [
        {
          ...aboutHold(hold, person.id),
          type: 'other',
          event: step.kind === 'deactivate' ? 'deactivated' : 'let_go',
          message: letGoText(name, step.reason, unsettledBy(step, hold)),
          reason: step.reason,
        },
      ];
    case 'pause':
    case 'resume':
    case 'stay_paused':
    case 'hold_on':
    case 'suspect':
    case 'trust':
      return [];
  }
}

interface Sent {
  writes: Write[];
  answer: { results: Map<string, WriteResult>; usage: Usage | null };
}

function toOutcome(
  deps: CarryOutDeps,
  errand: Errand,
  sent: Sent,
): Omit<CarriedOut, 'void' | 'hasActed' | 'hasWritten'> & { outcome: Outcome } {
  const now = deps.clock.now();
  const usage = sent.answer.usage ?? errand.claim.usage;
  const outcome: Outcome = { updates: [], written: [], activities: [], suspectedToken: null };
  const lookAt: (Instant | null)[] = [];
  let blockedUntil: Instant | null = null;
  let lastError: string | null = null;
  for (const write of sent.writes) {
    const result = sent.answer.results.get(write.hold.campaignId);
    if (result === undefined) throw new Error('the platform client gave no result for a write');
    if (result.ok) {
      if (write.hold.state === 'pausing') tellPaused(deps, errand, now);
      lookAt.push(recordDone(errand, outcome, write.hold, now));
      continue;
    }
    const { failure } = result;
    const failures = write.hold.failures + (failure.askAgainMs === undefined ? 1 : 0);
    const after = afterFailure(failure, { failures, usage, roll: deps.roll(), now });
    lookAt.push(after.retryAt);
    if (after.blockedUntil !== null) blockedUntil = Math.max(blockedUntil ?? 0, after.blockedUntil);
    lastError = describeFailure(failure);
    if (after.tokenSuspected) outcome.suspectedToken = write.hold.personId;
    if (errand.stored.person.leaving !== null && isOutOfReach(failure)) {
      recordLost(errand, outcome, write);
      continue;
    }
    const inDoubt = write.doubtBefore || failure.maybeDone;
    const hold = { ...write.hold, failures, inDoubt, retryAt: after.retryAt, lastError };
    outcome.updates.push({ hold, expectedAttempt: write.hold.attempt, end: null });
  }
  return { outcome, lookAt: earliest(lookAt), blockedUntil, usage: sent.answer.usage, lastError };
}

/** Where somebody has chosen anything since, it says nothing of how fast we are. */
function tellPaused({ onPaused }: CarryOutDeps, { stored, world }: Errand, now: Instant): void {
  const { threshold, thresholdEdit } = world.owner;
  const matchSince = world.status.matchSince[threshold];
  if (matchSince === null || thresholdEdit?.matchSince === matchSince) return;
  if ((stored.turnedOnAt ?? 0) <= matchSince) onPaused?.(now - matchSince);
}

function hasLostAccess(results: readonly WriteResult[]): boolean {
  return results.some((result) => !result.ok && result.failure.kind === 'permission');
}

/** Whoever is leaving cannot wait for access that may never come back. */
export function isOutOfReach(failure: PlatformFailure): boolean {
  return failure.kind === 'permission' || failure.kind === 'gone' || failure.kind === 'rejected';
}

function recordLost(errand: Errand, outcome: Outcome, { hold, doubtBefore }: Write): void {
  const unsettled = inDoubtOf({ ...hold, inDoubt: doubtBefore });
  const step = { kind: 'let_go', reason: 'access_lost', unsettled } as const;
  outcome.updates.push({ hold, expectedAttempt: hold.attempt, end: endOf(step, hold), unsettled });
  outcome.activities.push(...activityOf(errand, hold, step));
}

/** When to look again because of it; null: not because of it. */
function recordDone(errand: Errand, outcome: Outcome, hold: StoredHold, now: Instant): Instant | null {
  const step: HoldStep = { kind: hold.state === 'resuming' ? 'confirm_resumed' : 'confirm_paused' };
  const next = afterWriteDone(hold, now);
  const settled: StoredHold = {
    ...hold,
    ...next,
    inDoubt: next?.inDoubt ?? false,
    failures: 0,
    lastError: null,
    pausedAt: hold.pausedAt ?? now,
  };
  outcome.updates.push({
    hold: settled,
    expectedAttempt: hold.attempt,
    end: next === null ? endOf(step, hold) : null,
  });
  const status: LiveStatus = wantedStatus(hold);
  outcome.written.push({ campaignId: hold.campaignId, status });
  outcome.activities.push(...activityOf(errand, hold, step));
  if (next === null) return null;
  if (next.givenUp !== null) return lateAgainst(next);
  return next.state === 'paused' ? next.lateResumeUntil : mayArriveUntil(next, now);
}
