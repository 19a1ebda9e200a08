import { allowanceGoesOnAt, allowanceReturnsAt, writesAllowed } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import { needsReading, plan } from '#core/smartpause/plan.ts';
import type { Change, LiveCampaign, Plan } from '#core/smartpause/plan.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import { describeFailure, mayBeTheToken } from '../platforms/meta/errors.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import { tokenContext } from '../db/users/tokens.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import type { AccountWork } from './apply-plan.ts';
import { applyPlan, firstBatch, isOutOfReach } from './apply-plan.ts';
import type { ManualResult } from './manual-changes.ts';
import { applyManualChanges } from './manual-changes.ts';
import type { Finish } from './store.ts';
import type { Pass, ReconcileDeps } from './pass.ts';
import { reloadPass } from './pass.ts';
import type { ReadChanges } from './read-activity-log.ts';
import { planWithActivityLog } from './read-activity-log.ts';
import { toLive, toWorld } from './world.ts';

/** The result of a pass for one user. */
interface UserResult {
  /** Something that the plan depends on has changed, and nothing of the plan was stored. */
  isOutdated: boolean;
  lookAt: Instant | null;
  blockedUntil: Instant | null;
  failed: boolean;
  /** The circuit breaker is open, so the failure says nothing about this account. */
  isBreakerOpen: boolean;
  /** Something was stored: other users of the account may be affected. */
  hasStored: boolean;
  lastError: string | null;
  usage: Usage | null;
  list: Finish['list'];
  /** Not stored yet. */
  outcome: Finish['outcome'];
}

/** One pass over one ad account, for all of its users: reads, plans, writes. */
export async function reconcileAccount(deps: ReconcileDeps, pass: Pass): Promise<Finish> {
  const manual = await applyManualChanges(deps, pass);
  if (manual.isOutdated || manual.blockedUntil !== null) return afterManualChanges(deps, pass, manual);
  let usage = pass.claim.usage;
  let list: Finish['list'] = null;
  let outcome: Finish['outcome'] = null;
  const results: UserResult[] = [];
  for (const stored of pass.worlds) {
    // The next user's plan may depend on it.
    if (outcome !== null) await deps.store.settle(outcome);
    const result = await reconcileUser(deps, { ...pass, claim: { ...pass.claim, usage } }, stored);
    usage = result.usage ?? usage;
    list = result.list ?? list;
    outcome = result.outcome;
    results.push(result);
    if (result.blockedUntil !== null) break;
  }
  // A campaign that one user's hold covered may now be due for another user.
  const again = results.length > 1 && results.some((result) => result.hasStored) ? deps.clock.now() : null;
  const blocked = results.map((result) => result.blockedUntil).filter((until) => until !== null);
  const blockedUntil = blocked.length === 0 ? null : Math.max(...blocked);
  return {
    list,
    outcome,
    release: {
      accountId: pass.claim.accountId,
      fencingToken: pass.claim.fencingToken,
      generation: pass.claim.generation,
      lookAt: blockedUntil ?? earliest([...results.map((result) => result.lookAt), again, manual.lookAt]),
      failures: failuresAfter(pass.claim, results),
      lastError: results.map((result) => result.lastError).find((error) => error !== null) ?? null,
      blockedUntil,
      usage,
    },
  };
}

/** What was loaded for this pass is outdated: the next one follows at once. */
function afterManualChanges({ clock }: ReconcileDeps, { claim }: Pass, manual: ManualResult): Finish {
  const { usage, blockedUntil } = manual;
  const { accountId, fencingToken, generation, failures } = claim;
  const lookAt = blockedUntil ?? manual.lookAt ?? clock.now();
  const given = { accountId, fencingToken, generation, failures };
  const release = { ...given, lookAt, lastError: null, blockedUntil, usage };
  return { list: null, outcome: null, release };
}

function failuresAfter({ failures }: WorkItemClaim, results: readonly UserResult[]): number {
  if (results.some((result) => result.failed)) return failures + 1;
  return results.some((result) => result.isBreakerOpen) ? failures : 0;
}

const NO_RESULT: UserResult = {
  isOutdated: false,
  lookAt: null,
  blockedUntil: null,
  failed: false,
  isBreakerOpen: false,
  hasStored: false,
  lastError: null,
  usage: null,
  list: null,
  outcome: null,
};

async function reconcileUser(deps: ReconcileDeps, pass: Pass, stored: StoredWorld): Promise<UserResult> {
  const token = openToken(deps, stored);
  const readAt = deps.clock.now();
  const world = toWorld(
    stored,
    pass.status,
    { campaigns: [], manualChanges: pass.manualChanges, tokenUsable: token !== null, readAt },
    readAt,
  );
  const work: AccountWork = {
    claim: pass.claim,
    stored,
    world,
    token,
    names: new Map(),
  };
  if (token === null || !needsReading(world)) {
    const { changes, lookAt } = plan(world, deps.clock.now());
    const done = await applyPlan(deps, work, changes);
    return {
      ...NO_RESULT,
      hasStored: done.hasStored,
      lookAt: done.isOutdated ? deps.clock.now() : earliest([lookAt, done.lookAt]),
      outcome: done.outcome,
    };
  }
  const read = await readLive(deps, work, token);
  if (!read.ok)
    return await failedRead(deps, work, { what: 'campaigns', failure: read.failure, usage: read.usage });
  if (stored.isAccountLost) {
    await deps.store.noteAccess({ userId: stored.user.id, accountId: pass.claim.accountId }, false);
  }
  const { listed, isPartial, campaigns } = read;
  const { accountId } = pass.claim;
  let changes: ReturnType<ReadChanges> | undefined;
  const readChanges: ReadChanges = (since) =>
    (changes ??= deps.platform.readStatusChanges(token, accountId, since));
  const given = { readChanges, usage: read.usage };
  const names = new Map(listed.map(({ id, name }) => [id, name]));
  let seen: AccountWork | null = { ...work, world: { ...world, campaigns }, names };
  let result = await planAndWrite(deps, seen, given);
  for (let plans = 1; result.isOutdated && plans < PLANS_PER_READ; plans += 1) {
    seen = await workOfNow(deps, pass, seen);
    if (seen === null) break;
    result = await planAndWrite(deps, seen, given);
  }
  return { ...result, list: { accountId, campaigns: listed, isPartial, readAt } };
}

/** Frequent changes in an ad account must not have its campaigns read again and again without any write. */
const PLANS_PER_READ = 3;

/** The same campaigns as read, with what is stored now; null: this pass cannot go on. */
async function workOfNow(
  deps: ReconcileDeps,
  pass: Pass,
  { stored, world: { campaigns, readAt }, names }: AccountWork,
): Promise<AccountWork | null> {
  const fresh = await reloadPass(deps, pass);
  const now = fresh?.worlds.find(({ user }) => user.id === stored.user.id);
  const token = now === undefined ? null : openToken(deps, now);
  if (fresh === undefined || now === undefined || token === null) return null;
  const { claim, status, manualChanges } = fresh;
  // What a user has requested with a button comes first.
  const known = new Set(pass.manualChanges.map(({ id }) => id));
  if (manualChanges.some(({ id }) => !known.has(id))) return null;
  const live = { campaigns, manualChanges, tokenUsable: true, readAt };
  return { claim, stored: now, world: toWorld(now, status, live, deps.clock.now()), token, names };
}

async function planAndWrite(
  deps: ReconcileDeps,
  work: AccountWork,
  given: { readChanges: ReadChanges; usage: Usage | null },
): Promise<UserResult> {
  const planned = await planWithActivityLog(deps, work, given.readChanges);
  const usage = planned.usage ?? given.usage;
  if (planned.failure?.kind === 'rate_limited')
    return failedRead(deps, work, { what: 'activityLog', failure: planned.failure, usage });
  const done = await writeInBatches(deps, work, { plan: planned.plan, usage });
  if (planned.failure === null) return done;
  if (done.outcome !== null) await deps.store.settle(done.outcome);
  const failed = await failedRead(deps, work, {
    what: 'activityLog',
    failure: planned.failure,
    usage: done.usage,
  });
  const blockedUntil = Math.max(failed.blockedUntil ?? 0, done.blockedUntil ?? 0) || null;
  const lookAt = earliest([failed.lookAt, done.lookAt]);
  return { ...failed, lookAt, blockedUntil, hasStored: done.hasStored };
}

/** Writes batch after batch until the account's allowance is used up. */
async function writeInBatches(
  deps: ReconcileDeps,
  work: AccountWork,
  given: { plan: Plan; usage: Usage | null },
): Promise<UserResult> {
  const { changes, lookAt } = given.plan;
  const dueTimes = [lookAt];
  let hasStored = false;
  let hasWrittenToPlatform = false;
  let known = given.usage ?? work.claim.usage;
  let rest: Change[] = changes;
  for (;;) {
    const batch = firstBatch(rest, writesAllowed(known, deps.clock.now()));
    const done = await applyPlan(deps, work, batch.now);
    known = done.usage ?? known;
    hasStored ||= done.hasStored;
    hasWrittenToPlatform ||= done.hasWrittenToPlatform;
    dueTimes.push(done.lookAt);
    rest = batch.later;
    const now = deps.clock.now();
    if (done.isOutdated || (rest.length > 0 && done.lastError !== null)) dueTimes.push(now);
    else if (rest.length > 0 && known !== null && writesAllowed(known, now) === 0) {
      const left = new Set(rest.map(({ campaignId }) => campaignId)).size;
      // Nothing was written: wait for the full allowance, because another read would use up what has decayed.
      dueTimes.push(
        hasWrittenToPlatform ? allowanceGoesOnAt(known, now, left) : allowanceReturnsAt(known, now),
      );
    } else if (rest.length > 0) {
      if (done.outcome !== null) await deps.store.settle(done.outcome);
      continue;
    }
    const { blockedUntil, lastError, outcome } = done;
    return {
      ...NO_RESULT,
      isOutdated: done.isOutdated && !hasStored,
      hasStored,
      lookAt: earliest(dueTimes),
      blockedUntil,
      lastError,
      usage: known,
      outcome,
    };
  }
}

type LiveRead =
  | {
      ok: true;
      listed: PlatformCampaign[];
      isPartial: boolean;
      campaigns: LiveCampaign[];
      usage: Usage | null;
    }
  | { ok: false; failure: PlatformFailure; usage: Usage | null };

/** The account's list, and by id every held campaign that is not in it: archived, deleted or inaccessible. */
async function readLive(deps: ReconcileDeps, work: AccountWork, token: string): Promise<LiveRead> {
  const { accountId } = work.claim;
  const list = await deps.platform.listCampaigns(token, accountId);
  if (!list.ok) return list;
  const campaigns = toLive(list.value);
  const listed = new Set(list.value.map(({ id }) => id));
  const missing = work.stored.holds.map((hold) => hold.campaignId).filter((id) => !listed.has(id));
  const read = { ok: true, listed: list.value, isPartial: list.isPartial } as const;
  if (missing.length === 0) return { ...read, campaigns, usage: list.usage };
  const byId = await deps.platform.readStatuses(token, accountId, missing);
  // The token has just read the list: without an answer these campaigns are not part of the plan.
  if (!byId.ok && byId.failure.kind !== 'rejected') return byId;
  const found = [...(byId.ok ? byId.value : [])].map(([id, status]) => ({ id, status, dailyBudget: null }));
  return { ...read, campaigns: [...campaigns, ...found], usage: byId.usage ?? list.usage };
}

const READ_FAILED = {
  campaigns: 'the campaigns could not be read',
  activityLog: 'the activity log could not be read',
} as const;

async function failedRead(
  deps: ReconcileDeps,
  work: AccountWork,
  read: { what: keyof typeof READ_FAILED; failure: PlatformFailure; usage: Usage | null },
): Promise<UserResult> {
  const lastError = describeFailure(read.failure);
  const after = afterFailure(read.failure, {
    failures: work.claim.failures + 1,
    usage: read.usage ?? work.claim.usage,
    now: deps.clock.now(),
  });
  // An open circuit breaker is logged once, not for each ad account.
  const log = read.failure.nextProbeInMs === undefined ? 'warn' : 'debug';
  deps.log[log]({ account: work.claim.accountId, failure: lastError }, READ_FAILED[read.what]);
  if (mayBeTheToken(read.failure, 'account')) {
    const suspectedToken = work.stored.user.id;
    await deps.store.settle({ updates: [], written: [], activities: [], suspectedToken });
  }
  const { user } = work.stored;
  if (read.failure.kind === 'permission' || read.failure.kind === 'gone') {
    const { accountId } = work.claim;
    await deps.store.noteAccess({ userId: user.id, accountId }, true);
  }
  // A leaving user, or one who turned SmartPause off, cannot wait for access that may never return.
  if (isOutOfReach(read.failure)) {
    const unreachable = { ...work.world, owner: { ...work.world.owner, tokenUsable: false } };
    const { outcome } = await applyPlan(deps, work, plan(unreachable, deps.clock.now()).changes);
    if (outcome !== null) await deps.store.settle(outcome);
  }
  const { retryAt, blockedUntil } = after;
  const isBreakerOpen = read.failure.nextProbeInMs !== undefined;
  const { usage } = read;
  return {
    ...NO_RESULT,
    lookAt: retryAt,
    blockedUntil,
    failed: !isBreakerOpen,
    isBreakerOpen,
    lastError,
    usage,
  };
}

function openToken(deps: ReconcileDeps, stored: StoredWorld): string | null {
  if (stored.token === null) return null;
  const token = deps.cipher.decrypt(stored.token, tokenContext(stored.user.id));
  const { id: user } = stored.user;
  if (token === null)
    deps.log.error({ user, key: stored.token.keyId }, 'platform token could not be decrypted');
  return token;
}
