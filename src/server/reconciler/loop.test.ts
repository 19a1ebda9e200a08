import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ACCOUNTS, ACCOUNT_IDS, FakePlatform, HANGING } from '../../../test/support/fake-platform.ts';
import { budgetOf, plantRows, plantTokens } from '../../../test/support/population.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { readingOf, recordReading } from '../../../test/support/reading.ts';
import { BATCH_MAX } from '../../core/platform-usage.ts';
import { minutes } from '../../core/time.ts';
import type { Clock } from '../clock.ts';
import { unreadable } from '#core/platform.ts';
import type { Db } from '../db/database.ts';
import { createDb } from '../db/database.ts';
import { wakeNextAccounts } from '../db/status/account-wakes.ts';
import { wake } from '../db/work-items.ts';
import { createTokenCipher } from '../secrets.ts';
import { Reconciler } from './loop.ts';

const STALE_MS = 3_600_000;
const TIMINGS = { leaseMs: 30_000, pollMs: 1000, sweepMs: 3_600_000 };
describe('the reconciler', () => {
  const cipher = createTokenCipher(['x'.repeat(32)]);
  let database: FreshDatabase;
  let db: Db;
  let clock: OffsetClock;
  let platform: FakePlatform;
  let reconciler: Reconciler;

  beforeEach(async () => {
    database = await freshDatabase();
    clock = new OffsetClock();
    db = createDb(database.pool, clock);
    platform = new FakePlatform(() => clock.now());
    const population = { users: ACCOUNTS, accountsEach: 1, campaignsEach: 1 };
    await plantRows(db, population, new Date(clock.now()));
    const tokens = ACCOUNT_IDS.map((id) => `token of ${id}`);
    await plantTokens(db, cipher, tokens, new Date(clock.now()));
  });
  afterEach(async () => {
    platform.hanging?.resolve();
    await reconciler.close();
    await database.close();
  });

  function create(concurrency: number, ownClock: Clock = clock, ownDb: Db = db): void {
    reconciler = new Reconciler({
      ...{ db: ownDb, cipher, platform, clock: ownClock, concurrency, timings: TIMINGS, staleMs: STALE_MS },
      log: { ...silentLog, debug: () => undefined },
      owner: 'the only one',
      breaker: { isOpen: () => false, msUntilNextCall: () => 0 },
    });
  }

  /** Time stands still, so that no retry is due before the test says so. */
  function createStill(): { db: Db; advance: (ms: number) => void } {
    let now = clock.now();
    const still: Clock = { now: () => now, after: (ms, callback) => clock.after(ms, callback) };
    const own = createDb(database.pool, still);
    create(ACCOUNTS, still, own);
    return { db: own, advance: (ms) => void (now += ms) };
  }

  /** Further campaigns of HANGING with SmartPause on. */
  async function addCampaigns(count: number): Promise<void> {
    platform.more = Array.from({ length: count }, (_, index) => `more ${index}`);
    await sql`insert into smartpause_settings
      select user_id, unnest(${platform.more}::text[]), account_id, setting, changed_at
      from smartpause_settings where account_id = ${HANGING}`.execute(db);
  }

  async function outage(): Promise<void> {
    await report('HIGH_DISRUPTION');
  }

  async function report(reported: 'HIGH_DISRUPTION' | 'UP'): Promise<void> {
    const end = reported === 'UP' ? [clock.now() - 1000] : [];
    for (const at of [...end, clock.now()]) await recordReading(db, readingOf(reported, at), at, STALE_MS);
  }

  const leases = () =>
    db.selectFrom('workItems').selectAll().where('leaseUntil', 'is not', null).orderBy('accountId').execute();
  const pausedCount = async () =>
    (await db.selectFrom('holds').select('id').where('state', '=', 'paused').execute()).length;
  const allButOne = () =>
    waitFor('all other accounts to be paused', async () => (await pausedCount()) === ACCOUNTS - 1);

  test('works on accounts that are due in the order of their budgets, the highest first', async () => {
    await outage();
    create(1);
    await reconciler.step();
    const byBudget = ACCOUNT_IDS.toSorted(
      (a, b) => budgetOf(ACCOUNT_IDS.indexOf(b)) - budgetOf(ACCOUNT_IDS.indexOf(a)),
    );
    expect(platform.lists).toEqual(byBudget);
    expect(await pausedCount()).toBe(ACCOUNTS);
  });

  test('keeps the concurrency limit of calls, and one that hangs delays no other', async () => {
    platform.hanging = Promise.withResolvers();
    await outage();
    create(2);
    const step = reconciler.step();
    await allButOne();
    expect(platform.most).toBe(2);
    expect(platform.writes).not.toContain(HANGING);
    platform.hanging.resolve();
    await step;
    expect(await pausedCount()).toBe(ACCOUNTS);
  });

  test.each(['before its pause is stored', 'after its pause was sent'])(
    'an account whose user is locked delays no other, %s',
    async (when) => {
      const writing = Promise.withResolvers<undefined>();
      if (when.startsWith('after')) platform.writing = writing.promise;
      await outage();
      create(ACCOUNTS);
      await db.transaction().execute(async (tx) => {
        const locked = () => sql`select from users where id = 4 for update`.execute(tx);
        if (platform.writing === null) await locked();
        reconciler.start();
        if (platform.writing !== null) {
          await waitFor('all writes', () => platform.writes.length === ACCOUNTS);
          await locked();
        }
        writing.resolve(undefined);
        await allButOne();
      });
      await waitFor('its pause', async () => (await pausedCount()) === ACCOUNTS);
    },
  );

  test('a change during a pass leads to a new plan, without another read', async () => {
    let changes = 0;
    platform.amidRead = async () => {
      if ((changes += 1) <= 2) await wake(db, [HANGING]);
    };
    await outage();
    create(ACCOUNTS);
    await reconciler.step();
    expect(platform.calls.slice(0, 2)).toEqual(['list', 'write']);
    const countChange = platform.amidRead;
    platform.amidRead = async () => {
      await outage();
      while (await wakeNextAccounts(db));
    };
    platform.calls = [];
    await report('UP');
    await reconciler.step();
    expect(platform.calls.filter((call) => call !== 'log')).toEqual(['list']);
    platform.amidRead = countChange;
    [changes, platform.calls] = [0, []];
    await report('UP');
    await reconciler.step();
    expect(platform.calls.slice(0, 3)).toEqual(['list', 'log', 'write']);
    expect(await pausedCount()).toBe(0);
  });

  test('keeps the result of a write although the list that was read cannot be stored', async () => {
    // The column is smaller.
    platform.budget = 1e30;
    await outage();
    create(ACCOUNTS);
    await reconciler.step();
    expect(await pausedCount()).toBe(ACCOUNTS);
  });

  test('keeps the result of a write while the database is away, also beside one that Meta blocks', async () => {
    await addCampaigns(1);
    platform.refusal = { ...unreadable('blocked', false), kind: 'blocked', retryAfterMs: minutes(60) };
    const written = Promise.withResolvers<undefined>();
    platform.writing = written.promise;
    await outage();
    let [isAway, refused] = [false, 0];
    const connect = async (): ReturnType<PostgresPool['connect']> => {
      if (!isAway) return database.pool.connect();
      refused += 1;
      throw new Error('ECONNREFUSED');
    };
    const { options } = database.pool;
    create(ACCOUNTS, clock, createDb({ connect, end: () => Promise.resolve(), options }, clock));
    reconciler.start();
    await waitFor('all writes', () => platform.writes.length === ACCOUNTS);
    isAway = true;
    written.resolve(undefined);
    await waitFor('results that cannot be stored', () => refused > 5);
    isAway = false;
    // The clock stands still: no write is settled by reading.
    await waitFor('the pauses', async () => (await pausedCount()) === ACCOUNTS);
    expect(platform.writes).toHaveLength(ACCOUNTS);
  });

  test.each([
    ['all', 0],
    ['the other', 1],
  ])('makes %s accounts due of a status change whose process has died', async (_which, pieces) => {
    await outage();
    for (let piece = 0; piece < pieces; piece += 1) await wakeNextAccounts(db, ACCOUNTS / 2);
    create(ACCOUNTS);
    reconciler.start();
    await waitFor('the pauses', async () => (await pausedCount()) === ACCOUNTS);
  });

  test('claims due work although accounts cannot be woken', async () => {
    await wake(db, [HANGING]);
    await outage();
    await sql`alter table account_wakes rename column thresholds to other`.execute(db);
    create(ACCOUNTS);
    await reconciler.step();
    expect(await pausedCount()).toBe(1);
  });

  test('an account that cannot be loaded delays no other', async () => {
    await outage();
    const decrypt = cipher.decrypt.bind(cipher);
    vi.spyOn(cipher, 'decrypt').mockImplementation((stored, context) => {
      const token = decrypt(stored, context);
      if (token === `token of ${HANGING}`) throw new Error('no such key');
      return token;
    });
    create(ACCOUNTS);
    await reconciler.step();
    vi.restoreAllMocks();
    expect(await pausedCount()).toBe(ACCOUNTS - 1);
    expect(await leases()).toMatchObject([{ accountId: HANGING }]);
  });

  test('keeps the result of a write that could not be stored before the next one', async () => {
    await addCampaigns(BATCH_MAX);
    await outage();
    const failed = vi.spyOn(silentLog, 'error');
    const connect = async (): ReturnType<PostgresPool['connect']> => {
      const client: PostgresPoolClient = await database.pool.connect();
      const query = (text: string, values: readonly unknown[]) => {
        const isResult = text.includes('insert into holds') && JSON.stringify(values).includes('more 1');
        if (!isResult || failed.mock.calls.length > 0) return client.query(text, values);
        throw Object.assign(new Error('lock timeout'), { severity: 'ERROR', code: '55P03' });
      };
      return { query: query as PostgresPoolClient['query'], release: () => client.release() };
    };
    const { options } = database.pool;
    create(1, clock, createDb({ connect, end: () => Promise.resolve(), options }, clock));
    await reconciler.step();
    vi.restoreAllMocks();
    expect(platform.calls.filter((call) => call === 'write')).toHaveLength(1);
    expect(await pausedCount()).toBe(ACCOUNTS - 1 + BATCH_MAX);
  });

  test('an intent that cannot be stored as rows delays no other account', async () => {
    await outage();
    await db
      .updateTable('workItems')
      .set({ intent: JSON.stringify({ of: 'another version' }) })
      .where('accountId', '=', HANGING)
      .execute();
    create(ACCOUNTS);
    await reconciler.step();
    expect(await pausedCount()).toBe(ACCOUNTS - 1);
    expect(await leases()).toMatchObject([{ accountId: HANGING }]);
  });

  test('sends a write within five seconds of its plan, however long the results before it take to store', async () => {
    await addCampaigns(50);
    await outage();
    const late: number[] = [];
    platform.amidWrite = async (sendBy) => {
      const { rows } = await sql<{ until: number }>`
        select (intent #>> '{0,write,unansweredUntil}')::float8 as until from work_items
        where account_id = ${HANGING}`.execute(db);
      late.push(sendBy - ((rows[0]?.until ?? 0) - 60_000));
    };
    const connect = (): ReturnType<PostgresPool['connect']> => {
      if (late.length === 1) clock.advance(10_000);
      return database.pool.connect();
    };
    const { options } = database.pool;
    create(1, clock, createDb({ connect, end: () => Promise.resolve(), options }, clock));
    await reconciler.step();
    expect(late).toEqual([0, 0]);
  });

  test('counts the failures of an account in a row, except those of an open circuit breaker', async () => {
    // No other try during the step.
    const failed = { ...unreadable('HTML', true), retryAfterMs: 60_000 };
    const counted: unknown[] = [];
    await outage();
    const still = createStill();
    for (const failure of [failed, failed, { ...failed, nextProbeInMs: 1000 }, failed, null]) {
      platform.failure = failure;
      await wake(still.db, [HANGING]);
      await reconciler.step();
      const row = db.selectFrom('workItems').select('failures').where('accountId', '=', HANGING);
      counted.push((await row.executeTakeFirstOrThrow()).failures);
    }
    expect(counted).toEqual([1, 2, 2, 3, 0]);
  });

  test('counts the failures of a log with a response although the circuit breaker is open, and goes on without it', async () => {
    const failed = { ...unreadable('HTML', true), retryAfterMs: 60_000, nextProbeInMs: 60_000 };
    const counted: unknown[] = [];
    await outage();
    create(ACCOUNTS);
    await reconciler.step();
    await report('UP');
    for (const failure of [failed, { ...failed, maybeDone: false }, failed, failed, failed]) {
      platform.logFailure = failure;
      await wake(db, [HANGING]);
      await reconciler.step();
      const row = db.selectFrom('workItems').select('failures').where('accountId', '=', HANGING);
      counted.push((await row.executeTakeFirstOrThrow()).failures);
    }
    expect(counted).toEqual([1, 1, 2, 3, 0]);
    expect(platform.calls.filter((call) => call === 'write')).toHaveLength(2);
  });

  test('counts the failures of a write in a row, except those of an open circuit breaker', async () => {
    await addCampaigns(1);
    const failed = unreadable('HTML', false);
    const counted: unknown[] = [];
    await outage();
    const still = createStill();
    for (const failure of [failed, failed, { ...failed, nextProbeInMs: 1000 }, failed]) {
      platform.refusal = failure;
      await reconciler.step();
      const row = db.selectFrom('campaignWrites').select('failures').where('campaignId', '=', 'more 0');
      counted.push((await row.executeTakeFirstOrThrow()).failures);
      still.advance(minutes(5));
      await wake(still.db, [HANGING]);
    }
    expect(counted).toEqual([1, 2, 2, 3]);
  });

  test('looks for work once a second while it is idle', async () => {
    const waits: (() => void)[] = [];
    const lengths: number[] = [];
    // Time stands still; only the test ends the waits between two looks.
    create(1, {
      now: () => 0,
      after: (ms, callback) => {
        lengths.push(ms);
        if (ms === TIMINGS.pollMs) waits.push(callback);
        return () => undefined;
      },
    });
    reconciler.start();
    for (let look = 0; look < 5; look += 1) (await waitFor('it to wait a second', () => waits.shift()))();
    await waitFor('it to wait again', () => waits.length === 1);
    expect(Math.min(...lengths)).toBe(TIMINGS.pollMs);
    waits.pop()?.();
  });

  test('renews the lease of a pass in progress, also after the clock has jumped past its end', async () => {
    platform.hanging = Promise.withResolvers();
    await outage();
    create(2);
    reconciler.start();
    await allButOne();
    const [{ fencingToken } = { fencingToken: '' }] = await leases();
    for (let jump = 0; jump < 3; jump += 1) {
      clock.advance(2 * TIMINGS.leaseMs);
      await waitFor('the lease to be renewed', async () =>
        (await leases()).some(({ leaseUntil }) => Number(leaseUntil) > clock.now()),
      );
    }
    expect(await leases()).toMatchObject([{ accountId: HANGING, fencingToken }]);
    platform.hanging.resolve();
    await waitFor('its pause', async () => (await pausedCount()) === ACCOUNTS);
  });

  test.each(['list', 'write'])(
    'gives all leases back when it closes amid a %s, begins no call afterwards, and keeps the intent of a write',
    async (call) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      if (call === 'list') platform.amidRead = () => promise;
      else platform.amidWrite = () => promise;
      await outage();
      create(ACCOUNTS);
      reconciler.start();
      await allButOne();
      await waitFor('the call', () => platform.calls.includes(call));
      const closed = reconciler.close();
      clock.advance(5000);
      await closed;
      const calls = [...platform.calls];
      resolve(undefined);
      await new Promise((done) => setImmediate(done));
      expect(platform.calls).toEqual(calls);
      expect(await leases()).toEqual([]);
      const intents = await db
        .selectFrom('workItems')
        .select('accountId')
        .where('intent', 'is not', null)
        .execute();
      expect(intents).toEqual(call === 'list' ? [] : [{ accountId: HANGING }]);
    },
  );
});
