import type { ApiErrorCode } from '#contract/errors.ts';
import type { Usage } from '#core/platform-usage.ts';
import {
  manualFailedText,
  manualText,
  releaseText,
  testReleaseText,
} from '#core/smartpause/activity-text.ts';
import type { LiveStatus, ReleaseReason } from '#core/smartpause/hold.ts';
import { SEND_WITHIN_MS, afterManualChange, isTest, unconfirmedWriteOf } from '#core/smartpause/hold.ts';
import type { ManualStep } from '#core/smartpause/manual-change.ts';
import { RESULT_TIMEOUT_MS, decideManual } from '#core/smartpause/manual-change.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import type { Activity } from '../db/activities.ts';
import { recordActivities } from '../db/activities.ts';
import { noteManualPause, saveWrittenStatus } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { HoldUpdate, StoredHold } from '../db/holds/holds.ts';
import { updateHolds } from '../db/holds/holds.ts';
import type { StoredManualChange } from '../db/holds/manual-changes.ts';
import { endManualChange, markManualChangeSent } from '../db/holds/manual-changes.ts';
import { suspectTokens, tokenContext } from '../db/users/tokens.ts';
import { lockUsers } from '../db/users/users.ts';
import { findOwnLeases } from '../db/work-items.ts';
import { runInContext } from '../observability/request-context.ts';
import type { AfterFailure } from '../platforms/meta/after-failure.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { mayBeTheToken } from '../platforms/meta/errors.ts';
import type { Pass, ReconcileDeps } from './pass.ts';

export interface ManualResult {
  /** Holds or campaigns may have changed: what was loaded for this pass is outdated. */
  isOutdated: boolean;
  /** A call had no response. */
  isUnanswered: boolean;
  lookAt: Instant | null;
  blockedUntil: Instant | null;
  usage: Usage | null;
}

/** Carries out the pending pauses and resumes that users requested with the buttons, oldest first. */
export async function applyManualChanges(deps: ReconcileDeps, pass: Pass): Promise<ManualResult> {
  const result: ManualResult = {
    isOutdated: false,
    isUnanswered: false,
    lookAt: null,
    blockedUntil: null,
    usage: null,
  };
  for (const change of pass.manualChanges) {
    if (change.isOver) continue;
    // While Meta does not answer, the rest waits for the next pass.
    if (result.blockedUntil !== null || result.isUnanswered) break;
    await runInContext({ request: `manual change ${change.id}`, user: change.userId }, () =>
      applyOne(deps, pass, change, result),
    );
  }
  return result;
}

async function applyOne(
  deps: ReconcileDeps,
  pass: Pass,
  change: StoredManualChange,
  result: ManualResult,
): Promise<void> {
  const token = change.token === null ? null : deps.cipher.decrypt(change.token, tokenContext(change.userId));
  const refuse = async (refusal: ApiErrorCode): Promise<void> => {
    result.isOutdated = true;
    await inTransaction(deps.db, (tx) => endRefused(tx, change, refusal, deps.clock.now()));
  };
  if (token === null) return refuse('TOKEN_EXPIRED');
  // SmartPause may have been turned on since the request.
  if (change.status === 'ACTIVE' && change.isSmartPauseOn && change.sentAt === null)
    return refuse('SMARTPAUSE_ACTIVE');
  const step = await nextStep(deps, pass, { change, token, result });
  switch (step.kind) {
    case 'read':
      return;
    case 'wait':
      result.lookAt = earliest([result.lookAt, step.until]);
      return;
    case 'refuse':
      return refuse(step.because === 'busy' ? 'CAMPAIGN_BUSY' : 'CAMPAIGN_ACTION_FAILED');
    case 'done':
      return settle(deps, pass, { change, result });
    case 'send':
      return send(deps, pass, { change, token, result });
  }
}

/** A lost response is verified after this time. */
const RETRY_MS = 1000;

interface Sending {
  change: StoredManualChange;
  token: string;
  result: ManualResult;
}

async function nextStep(
  deps: ReconcileDeps,
  pass: Pass,
  { change, token, result }: Sending,
): Promise<ManualStep> {
  const { accountId, campaignId } = change;
  const around = {
    hold: holdsOn(pass, campaignId)[0] ?? null,
    earlier: pass.manualChanges.filter((one) => one.campaignId === campaignId && one.id !== change.id),
  };
  const step = decideManual(change, around, undefined, deps.clock.now());
  if (step.kind !== 'read') return step;
  const read = await deps.platform.readStatuses(token, accountId, [campaignId]);
  if (!read.ok) {
    const after = afterFirstFailure(deps, read.failure, read.usage);
    result.blockedUntil = after.blockedUntil;
    result.lookAt = earliest([result.lookAt, after.retryAt]);
    result.isUnanswered = true;
    if (mayBeTheToken(read.failure, 'campaign'))
      await suspectTokens(deps.db, [change.userId], deps.clock.now());
  }
  const live: LiveStatus | undefined = read.ok ? read.value.get(campaignId) : undefined;
  return decideManual(change, around, live, deps.clock.now());
}

function holdsOn({ worlds }: Pass, campaignId: string): StoredHold[] {
  return worlds.flatMap(({ holds }) => holds.filter((hold) => hold.campaignId === campaignId));
}

async function send(deps: ReconcileDeps, pass: Pass, { change, token, result }: Sending): Promise<void> {
  const { id, userId, accountId, campaignId, status } = change;
  const sentAt = deps.clock.now();
  const isOwn = await inTransaction(
    deps.db,
    async (tx) =>
      (await findOwnLeases(tx, [pass.claim])).has(accountId) && (await markManualChangeSent(tx, id, sentAt)),
  );
  if (!isOwn) {
    result.isOutdated = true;
    return;
  }
  const { results, usage, ...call } = await deps.platform.setStatuses(
    token,
    accountId,
    [{ campaignId, status }],
    sentAt + SEND_WITHIN_MS,
  );
  result.usage = usage ?? result.usage;
  const answer = results.get(campaignId);
  if (answer === undefined) throw new Error('the platform client gave no result for a write');
  if (answer.ok) return settle(deps, pass, { change, result });
  const { failure, refusal: metaSaid = null } = answer;
  result.blockedUntil = afterFirstFailure(deps, failure, usage ?? pass.claim.usage).blockedUntil;
  // A copy may still arrive, or this one was not sent: the change stays pending.
  if (failure.maybeDone || change.sentAt !== null || failure.isOwnLimit === true) {
    await markManualChangeSent(deps.db, id, failure.maybeDone ? call.sentAt : change.sentAt, metaSaid);
    result.isUnanswered = true;
    result.lookAt = earliest([result.lookAt, deps.clock.now() + RETRY_MS]);
    return;
  }
  result.isOutdated = true;
  const refusal = failure.kind === 'token_invalid' ? 'TOKEN_EXPIRED' : 'CAMPAIGN_ACTION_FAILED';
  await inTransaction(deps.db, async (tx) => {
    if (mayBeTheToken(failure, 'campaign')) await suspectTokens(tx, [userId], deps.clock.now());
    await endRefused(tx, { ...change, metaSaid }, refusal, deps.clock.now());
  });
}

/** The activity tells a user whose request was answered before the result was known. */
async function endRefused(
  tx: Db,
  change: StoredManualChange,
  refusal: ApiErrorCode,
  now: Instant,
): Promise<void> {
  const { id, userId, accountId, campaignId, campaignName, status, metaSaid, sentAt } = change;
  const hasEnded = await endManualChange(tx, id, { refusal, metaSaid, sentAt }, now);
  if (!hasEnded || now < change.requestedAt + RESULT_TIMEOUT_MS) return;
  const message = manualFailedText(campaignName, status === 'PAUSED' ? 'pause' : 'resume', metaSaid);
  const about = { userId, accountId, campaignId, actor: 'smartpause', type: 'other' } as const;
  await recordActivities(tx, [{ ...about, event: 'manual_failed', message, reason: refusal }], now);
}

/** A user waits for the result: a retry follows as soon as after a first failure. */
function afterFirstFailure(deps: ReconcileDeps, failure: PlatformFailure, usage: Usage | null): AfterFailure {
  return afterFailure(failure, { failures: 1, usage, now: deps.clock.now() });
}

/** A manual pause ends the hold of any user; SmartPause does not undo manual changes. */
async function settle(
  deps: ReconcileDeps,
  pass: Pass,
  { change, result }: Pick<Sending, 'change' | 'result'>,
): Promise<void> {
  result.isOutdated = true;
  const { userId, accountId, campaignId, status, campaignName } = change;
  const now = deps.clock.now();
  const type = status === 'PAUSED' ? 'pause' : 'resume';
  const about = { userId, accountId, campaignId, actor: 'user' } as const;
  const releases = holdsOn(pass, campaignId)
    .filter((hold) => isOverridden(change, hold))
    .map((hold) => {
      const reason = reasonOf(change, hold);
      return { hold, reason, unconfirmed: unconfirmedWriteOf(hold), ...overridden(hold, reason, now) };
    });
  const unconfirmed = releases.find(({ hold }) => hold.userId === userId)?.unconfirmed ?? null;
  const message = manualText(change.userName, campaignName, `${type}d`, unconfirmed);
  const activities: Activity[] = [{ ...about, type, event: `manual_${type}`, message, reason: 'manual' }];
  for (const { hold, reason, unconfirmed: ofOther } of releases) {
    if (hold.userId === userId || hold.state === 'resumed') continue;
    const [event, textOf] = isTest(hold)
      ? (['test_released', testReleaseText] as const)
      : (['released', releaseText] as const);
    const released = { ...about, userId: hold.userId, holdId: hold.id, type: 'other', event } as const;
    activities.push({ ...released, message: textOf(campaignName, reason, ofOther), reason });
  }
  await inTransaction(deps.db, async (tx) => {
    // Lock order: users first, then holds, then campaigns.
    await lockUsers(tx, [userId, ...releases.map(({ hold }) => hold.userId)]);
    // Another process has settled it.
    if (!(await endManualChange(tx, change.id, { refusal: null, sentAt: change.sentAt }, now))) return;
    await updateHolds(
      tx,
      releases.map(({ update }) => update),
      now,
    );
    await saveWrittenStatus(tx, [{ campaignId, status }], now);
    await noteManualPause(tx, campaignId, status, now);
    await recordActivities(tx, activities, now);
  });
}

/** Not a hold that has been released and only waits until no copy of its write can arrive. */
function isOverridden({ status, userId }: StoredManualChange, hold: StoredHold): boolean {
  if (hold.state === 'paused' && hold.release !== null) return false;
  // A resumed campaign that a user resumes again: the change between them is not ours to restore.
  return status === 'PAUSED' || hold.userId === userId || hold.state === 'resumed';
}

function overridden(hold: StoredHold, reason: ReleaseReason, now: Instant): { update: HoldUpdate } {
  const { hold: next, end } = afterManualChange(hold, reason, now);
  const { attempt } = hold;
  return { update: { hold: { ...hold, ...next, attempt: attempt + 1 }, expectedAttempt: attempt, end } };
}

function reasonOf({ status, userId }: StoredManualChange, hold: StoredHold): ReleaseReason {
  if (status === 'ACTIVE') return 'smartpause_off';
  return hold.userId === userId ? 'manual_pause' : 'paused_by_other';
}
