import { BATCH_MAX, allowanceReturnsAt, writesAllowed } from '#core/platform-usage.ts';
import type { AccountPlan } from '#core/reconciler/plan-account.ts';
import { planAccount } from '#core/reconciler/plan-account.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { findNames } from '../db/reports/outage-history.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import { describeFailure } from '../platforms/meta/errors.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { noteStranded } from './access.ts';
import type { Batch } from './apply-writes.ts';
import { applyWrites, firstBatch } from './apply-writes.ts';
import type { Pass, ReconcileDeps, Work } from './pass.ts';
import { reloadWork, startWork, worldOf } from './pass.ts';
import { readAccount } from './read-account.ts';
import { readChangeLog } from './read-change-log.ts';
import type { Changes, Finish } from './store.ts';

/** Frequent changes in an ad account must not have its campaigns read again and again without any write. */
const LOADS_PER_READ = 3;

/** How far a pass has come. */
interface Progress {
  work: Work;
  /** The results of the last call, not stored yet. */
  results: Changes | null;
  lookAt: Instant | null;
  blockedUntil: Instant | null;
  /** Why the account or its activity log could not be read; null: they were, or need not be. */
  failure: PlatformFailure | null;
  lastError: string | null;
  loads: number;
  /** Campaigns with a write in the last whole plan that is not sent yet, in its order. */
  queue: readonly string[];
}

/** One pass over one ad account, for all of its users: reads, then plans and writes until nothing is due. */
export async function reconcileAccount(deps: ReconcileDeps, pass: Pass): Promise<Finish> {
  const { work, list, failure } = await readAccount(deps, startWork(deps, pass));
  const now = deps.clock.now();
  const progress: Progress = {
    ...{ work, results: null, lookAt: null, blockedUntil: null, failure, lastError: null },
    ...{ loads: 0, queue: [] },
  };
  if (failure !== null) noteFailure(progress, failure, now);
  while (await takeStep(deps, progress));
  await noteStrandedUsers(deps, progress.work);
  const { blockedUntil, results: changes, lookAt, lastError } = progress;
  const { accountId, fencingToken, generation } = progress.work.claim;
  return {
    list,
    changes,
    release: {
      ...{ accountId, fencingToken, generation },
      lookAt: blockedUntil ?? lookAt,
      failures: failuresAfter(progress),
      lastError,
      blockedUntil,
      usage: progress.work.usage,
    },
  };
}

function noteFailure(progress: Progress, failure: PlatformFailure, now: Instant): void {
  const { claim, usage } = progress.work;
  const after = afterFailure(failure, { failures: claim.failures + 1, usage, now });
  progress.failure = failure;
  progress.lookAt = earliest([progress.lookAt, after.retryAt]);
  progress.blockedUntil = after.blockedUntil;
  progress.lastError = describeFailure(failure);
}

/** An open circuit breaker says nothing about this account. */
function failuresAfter({ failure, work: { claim } }: Progress): number {
  if (failure === null) return 0;
  return failure.nextProbeInMs === undefined ? claim.failures + 1 : claim.failures;
}

/** @returns whether another step may follow */
async function takeStep(deps: ReconcileDeps, progress: Progress): Promise<boolean> {
  const now = deps.clock.now();
  const plan = planNext(progress, now);
  if (plan.needLog.length > 0 && progress.failure === null) {
    const { work, failure } = await readChangeLog(deps, progress.work);
    progress.work = work;
    if (failure !== null) noteFailure(progress, failure, deps.clock.now());
    return progress.blockedUntil === null;
  }
  const allowed = writesAllowed(progress.work.usage, now);
  const batch = firstBatch(plan.changes, allowed);
  const isWhole = progress.queue.length === 0;
  if (batch.changes.length === 0 && isWhole) return rest(progress, { plan, batch, now });
  const handled = new Set(batch.changes.map(({ campaignId }) => campaignId));
  const due = isWhole ? sendsOf(plan) : progress.queue;
  // Without a change the whole account is planned again.
  progress.queue = handled.size === 0 ? [] : due.filter((id) => !handled.has(id));
  if (handled.size === 0) return true;
  progress.work = await withNames(deps, progress.work, batch);
  await storeResults(deps, progress);
  const applied = await applyWrites(deps, progress.work, batch);
  if (applied.isOutdated) return reload(deps, progress);
  progress.work = applied.work;
  progress.results = applied.results;
  progress.blockedUntil ??= applied.blockedUntil;
  progress.lastError = applied.lastError ?? progress.lastError;
  if (applied.blockedUntil !== null) return false;
  // The platform fails: what is left begins with another read.
  const isCutShort = applied.lastError !== null && (batch.hasMore || progress.queue.length > 0);
  if (isCutShort) progress.lookAt = deps.clock.now();
  if (isCutShort) return false;
  return hasEndedForAll(batch, applied.results) ? reload(deps, progress) : true;
}

/** Of a large account the next batch alone: a plan for all of its campaigns takes long. */
function planNext({ work, queue }: Progress, now: Instant): AccountPlan {
  const world = worldOf(work, now);
  if (queue.length === 0) return planAccount(world, now);
  const next = new Set(queue.slice(0, BATCH_MAX));
  const part = <T>(rows: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...rows].filter(([campaignId]) => next.has(campaignId)));
  const campaigns = world.campaigns?.filter(({ id }) => next.has(id)) ?? null;
  return planAccount({ ...world, campaigns, holds: part(world.holds), writes: part(world.writes) }, now);
}

function sendsOf({ changes }: AccountPlan): string[] {
  return changes.flatMap(({ campaignId, send }) => (send === null ? [] : [campaignId]));
}

/** Nothing more can be done now. */
function rest(progress: Progress, given: { plan: AccountPlan; batch: Batch; now: Instant }): false {
  const { plan, batch, now } = given;
  const { usage } = progress.work;
  // Not sooner: another read would use up what has decayed.
  const restAt = batch.hasMore && usage !== null ? allowanceReturnsAt(usage, now) : null;
  progress.lookAt = earliest([progress.lookAt, plan.lookAt, restAt]);
  return false;
}

/** SmartPause may be off for other users now, or the pause be refused: rows that the pass has not stored itself. */
function hasEndedForAll({ changes }: Batch, results: Changes | null): boolean {
  const ended = [...changes.map(({ hold }) => hold), ...(results?.holds ?? [])];
  return ended.some((hold) => hold?.outcome === 'released');
}

async function reload(deps: ReconcileDeps, progress: Progress): Promise<boolean> {
  await storeResults(deps, progress);
  progress.loads += 1;
  progress.queue = [];
  const fresh = progress.loads < LOADS_PER_READ ? await reloadWork(deps, progress.work) : null;
  if (fresh === null) progress.lookAt = deps.clock.now();
  else progress.work = fresh;
  return fresh !== null;
}

async function storeResults(deps: ReconcileDeps, progress: Progress): Promise<void> {
  const { results: changes, work } = progress;
  progress.results = null;
  if (changes !== null) await deps.store.settle({ ...work.claim, changes });
}

/** For the activities: names of campaigns that were not in the list. */
async function withNames({ db }: ReconcileDeps, work: Work, { changes }: Batch): Promise<Work> {
  const unnamed = changes
    .filter(({ campaignId }) => !work.names.has(campaignId))
    .map(({ campaignId }) => campaignId);
  if (unnamed.length === 0) return work;
  const names = new Map(work.names);
  for (const [campaignId, { name }] of await findNames(db, unnamed)) names.set(campaignId, name);
  return { ...work, names };
}

/** Users who lost the ad account, and whose holds no other user could take over. */
async function noteStrandedUsers({ db, clock, store }: ReconcileDeps, work: Work): Promise<void> {
  const { account, unreachable, readBy, claim, deniedResume } = work;
  const held = new Set(
    [...account.holds.values()].filter(({ pausedAt }) => pausedAt !== null).map(({ userId }) => userId),
  );
  for (const { user, isAccountLost } of account.users) {
    const isLost = isAccountLost ? user.id !== readBy : unreachable.get(user.id)?.isLost === true;
    const isDenied = deniedResume.has(user.id);
    if (!held.has(user.id) || !(isLost || isDenied)) continue;
    // Until the next read.
    if (isDenied) await store.noteAccess({ userId: user.id, accountId: claim.accountId }, true);
    await noteStranded(db, { userId: user.id, accountId: claim.accountId }, clock.now());
  }
}
