import type { HoldEnd, Report } from '#core/smartpause/hold.ts';
import {
  REFUSED_RETRY_MS,
  SEND_WITHIN_MS,
  afterWriteDone,
  expiryOf,
  isRefused,
  isTest,
  unconfirmedWriteOf,
  writtenStatus,
} from '#core/smartpause/hold.ts';
import type { Change, World } from '#core/smartpause/plan.ts';
import { BATCH_MAX } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { describeFailure, mayBeTheToken } from '../platforms/meta/errors.ts';
import type { AdPlatform, WriteResult, WriteResults } from '../platforms/meta/ads.ts';
import type { Clock } from '../clock.ts';
import type { StoredHold } from '../db/holds/holds.ts';
import type { Activity } from '../db/activities.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { activityOf } from './hold-activities.ts';
import type { Intent, ReconcilerStore, Outcome } from './store.ts';

export interface ApplyDeps {
  platform: AdPlatform;
  store: ReconcilerStore;
  clock: Clock;
  /** Called when the platform confirms a pause, with the delay since the status change. */
  onPaused?: (afterMs: number) => void;
}

/** The work item and the user that the changes concern. */
export interface AccountWork {
  claim: WorkItemClaim;
  stored: StoredWorld;
  world: World;
  token: string | null;
  names: ReadonlyMap<string, string>;
}

export interface Applied {
  /** The plan was outdated before it was stored: reconcile again at once. */
  isOutdated: boolean;
  lookAt: Instant | null;
  blockedUntil: Instant | null;
  usage: Usage | null;
  lastError: string | null;
  /** Something was stored: other users of the account may be affected. */
  hasStored: boolean;
  /** The platform carried out at least one write. */
  hasWrittenToPlatform: boolean;
  /** The result of the platform call, not stored yet; null: no call was made. */
  outcome: Outcome | null;
}

/** One write to the platform. */
interface Write {
  /** With the stored intent. */
  hold: StoredHold;
  /** When an earlier copy without a response was sent; null: none. A refusal of this copy does not settle it. */
  earlierAt: Instant | null;
}

/** Stores the intent, then calls the platform, for at most one batch. Further changes wait. */
export async function applyPlan(
  deps: ApplyDeps,
  work: AccountWork,
  changes: readonly Change[],
): Promise<Applied> {
  const now = deps.clock.now();
  const { intent, repeated } = toIntent(work, changes, { now, aheadMs: deps.platform.aheadMs() });
  const idle: Applied = {
    isOutdated: false,
    lookAt: null,
    blockedUntil: null,
    usage: null,
    lastError: null,
    hasStored: false,
    hasWrittenToPlatform: false,
    outcome: null,
  };
  if (intent.updates.length === 0 && intent.inserts.length === 0) return idle;
  const written = await deps.store.intend(intent);
  if (!written.accepted) return { ...idle, isOutdated: true };
  const writes: Write[] = [
    ...repeated.filter(({ hold }) => written.updated.has(hold.id)),
    ...written.inserted.map((hold) => ({ hold, earlierAt: null })),
  ];
  // One of the holds changed since it was read: it needs a new plan.
  const again = intent.updates.every(({ hold }) => written.updated.has(hold.id)) ? null : deps.clock.now();
  if (writes.length === 0 || work.token === null) return { ...idle, hasStored: true, lookAt: again };
  const answer = await deps.platform.setStatuses(
    work.token,
    work.claim.accountId,
    writes.map(({ hold }) => ({ campaignId: hold.campaignId, status: writtenStatus(hold) })),
    Math.min(...writes.map(({ hold }) => hold.sentAt ?? now)) + SEND_WITHIN_MS,
  );
  if (hasLostAccess([...answer.results.values()])) {
    const { accountId } = work.claim;
    await deps.store.noteAccess({ userId: work.stored.user.id, accountId }, true);
  }
  const applied = toOutcome(deps, work, { writes, answer });
  const hasWrittenToPlatform = [...answer.results.values()].some(({ ok }) => ok);
  return {
    ...applied,
    lookAt: earliest([applied.lookAt, again]),
    isOutdated: false,
    hasStored: true,
    hasWrittenToPlatform,
  };
}

/** As many writes as fit, and all changes without a write. */
export function firstBatch(changes: readonly Change[], allowed: number): { now: Change[]; later: Change[] } {
  const writes = changes.filter(({ send }) => send).map(({ campaignId }) => campaignId);
  const late = new Set(writes.slice(Math.min(BATCH_MAX, allowed)));
  return {
    now: changes.filter(({ campaignId }) => !late.has(campaignId)),
    later: changes.filter(({ campaignId }) => late.has(campaignId)),
  };
}

function toIntent(
  work: AccountWork,
  changes: readonly Change[],
  { now, aheadMs }: { now: Instant; aheadMs: number },
): { intent: Intent; repeated: Write[] } {
  const { accountId, fencingToken, generation } = work.claim;
  const { status, owner, readAt } = work.world;
  const userId = work.stored.user.id;
  const cause = { pausedFor: status.known, pausedThreshold: owner.threshold };
  const intent: Intent = {
    accountId,
    userId,
    fencingToken,
    generation,
    effective: status.effective,
    updates: [],
    inserts: [],
    deactivated: [],
    activities: [],
  };
  const repeated: Write[] = [];
  for (const { campaignId, before, after, end, send, reports } of changes) {
    const stored = work.stored.holds.find(({ id }) => id === before?.id);
    if (stored === undefined) {
      const from = { readAt, platformReadAt: readAt + aheadMs };
      intent.inserts.push({ userId, accountId, campaignId, ...cause, ...from });
      continue;
    }
    const attempt = stored.attempt + (send ? 1 : 0);
    const isTestKept = isTest(stored) && !isTest(after);
    const isForOutage = isTestKept || (send && after.state === 'pausing' && !isTest(after));
    const hold = { ...stored, ...after, attempt, ...(isForOutage && cause) };
    const isKept = stored.turnedOff && !hold.turnedOff;
    intent.updates.push({ hold, expectedAttempt: stored.attempt, end, isKept });
    const mayArrive = (expiryOf(stored) ?? 0) > now;
    if (send) repeated.push({ hold, earlierAt: mayArrive ? stored.sentAt : null });
    intent.activities.push(...reportsOf(work, hold, end, reports));
    if (reports.includes('deactivated'))
      intent.deactivated.push({
        userId,
        campaignId,
        holdId: hold.id,
        seenAt: stored.suspicion?.since ?? now,
      });
  }
  return { intent, repeated };
}

function reportsOf(
  { world, stored, names }: AccountWork,
  hold: StoredHold,
  end: HoldEnd | null,
  reports: readonly Report[],
): Activity[] {
  const facts = { name: names.get(hold.campaignId) ?? hold.campaignId, known: world.status.known };
  return reports.map((report) => activityOf(report, hold, { ...facts, end, user: stored.user }));
}

interface Sent {
  writes: Write[];
  answer: WriteResults;
}

function toOutcome(
  deps: ApplyDeps,
  work: AccountWork,
  { writes, answer }: Sent,
): Omit<Applied, 'isOutdated' | 'hasStored' | 'hasWrittenToPlatform'> & { outcome: Outcome } {
  const now = deps.clock.now();
  const usage = answer.usage ?? work.claim.usage;
  const outcome: Outcome = { updates: [], written: [], activities: [], suspectedToken: null };
  const lookAt: (Instant | null)[] = [];
  let blockedUntil: Instant | null = null;
  let lastError: string | null = null;
  const isTokenGood = [...answer.results.values()].some(({ ok }) => ok);
  for (const write of writes) {
    const { hold } = write;
    const result = answer.results.get(hold.campaignId);
    if (result === undefined) throw new Error('the platform client gave no result for a write');
    if (result.ok) {
      if (hold.state === 'pausing' && !hold.beganAsTest) reportPaused(deps, work, now);
      lookAt.push(recordDone(work, outcome, { ...write, hold: firstSent(hold, answer.sentAt) }, now));
      continue;
    }
    const { failure, refusal } = result;
    const wasSent = failure.code !== null || failure.maybeDone;
    const tried = wasSent ? firstSent(hold, answer.sentAt) : hold;
    const failures = hold.failures + (failure.nextProbeInMs === undefined ? 1 : 0);
    const after = afterFailure(failure, { failures, usage, now });
    if (after.blockedUntil !== null) blockedUntil = Math.max(blockedUntil ?? 0, after.blockedUntil);
    lastError = describeFailure(failure);
    if (!isTokenGood && mayBeTheToken(failure, 'campaign')) outcome.suspectedToken = hold.userId;
    const sentAt = failure.maybeDone ? answer.sentAt : write.earlierAt;
    const next = { ...tried, sentAt, failures, retryAt: after.retryAt, lastError };
    if (refusal !== undefined)
      Object.assign(next, { refusals: hold.refusals + 1, refusal, retryAt: now + REFUSED_RETRY_MS });
    // After the last try the hold ends with what the next read shows.
    lookAt.push(isRefused(next) ? now : next.retryAt);
    const isLeaving = work.stored.user.leaving !== null;
    const isLost = isLeaving && refusal === undefined && isOutOfReach(failure) && sentAt === null;
    const end = isLost ? lostEnd(next) : null;
    outcome.updates.push({ hold: next, expectedAttempt: hold.attempt, end });
    if (end !== null) outcome.activities.push(...reportsOf(work, next, end, ['released']));
  }
  return { outcome, lookAt: earliest(lookAt), blockedUntil, usage: answer.usage, lastError };
}

/** With the time of the first pause or resume, which the history shows. Restoring an external change is neither. */
function firstSent(hold: StoredHold, at: Instant): StoredHold {
  if (hold.release !== null) return hold;
  return hold.state === 'pausing'
    ? { ...hold, pauseSentAt: hold.pauseSentAt ?? at }
    : { ...hold, resumeSentAt: hold.resumeSentAt ?? at };
}

/** If settings changed since the match began, the delay says nothing about our speed. */
function reportPaused({ onPaused }: ApplyDeps, { stored, world }: AccountWork, now: Instant): void {
  const { threshold, thresholdEdit } = world.owner;
  const matchSince = world.status.matchSince[threshold];
  if (matchSince === null || thresholdEdit?.matchSince === matchSince) return;
  if ((stored.turnedOnAt ?? 0) <= matchSince) onPaused?.(now - matchSince);
}

function hasLostAccess(results: readonly WriteResult[]): boolean {
  return results.some((result) => !result.ok && result.failure.kind === 'permission');
}

/** A leaving user cannot wait for access that may never return. */
export function isOutOfReach(failure: PlatformFailure): boolean {
  return failure.kind === 'permission' || failure.kind === 'gone' || failure.kind === 'rejected';
}

function lostEnd(hold: StoredHold): HoldEnd {
  return { outcome: 'released', reason: 'access_lost', unconfirmedWrite: unconfirmedWriteOf(hold) };
}

/** When the result requires another read; null: it requires none. */
function recordDone(
  work: AccountWork,
  outcome: Outcome,
  { hold, earlierAt }: Write,
  now: Instant,
): Instant | null {
  const { hold: next, end, report } = afterWriteDone(hold, earlierAt, now);
  const settled: StoredHold = { ...hold, ...next, failures: 0, refusal: null, lastError: null };
  outcome.updates.push({ hold: settled, expectedAttempt: hold.attempt, end });
  outcome.written.push({ campaignId: hold.campaignId, status: writtenStatus(hold) });
  outcome.activities.push(...reportsOf(work, settled, end, [report]));
  return end === null ? expiryOf(next) : null;
}
