import type { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { freshDatabase, silentLog, type FreshDatabase } from '../../../test/support/database.ts';
import { linkTo } from '../../../test/support/database-link.ts';
import { createDb } from './database.ts';
import { openDatabase } from './open-database.ts';
import { createPool, isDatabaseUnavailable } from './pool.ts';

const LIMITS = { maxConnections: 2, connectTimeoutMs: 10_000, statementTimeoutMs: 1_500 };
const warn = vi.fn();

let database: FreshDatabase;
beforeEach(async () => {
  warn.mockReset();
  database = await freshDatabase({ migrations: {}, ...LIMITS, log: { ...silentLog, warn } });
});
/** Connections in use. Closing waits for them, so those of a test that failed are released. */
const inUse = new Set<pg.PoolClient>();
afterEach(async () => {
  vi.useRealTimers();
  inUse.forEach(release);
  await database.close();
});

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  inUse.add(client);
  return client;
}
function release(client: pg.PoolClient): void {
  if (inUse.delete(client)) client.release();
}

const stepTime = () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const failureOfAsking = (pool: pg.Pool): Promise<unknown> => failureOf(sql`select 1`.execute(createDb(pool)));
const responds = async () =>
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);

describe('the pools', () => {
  it('set the application name, timeouts, time zone and random_page_cost', async () => {
    const settings = `
      select current_setting('application_name') as name, current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
        current_setting('random_page_cost') as random_page_cost`;
    const expected = {
      ...{ name: 'smartpause', statement: '1500ms', idle: '1500ms', zone: 'UTC', random_page_cost: '1.1' },
    };
    expect((await database.pool.query(settings)).rows).toEqual([expected]);
    expect((await database.migrationPool.query(settings)).rows).toEqual([
      { ...expected, statement: '0', idle: '0' },
    ]);
  });

  it('end a statement that takes too long', async () => {
    const failure = await failureOf(database.pool.query('select pg_sleep(60)'));
    expect(failure).toMatchObject({ code: '57014' });
    expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  it.each([
    ['pages', 'pagesPool', 5, 'pool'],
    ['the reconciler', 'pool', 2, 'pagesPool'],
    ['notifications', 'notificationsPool', 4, 'pool'],
  ] as const)('leave connections to others while %s use all of theirs', async (_who, busy, count, other) => {
    const held = await Promise.all(Array.from({ length: count }, () => connect(database[busy])));
    stepTime();
    const failures = Promise.all([1, 2].map(() => failureOfAsking(database[busy])));
    await vi.advanceTimersByTimeAsync(busy === 'notificationsPool' ? 30_000 : LIMITS.connectTimeoutMs);
    expect((await failures).map(isDatabaseUnavailable)).toEqual([true, true]);
    expect((await database[other].query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    held.forEach(release);
    expect((await database[busy].query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('survive connections that the server ends, idle or not', async () => {
    const held = await connect(database.pool);
    const ended = new Promise((resolve) => held.once('end', () => resolve(null)));
    await database.pool.query('select 1');
    await database.migrationPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'smartpause' and pid <> pg_backend_pid()`,
    );
    const reason = expect.any(String) as string;
    const idle = expect.stringMatching(/^An idle/) as string;
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith({ code: '57P01', reason }, idle), 10_000);
    await ended;
    release(held);
    await responds();
  });

  it('report every failed connection as unavailable: a password, a database, a closed socket', async () => {
    const wrong = (part: 'password' | 'pathname', value: string) => {
      const url = Object.assign(new URL(database.url), { [part]: value }).href;
      return createPool({ ...LIMITS, url, log: silentLog });
    };
    for (const pool of [wrong('password', 'wrong'), wrong('pathname', '/none')]) {
      expect(isDatabaseUnavailable(await failureOfAsking(pool))).toBe(true);
      await pool.end();
    }
    database.pool.once('acquire', (client: pg.PoolClient & { connection: { stream: Socket } }) =>
      client.connection.stream.end(),
    );
    expect(isDatabaseUnavailable(await failureOfAsking(database.pool))).toBe(true);
    await responds();
  });

  it('give no connection to others whose statement had no response', async () => {
    const link = await linkTo(database.url);
    const far = await openDatabase({
      url: link.url,
      log: { ...silentLog, warn },
      ...LIMITS,
      maxConnections: 1,
    });
    const db = createDb(far.pool);
    await sql`select 1`.execute(db);
    link.silence();
    stepTime();
    const failure = failureOf(sql`select 2`.execute(db));
    await vi.advanceTimersByTimeAsync(LIMITS.statementTimeoutMs + 2_000);
    expect(isDatabaseUnavailable(await failure)).toBe(true);
    vi.useRealTimers();
    await link.mend();
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
    await far.close();
    await link.close();
  });
});

test('keeps the connection of a refused statement, and closes one whose statement had no response', async () => {
  const released: unknown[] = [];
  const refused = Object.assign(new Error('division by zero'), { severity: 'ERROR', code: '22012' });
  const answers = [null, refused, new Error('Query read timeout')];
  const pool = {
    ...{ options: {}, end: () => Promise.resolve() },
    connect: () =>
      Promise.resolve({
        query: () => {
          const error = answers.shift() ?? null;
          return error === null ? Promise.resolve({ rows: [] }) : Promise.reject(error);
        },
        release: (isBroken?: boolean) => released.push(isBroken),
      }),
  };
  for (let statement = 0; statement < 3; statement += 1) await failureOfAsking(pool as unknown as pg.Pool);
  expect(released).toEqual([false, false, true]);
});

test('opening reports why the database cannot be used', async () => {
  const url = 'postgres://unknown:secret@127.0.0.1:1/none';
  const opening = openDatabase({ url, log: silentLog });
  await expect(opening).rejects.toThrow(/The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
  await expect(opening).rejects.not.toThrow('secret');
});

test.each([
  [
    'a shutdown',
    Object.assign(new pg.DatabaseError('', 0, 'error'), { severity: 'FATAL', code: '57P01' }),
    true,
  ],
  [
    'a duplicate key',
    Object.assign(new pg.DatabaseError('', 0, 'error'), { severity: 'ERROR', code: '23505' }),
    false,
  ],
  ['a missing file', Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' }), false],
])('%s counts as an unavailable database: %s', (_what, error, expected) => {
  expect(isDatabaseUnavailable(error)).toBe(expected);
});
