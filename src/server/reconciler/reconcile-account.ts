import { wasSent } from '#core/platform.ts';
import { BATCH_MAX, allowanceReturnsAt, writesAllowed } from '#core/platform-usage.ts';
import type { AccountPlan, CampaignChange } from '#core/reconciler/plan-account.ts';
import { planAccount } from '#core/reconciler/plan-account.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { noteStranded } from './access.ts';
import { applyWrites } from './apply-writes.ts';
import type { Pass, ReconcileDeps } from './pass.ts';
import { isOfMany, reloadPass, worldOf } from './pass.ts';
import { readAccount, readChangeLog } from './read-account.ts';
import type { Finish } from './store.ts';

/** Frequent changes in an ad account must not have its campaigns read again and again without any write. */
const LOADS_PER_READ = 3;

/** One pass over one ad account, for all of its users: reads, then plans and writes until nothing is due. */
export async function reconcileAccount(deps: ReconcileDeps, pass: Pass): Promise<Finish> {
  await readAccount(deps, pass);
  while (await takeStep(deps, pass));
  await noteStranded(deps, pass);
  const { claim, blockedUntil, updates, list, lookAt, lastFailure, usage } = pass;
  const { accountId, fencingToken, generation } = claim;
  const release = { accountId, fencingToken, generation, ...lastFailure, blockedUntil, usage };
  return {
    list,
    updates,
    release: { ...release, lookAt: blockedUntil ?? lookAt, failures: failuresAfter(pass) },
  };
}

/** An open circuit breaker or a limit of the app says nothing about this account; a failure of the log alone (its list was read) does. */
function failuresAfter({ failure, claim, campaigns }: Pass): number {
  if (failure === null) return 0;
  const isOfLog = campaigns !== null && wasSent(failure) && failure.appStop === null;
  return failure.nextProbeInMs === undefined || isOfLog ? claim.failures + 1 : claim.failures;
}

/** Plans the account, and writes the next batch. @returns whether another step may follow */
async function takeStep(deps: ReconcileDeps, pass: Pass): Promise<boolean> {
  const now = deps.clock.now();
  const plan = planAccount(worldOf(pass, now), now);
  if (plan.needLog.length > 0 && pass.failure === null) {
    await readChangeLog(deps, pass);
    return pass.blockedUntil === null;
  }
  let left = sendsOf(plan.changes);
  let batch = selectBatch(pass, plan.changes, now);
  if (batch.length === 0) {
    rest(pass, plan, { isLimited: left.length > 0, now });
    return false;
  }
  while (batch.length > 0) {
    const planned = new Set(batch.map(({ campaignId }) => campaignId));
    left = left.filter((id) => !planned.has(id));
    await storeUpdates(deps, pass);
    const applied = await applyWrites(deps, pass, batch);
    if (applied === 'outdated') return reload(deps, pass);
    if (pass.blockedUntil !== null) return false;
    if (applied === 'some_failed' && left.length > 0) {
      // The platform fails: what is left begins with another read.
      pass.lookAt = deps.clock.now();
      return false;
    }
    if (hasReleasedHold(batch, pass)) return reload(deps, pass);
    batch = left.length === 0 ? [] : nextBatch(pass, left, deps.clock.now());
  }
  return true;
}

function sendsOf(changes: readonly CampaignChange[]): string[] {
  return changes.flatMap(({ campaignId, send }) => (send === null ? [] : [campaignId]));
}

/**
 * Changes that are stored together: those without a write, and as many writes of one user as fit into one call.
 * Those that a user waits for go first, by themselves.
 */
function selectBatch(
  { stored, usage }: Pass,
  changes: readonly CampaignChange[],
  now: Instant,
): CampaignChange[] {
  const due = changes.filter(({ send }) => send !== null);
  const awaited = due.filter(
    ({ campaignId, write }) => write?.origin === 'manual' && !isOfMany(stored.changes.get(campaignId)),
  );
  const next = awaited.length > 0 ? awaited : due;
  const ofUser = next.filter(({ write }) => write?.requestedBy === next[0]?.write?.requestedBy);
  const allowed = Math.min(BATCH_MAX, writesAllowed(usage, now));
  return [...changes.filter(({ send }) => send === null), ...ofUser.slice(0, allowed)];
}

/** Of a large account a part is planned again before it is sent: a plan for all of its campaigns takes long. */
function nextBatch(pass: Pass, left: readonly string[], now: Instant): CampaignChange[] {
  const next = new Set(left.slice(0, BATCH_MAX));
  const { campaigns, holds, writes, ...world } = worldOf(pass, now);
  const part = <T>(rows: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...next].flatMap((id) => (rows.has(id) ? [[id, rows.get(id) as T] as const] : [])));
  const listed = campaigns?.filter(({ id }) => next.has(id)) ?? null;
  const { changes } = planAccount(
    { ...world, campaigns: listed, holds: part(holds), writes: part(writes) },
    now,
  );
  return selectBatch(pass, changes, now);
}

/** Nothing more can be done now. */
function rest(pass: Pass, plan: AccountPlan, { isLimited, now }: { isLimited: boolean; now: Instant }): void {
  // Not sooner: another read would use up what has decayed.
  const allowedAt = isLimited && pass.usage !== null ? allowanceReturnsAt(pass.usage, now) : null;
  pass.lookAt = earliest([pass.lookAt, plan.lookAt, allowedAt]);
}

/** SmartPause may be off for other users now, or the pause be refused: rows that the pass has not stored itself. */
function hasReleasedHold(batch: readonly CampaignChange[], { updates }: Pass): boolean {
  return [...batch, ...(updates ?? [])].some(({ hold }) => hold?.outcome === 'released');
}

async function reload(deps: ReconcileDeps, pass: Pass): Promise<boolean> {
  await storeUpdates(deps, pass);
  pass.loads += 1;
  const isFresh = pass.loads < LOADS_PER_READ && (await reloadPass(deps, pass));
  if (!isFresh) pass.lookAt = deps.clock.now();
  return isFresh;
}

async function storeUpdates({ store }: ReconcileDeps, pass: Pass): Promise<void> {
  const { claim, updates } = pass;
  if (updates !== null) await store.settle(claim, updates);
  // Not before: a failed pass stores what is left.
  pass.updates = null;
}
