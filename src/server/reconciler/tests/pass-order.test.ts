import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountIdOf, budgetOf, campaignIdOf } from '../../../../verify/bench/population.ts';
import { plantRows, plantTokens } from '../../../../verify/bench/population.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { freshDatabase, silentLog } from '../../../../test/support/database.ts';
import type { FreshDatabase } from '../../../../test/support/database.ts';
import { OffsetClock } from '../../../../scripts/outside/offset-clock.ts';
import type { Clock } from '../../clock.ts';
import { systemClock } from '../../clock.ts';
import type { AdPlatform } from '../../platforms/meta/ads.ts';
import type { Db } from '../../db/database.ts';
import { createDb } from '../../db/database.ts';
import { recordStatus } from '../../db/status/status.ts';
import { createTokenCipher } from '../../secrets.ts';
import { Reconciler } from '../loop.ts';

const STALE_MS = 3_600_000;
const TIMINGS = { leaseMs: 600_000, pollMs: 20, sweepMs: 3_600_000 };
/** More than are claimed in one statement. */
const ACCOUNTS = 60;
const LARGE = accountIdOf(0);
const LARGE_CAMPAIGNS = 2_000;

/** Answers at once, but for accounts that a test holds. */
class FakePlatform implements AdPlatform {
  readonly lists: string[] = [];
  readonly writes: string[] = [];
  readonly held = new Map<string, PromiseWithResolvers<void>>();
  underWay = 0;
  most = 0;
  readonly #statuses = new Map<string, string>();
  readonly #idsOf: (accountId: string) => string[];

  constructor(idsOf: (accountId: string) => string[]) {
    this.#idsOf = idsOf;
  }

  aheadMs = () => 0;
  listAdAccounts = () => Promise.reject(new Error('not expected'));
  readStatuses = () => Promise.reject(new Error('not expected'));
  readStatusChanges = () => Promise.resolve({ ok: true as const, value: [], usage: null });

  async listCampaigns(_token: string, accountId: string) {
    this.lists.push(accountId);
    await this.#take(accountId);
    const value = this.#idsOf(accountId).map((id, index) => ({
      id,
      name: id,
      status: this.#statuses.get(id) ?? 'ACTIVE',
      objective: '',
      dailyBudget: 1000 + index,
      isLegacyAdvantage: false,
    }));
    return { ok: true as const, value, isPartial: false, usage: null };
  }

  async setStatuses(
    _token: string,
    accountId: string,
    changes: readonly { campaignId: string; status: string }[],
  ) {
    this.writes.push(accountId);
    await this.#take(accountId);
    for (const { campaignId, status } of changes) this.#statuses.set(campaignId, status);
    const results = new Map(changes.map(({ campaignId }) => [campaignId, { ok: true as const }]));
    return { results, usage: null, sentAt: 0 };
  }

  async #take(accountId: string): Promise<void> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    await (this.held.get(accountId)?.promise ?? new Promise((resolve) => setImmediate(resolve)));
    this.underWay -= 1;
  }
}

describe('ad accounts that are due at the same time', () => {
  const cipher = createTokenCipher(['x'.repeat(32)]);
  let database: FreshDatabase;
  let db: Db;
  let clock: OffsetClock;
  let platform: FakePlatform;
  let reconciler: Reconciler | undefined;

  beforeEach(async () => {
    database = await freshDatabase();
    db = createDb(database.pool);
    clock = new OffsetClock();
    platform = new FakePlatform((accountId) => (accountId === LARGE ? largeIds : [ownIdOf(accountId)]));
    const population = { users: ACCOUNTS, accountsEach: 1, campaignsEach: 1 };
    await plantRows(db, population, new Date(clock.now()));
    const tokens = Array.from({ length: ACCOUNTS }, (_, user) => `token ${user}`);
    await plantTokens(db, cipher, tokens, new Date(clock.now()));
  });
  afterEach(async () => {
    for (const { resolve } of platform.held.values()) resolve();
    await reconciler?.close();
    await database.close();
  });

  const ids = Array.from({ length: ACCOUNTS }, (_, account) => accountIdOf(account));
  const ownIdOf = (accountId: string) => campaignIdOf(ids.indexOf(accountId));
  const largeIds = [ownIdOf(LARGE), ...Array.from({ length: LARGE_CAMPAIGNS - 1 }, (_, n) => `7700${n}`)];
  const paused = async (least: number) =>
    waitFor(`${least} campaigns to be paused`, async () => {
      const { count } = await db
        .selectFrom('hold')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('state', '=', 'paused')
        .where('sent_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count) >= least;
    });

  const outage = async () => {
    const level = { level: 'HIGH_DISRUPTION', message: '', quote: null } as const;
    const reading = { ...level, isIncomplete: false, atLeast: null, loginDisrupted: false };
    await recordStatus(db, { reading }, clock.now(), { staleMs: STALE_MS });
  };
  const start = (concurrency: number, ownClock: Clock = clock) => {
    reconciler = new Reconciler({
      ...{ db, cipher, platform, clock: ownClock, concurrency, timings: TIMINGS, staleMs: STALE_MS },
      log: { ...silentLog, debug: () => undefined },
      roll: () => 0,
      owner: 'the only one',
      gate: { isOpen: () => false, msUntilNextCall: () => 0 },
    });
    reconciler.start();
  };

  test('are worked on in the order of their budgets, the highest first', async () => {
    await outage();
    start(1);
    await paused(ACCOUNTS);
    const byBudget = ids.toSorted((a, b) => budgetOf(ids.indexOf(b)) - budgetOf(ids.indexOf(a)));
    expect(platform.writes).toEqual(byBudget);
    expect(platform.most).toBe(1);
  });

  test('stay within the concurrency limit of calls, and one that hangs delays no other', async () => {
    platform.held.set(accountIdOf(3), Promise.withResolvers());
    await outage();
    start(2);
    await paused(ACCOUNTS - 1);
    expect(platform.most).toBe(2);
    expect(platform.writes).not.toContain(accountIdOf(3));
    platform.held.get(accountIdOf(3))?.resolve();
    await paused(ACCOUNTS);
  });

  test('do not wait for one with 2,000 campaigns', async () => {
    const rows = largeIds.slice(1).map((id) => ({ id, account_id: LARGE, name: id, status: 'ACTIVE' }));
    await db
      .insertInto('campaign')
      .values(rows.map((row) => ({ ...row, objective: '', seen_at: new Date(clock.now()) })))
      .execute();
    await db
      .insertInto('smart_pause')
      .columns(['user_id', 'campaign_id', 'account_id', 'setting', 'changed_at'])
      .expression((eb) =>
        eb
          .selectFrom('campaign')
          .select((one) => [
            one.val('1').as('user_id'),
            'id',
            'account_id',
            one.val('ON').as('setting'),
            'seen_at',
          ])
          .where('id', 'like', '7700%'),
      )
      .execute();
    await db
      .updateTable('work_item')
      .set({ priority: '999999999' })
      .where('account_id', '=', LARGE)
      .execute();
    await outage();
    start(2);
    await waitFor('all small ones to be written', () =>
      ids.slice(1).every((id) => platform.writes.includes(id)),
    );
    expect(platform.lists[0]).toBe(LARGE);
    const lastSmall = Math.max(...ids.slice(1).map((id) => platform.writes.indexOf(id)));
    const largeBefore = platform.writes.slice(0, lastSmall).filter((id) => id === LARGE);
    expect(largeBefore.length).toBeLessThan(LARGE_CAMPAIGNS / 50);
    await paused(LARGE_CAMPAIGNS + ACCOUNTS - 1);
  });

  test('make the reconciler busy if more than 50 passes end within a second, whatever happens to the clock', async () => {
    await outage();
    let now = clock.now();
    start(ACCOUNTS, { ...systemClock, now: () => now });
    expect(reconciler?.isBusy()).toBe(false);
    await waitFor('all to be done', () => reconciler?.isBusy());
    await paused(ACCOUNTS);
    now += 1_000;
    expect(reconciler?.isBusy()).toBe(false);
    now -= 3_600_000;
    expect(reconciler?.isBusy()).toBe(false);
  });

  test('no call begins once the leases were given back, and the database says that they were', async () => {
    const hanging = accountIdOf(3);
    platform.held.set(hanging, Promise.withResolvers());
    await outage();
    start(2);
    await paused(ACCOUNTS - 1);
    let isClosed = false;
    void reconciler?.close().then(() => (isClosed = true));
    clock.advance(5_000);
    await waitFor('the end of its timeout', () => isClosed);
    const { count } = await db
      .selectFrom('work_item')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('lease_until', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
    platform.held.get(hanging)?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(platform.writes).not.toContain(hanging);
  });
});
