import type { PlatformFailure } from '../../src/core/platform.ts';
import type { AdPlatform, LoggedChange, WriteResult } from '../../src/server/platforms/platform.ts';
import { accountIdOf, campaignIdOf } from './population.ts';

/** More than are claimed in one statement. */
export const ACCOUNTS = 60;
/** Its calls hang until a test lets them go. */
export const HANGING = accountIdOf(3);

export const ACCOUNT_IDS = Array.from({ length: ACCOUNTS }, (_, account) => accountIdOf(account));

/** Answers at once. */
export class FakePlatform implements AdPlatform {
  readonly lists: string[] = [];
  readonly writes: string[] = [];
  /** The calls for HANGING. */
  calls: string[] = [];
  /** While Meta answers a read of HANGING. */
  amidRead: () => Promise<void> = () => Promise.resolve();
  readonly #statuses = new Map<string, string>();
  /** Oldest first. */
  readonly #log: (LoggedChange & { accountId: string })[] = [];
  readonly #now: () => number;
  hanging: PromiseWithResolvers<void> | null = null;
  /** All writes wait for it. */
  writing: Promise<undefined> | null = null;
  most = 0;
  /** Of the reads of HANGING. */
  failure: PlatformFailure | null = null;
  /** Of the log of HANGING. */
  logFailure: PlatformFailure | null = null;
  budget = 1000;
  /** Further campaigns of HANGING. */
  more: string[] = [];
  /** Of the writes of these further campaigns. */
  refusal: PlatformFailure | null = null;
  /** When a write of HANGING is sent. */
  amidWrite: (sendBy: number) => Promise<void> = () => Promise.resolve();
  #underWay = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  aheadMs = () => 0;
  listAdAccounts = () => Promise.reject(new Error('not expected'));
  readCampaigns = () => Promise.reject(new Error('not expected'));

  async listCampaigns(_token: string, accountId: string) {
    this.lists.push(accountId);
    await this.#take(accountId);
    await this.#called('list', accountId);
    if (accountId === HANGING && this.failure !== null)
      return { ok: false as const, failure: this.failure, usage: null, withArchived: false };
    const dailyBudget = accountId === HANGING ? this.budget : 1000;
    const id = campaignIdOf(ACCOUNT_IDS.indexOf(accountId));
    const value = [id, ...(accountId === HANGING ? this.more : [])].map((one) => ({
      ...{ id: one, name: one, status: this.#statuses.get(one) ?? 'ACTIVE' },
      ...{ objective: '', dailyBudget, isLegacyAdvantage: false },
    }));
    return { ok: true as const, value, isPartial: false, usage: null, withArchived: false };
  }

  async readStatusChanges(_token: string, accountId: string) {
    await this.#called('log', accountId);
    if (accountId === HANGING && this.logFailure !== null)
      return { ok: false as const, failure: this.logFailure, usage: null };
    const value = this.#log.filter((one) => one.accountId === accountId).toReversed();
    return { ok: true as const, value, isPartial: false, usage: null };
  }

  async setStatuses(
    _token: string,
    accountId: string,
    changes: readonly { campaignId: string; status: 'ACTIVE' | 'PAUSED' }[],
    sendBy: number,
  ) {
    this.writes.push(accountId);
    if (accountId === HANGING) this.calls.push('write');
    if (accountId === HANGING) await this.amidWrite(sendBy);
    const resultOf = (campaignId: string): WriteResult =>
      this.refusal !== null && this.more.includes(campaignId)
        ? { ok: false, failure: this.refusal }
        : { ok: true };
    const results = new Map(changes.map(({ campaignId }) => [campaignId, resultOf(campaignId)]));
    for (const { campaignId, status } of changes)
      if (results.get(campaignId)?.ok === true) {
        this.#statuses.set(campaignId, status);
        this.#log.push({ accountId, campaignId, at: this.#now(), isOurs: true, to: status });
      }
    await this.writing;
    await this.#take(accountId);
    return { results, usage: null, sentAt: 0 };
  }

  async #called(read: 'list' | 'log', accountId: string): Promise<void> {
    if (accountId !== HANGING) return;
    this.calls.push(read);
    await this.amidRead();
  }

  async #take(accountId: string): Promise<void> {
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    if (accountId === HANGING) await this.hanging?.promise;
    else await new Promise((resolve) => setImmediate(resolve));
    this.#underWay -= 1;
  }
}
