import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';
import { NO_FAILURE } from '#core/platform.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import { minutes, seconds } from '#core/time.ts';
import { dropOrphanedAccounts } from '../db/orphaned-accounts.ts';
import { wakeNextAccounts } from '../db/status/account-wakes.ts';
import { readStatus } from '../db/status/status.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import {
  claimDueWorkItems,
  makeOverdueItemsDue,
  msUntilNextClaim,
  releaseWorkItems,
  renewLeases,
} from '../db/work-items.ts';
import { DatabaseUnavailableError } from '../db/pool.ts';
import type { CallGate } from '../platforms/platform.ts';
import type { ScheduledTask } from '../scheduled-task.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { Pass, ReconcileDeps } from './pass.ts';
import { loadPasses } from './pass.ts';
import { reconcileAccount } from './reconcile-account.ts';
import type { Finish, CampaignUpdate } from './store.ts';
import { createReconcilerStore } from './store.ts';

export interface ReconcilerTimings {
  /** A lease that is not renewed expires after this time, and another process takes over. */
  leaseMs: number;
  /** How often to look for work items that another process made due. */
  pollMs: number;
  sweepMs: number;
}

export const RECONCILER_TIMINGS: ReconcilerTimings = {
  leaseMs: seconds(30),
  pollMs: seconds(1),
  sweepMs: minutes(1),
};

const CLAIMED_AT_ONCE = 50;
const PROBES_AT_ONCE = 1;
/** While some passes use the database, others call the platform. A pass waits at most half a call for its next one. */
const PASSES_PER_CALL = 1.5;
/** Due work items that cannot be claimed are locked for a moment, or leased by this process. */
const LEAST_WAIT_MS = 10;
/** Half of the ten seconds that a process has to shut down. */
const CLOSING_MS = seconds(5);

export interface ReconcilerDeps extends Omit<ReconcileDeps, 'store'> {
  /** Names this process in leases. */
  owner: string;
  /** Concurrency limit of platform calls. */
  concurrency: number;
  timings: ReconcilerTimings;
  breaker: CallGate;
}

/** Processes due work items: many ad accounts concurrently, each in one pass at a time. */
export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #store: ReconcileDeps['store'];
  readonly #passes: PQueue;
  readonly #calls: PQueue;
  /** By ad account, including those of queued passes. */
  readonly #leases = new Map<string, WorkItemClaim>();
  /** Claims due work items. Until it is started, it works only when it is woken. */
  #claims: ScheduledTask;
  #tasks: readonly ScheduledTask[] = [];
  #cancelWake = (): void => undefined;
  /** All leases were given back, so no call may start. */
  #isClosed = false;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#store = createReconcilerStore(deps.db, deps);
    this.#calls = new PQueue({ concurrency: deps.concurrency });
    this.#passes = new PQueue({ concurrency: Math.ceil(deps.concurrency * PASSES_PER_CALL) });
    this.#claims = this.#task('reconcile', null, () => this.#workThrough());
  }

  /** Works by itself until it is closed. */
  start(): void {
    const { leaseMs, pollMs, sweepMs } = this.#deps.timings;
    this.#claims = this.#task('claim work items', pollMs, async () => {
      if (await this.#claim()) await this.#wakeWhenDue();
    });
    this.#tasks = [
      this.#task('renew leases', leaseMs / 3, () => this.#renew()),
      this.#task('sweep', sweepMs, () => this.#sweep()),
    ];
  }

  #task(name: string, everyMs: number | null, run: () => Promise<void>): ScheduledTask {
    const { clock, log } = this.#deps;
    return startScheduledTask({ name, everyMs, clock, log, run });
  }

  /** Works through all due work items: for callers that step time instead of starting it. */
  step(): Promise<void> {
    return this.#claims.run();
  }

  /** Looks for due work items now. */
  wake(): void {
    this.#claims.wake();
  }

  /** Claims no new work, waits a limited time for running passes, then gives all leases back. */
  async close(): Promise<void> {
    this.#passes.pause();
    this.#cancelWake();
    const timeout = new Promise<void>((resolve) => this.#deps.clock.after(CLOSING_MS, resolve));
    const tasks = [this.#claims, ...this.#tasks].map((task) => task.close());
    await Promise.race([Promise.all(tasks), timeout]);
    this.#passes.clear();
    await Promise.race([this.#passes.onIdle(), timeout]);
    this.#isClosed = true;
    await this.#giveBack();
  }

  async #workThrough(): Promise<void> {
    do {
      await this.#passes.onIdle();
      await this.#claim();
    } while (this.#passes.size + this.#passes.pending > 0);
  }

  /** @returns whether all that was due is claimed */
  async #claim(): Promise<boolean> {
    const { breaker, concurrency } = this.#deps;
    await this.#wakeAccounts();
    // While the platform is unavailable, work items stay due and continue together when it is back.
    if (breaker.msUntilNextCall() > 0) return false;
    // No other process works on claimed items, so this process claims only what it needs.
    if (this.#passes.size >= Math.max(CLAIMED_AT_ONCE, concurrency / 2)) return false;
    const passes = await this.#claimPasses(breaker.isOpen() ? PROBES_AT_ONCE : CLAIMED_AT_ONCE);
    for (const pass of passes) {
      this.#leases.set(pass.claim.accountId, pass.claim);
      // In the order of the claims: a later claim of higher budgets must not hold back an earlier one.
      void this.#passes.add(() => this.#run(pass));
    }
    if (passes.length === CLAIMED_AT_ONCE) this.wake();
    return passes.length < CLAIMED_AT_ONCE;
  }

  /** After a status change of any process: all accounts, so that the highest budgets are claimed first. */
  async #wakeAccounts(): Promise<void> {
    const { db, log } = this.#deps;
    try {
      while (await wakeNextAccounts(db));
    } catch (error) {
      log.error({ err: error }, 'waking accounts failed; it will continue');
    }
  }

  async #wakeWhenDue(): Promise<void> {
    const { db, clock, timings } = this.#deps;
    const waitMs = (await msUntilNextClaim(db)) ?? timings.pollMs;
    this.#cancelWake();
    if (waitMs < timings.pollMs)
      this.#cancelWake = clock.after(Math.max(waitMs, LEAST_WAIT_MS), () => this.wake());
  }

  async #claimPasses(limit: number): Promise<Pass[]> {
    const { db, owner, timings } = this.#deps;
    const leasedAccountIds = [...this.#leases.keys()];
    const claims = await claimDueWorkItems(
      db,
      { limit, leasedAccountIds },
      { owner, leaseMs: timings.leaseMs },
    );
    const isStored = await Promise.all(claims.map((claim) => this.#storeIntentOfDeadProcess(claim)));
    return this.#load(claims.filter((_, index) => isStored[index]));
  }

  /** When it fails, each by itself: an account that cannot be loaded delays no other, and its lease expires. */
  async #load(claims: readonly WorkItemClaim[]): Promise<Pass[]> {
    const { db, log } = this.#deps;
    try {
      return await loadPasses(db, claims, this.#deps);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      if (claims.length > 1) return (await Promise.all(claims.map((claim) => this.#load([claim])))).flat();
      log.error({ account: claims[0]?.accountId, err: error }, 'an account could not be loaded');
      return [];
    }
  }

  /** As unanswered: the writes of a dead process may have been carried out. If it fails, the lease expires. */
  async #storeIntentOfDeadProcess({ intent, ...claim }: WorkItemClaim): Promise<boolean> {
    if (intent === null) return true;
    try {
      await this.#store.settle(claim, intent as readonly CampaignUpdate[]);
      return true;
    } catch (error) {
      const details = { account: claim.accountId, err: error };
      this.#deps.log.error(details, 'the intent of a dead process could not be stored');
      return false;
    }
  }

  /** Never rejects. If the pass fails, its lease expires and the work item is claimed again. */
  async #run(pass: Pass): Promise<void> {
    const { accountId } = pass.claim;
    try {
      const deps = { ...this.#deps, store: this.#store, platform: this.#platformOfPass() };
      await this.#finish(pass, await reconcileAccount(deps, pass));
    } catch (error) {
      const details = { account: accountId, err: error };
      if (!this.#isClosed) this.#deps.log.error(details, 'a pass failed; its lease will expire');
      await this.#keepResults(pass);
    }
    this.#leases.delete(accountId);
    this.wake();
  }

  async #finish({ claim, stored }: Pass, finish: Finish): Promise<void> {
    await this.#store.finish(finish);
    // A leaving user may be gone after this write.
    const isLeaving = stored.users.some(({ user }) => user.leaving !== null);
    if (isLeaving) await dropOrphanedAccounts(this.#deps.db, [claim.accountId]);
  }

  /** The results of the last call do not depend on what failed since, such as storing the list. */
  async #keepResults({ claim, updates }: Pass): Promise<void> {
    if (updates === null) return;
    await this.#store.settle(claim, updates).catch((error: unknown) => {
      this.#deps.log.error({ account: claim.accountId, err: error }, 'the results of a call were lost');
    });
  }

  #platformOfPass(): ReconcileDeps['platform'] {
    const { platform } = this.#deps;
    // What a pass has read ages: its further calls start before the first calls of other passes.
    let priority = 0;
    const call = <T>(send: () => Promise<T>): Promise<T> =>
      // The queue may start it in the context of another pass.
      this.#call(AsyncLocalStorage.bind(send), priority++);
    return {
      aheadMs: () => platform.aheadMs(),
      listCampaigns: (...given) => call(() => platform.listCampaigns(...given)),
      readCampaigns: (...given) => call(() => platform.readCampaigns(...given)),
      readStatusChanges: (...given) => call(() => platform.readStatusChanges(...given)),
      setStatuses: (...given) => call(() => platform.setStatuses(...given)),
    };
  }

  async #call<T>(send: () => Promise<T>, priority: number): Promise<T> {
    const start = async (): Promise<T> => {
      if (this.#isClosed) throw new Error('The process is shutting down.');
      return send();
    };
    return this.#calls.add(start, { priority });
  }

  async #renew(): Promise<void> {
    const { db, timings } = this.#deps;
    await renewLeases(db, [...this.#leases.values()], timings.leaseMs);
  }

  async #sweep(): Promise<void> {
    const { db, log } = this.#deps;
    const { known } = await readStatus(db);
    const matched = THRESHOLDS.filter((threshold) => meetsThreshold(known, threshold));
    const overdue = await makeOverdueItemsDue(db, matched);
    if (overdue > 0) log.warn({ accounts: overdue }, 'the sweep found work items that were not due');
  }

  /**
   * As due now: the next process does not wait for the leases to expire. A write without a response stays
   * unconfirmed: that process reads the campaign first.
   */
  async #giveBack(): Promise<void> {
    const lookAt = this.#deps.clock.now();
    const claims = [...this.#leases.values()];
    const released = claims.map((claim) => ({ ...claim, lookAt, ...NO_FAILURE, blockedUntil: null }));
    await releaseWorkItems(this.#deps.db, released, lookAt);
  }
}
