import type { CallKind } from '#core/detection/votes.ts';
import { voteOf } from '#core/detection/votes.ts';
import type { PlatformFailure } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { AdPlatform, SpendReports } from '../platforms/platform.ts';

/** The calls of one minute of this process, by ad account and kind. */
export interface CountedCalls {
  /** When the minute began. */
  minute: Instant;
  accountId: string;
  kind: CallKind;
  good: number;
  bad: number;
  token: number;
}

type Result = { ok: true } | { ok: false; failure: PlatformFailure };

/** A failure counts once the next call of its kind there fails, too, within this time. */
const RETRIED_WITHIN_MS = minutes(30);
const MINUTE = minutes(1);

/** Counts in memory what each call says about the platform. Nothing waits for it. */
export class Votes {
  readonly #now: () => Instant;
  readonly #counted = new Map<string, CountedCalls>();
  /** By account and kind; only those that failed last. */
  readonly #failedAt = new Map<string, Instant>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /**
   * @param failure null: the call succeeded
   * @param isRetry the call before it failed, as is known otherwise
   */
  count(accountId: string, kind: CallKind, failure: PlatformFailure | null, isRetry = false): void {
    const vote = failure?.saysNothing === true ? null : voteOf(failure);
    if (vote === null) return;
    const now = this.#now();
    const call = `${accountId} ${kind}`;
    if (vote === 'bad' && !this.#isRetry(call, failure, now) && !isRetry) return;
    if (vote === 'good') this.#failedAt.delete(call);
    const minute = Math.floor(now / MINUTE) * MINUTE;
    const key = `${minute} ${call}`;
    const row = this.#counted.get(key);
    if (row === undefined)
      this.#counted.set(key, { minute, accountId, kind, good: 0, bad: 0, token: 0, [vote]: 1 });
    else row[vote] += 1;
  }

  /** The minutes that have ended; each is taken once. */
  take(): CountedCalls[] {
    const now = this.#now();
    const ended = [...this.#counted].filter(([, { minute }]) => minute + MINUTE <= now);
    for (const [key] of ended) this.#counted.delete(key);
    for (const [call, at] of this.#failedAt) if (now - at > RETRIED_WITHIN_MS) this.#failedAt.delete(call);
    return ended.map(([, row]) => row);
  }

  /** While the platform is down, calls before this one have failed in other accounts. A list is asked for twice anyway. */
  #isRetry(call: string, failure: PlatformFailure | null, now: Instant): boolean {
    const failedAt = this.#failedAt.get(call) ?? -Infinity;
    this.#failedAt.set(call, now);
    const isSecond = failure?.nextProbeInMs !== undefined || failure?.isRepeated === true;
    return isSecond || now - failedAt <= RETRIED_WITHIN_MS;
  }
}

const failureOf = (result: Result) => (result.ok ? null : result.failure);

/** The same platform, whose calls are counted. */
export function withVotes(platform: AdPlatform, votes: Votes): AdPlatform {
  return {
    ...platform,
    async listCampaigns(token, accountId, given) {
      const result = await platform.listCampaigns(token, accountId, given);
      votes.count(accountId, 'campaigns', failureOf(result));
      return result;
    },
    async readCampaigns(token, accountId, ids) {
      const result = await platform.readCampaigns(token, accountId, ids);
      // An answer about none of them says nothing.
      const isEmpty = result.ok && result.value.size === 0;
      if (!isEmpty) votes.count(accountId, 'campaigns', failureOf(result));
      return result;
    },
    async readStatusChanges(token, accountId, since) {
      const result = await platform.readStatusChanges(token, accountId, since);
      votes.count(accountId, 'log', failureOf(result));
      return result;
    },
    async setStatuses(token, accountId, changes, sendBy) {
      const result = await platform.setStatuses(token, accountId, changes, sendBy);
      // One call: a change that was carried out says more than one that was not.
      const all = [...result.results.values()];
      const one = all.find(({ ok }) => ok) ?? all[0];
      if (one !== undefined) votes.count(accountId, 'writes', failureOf(one));
      return result;
    },
  };
}

/** The same reports, whose calls are counted. */
export function reportsWithVotes(reports: SpendReports, votes: Votes): SpendReports {
  const counted = async <One extends Result>(accountId: string, asked: Promise<One>): Promise<One> => {
    const result = await asked;
    votes.count(accountId, 'spend', failureOf(result));
    return result;
  };
  return {
    begin: (token, accountId, day, ids) => counted(accountId, reports.begin(token, accountId, day, ids)),
    read: (token, accountId, day, id) => counted(accountId, reports.read(token, accountId, day, id)),
    readDay: (token, accountId, day) => counted(accountId, reports.readDay(token, accountId, day)),
  };
}
