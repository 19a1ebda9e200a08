import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freshDatabase, silentLog, type FreshDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from './open.ts';

let database: FreshDatabase;
const warn = vi.fn();

beforeEach(async () => {
  warn.mockReset();
  const log = { ...silentLog, warn };
  database = await freshDatabase({
    migrations: {},
    maxConnections: 2,
    statementTimeoutMs: 300,
    log,
  });
});
afterEach(() => database.close());

it('sets the application name, timeouts, time zone and random_page_cost', async () => {
  const { rows } = await database.pool.query(`
    select current_setting('application_name') as name, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
      current_setting('random_page_cost') as random_page_cost`);
  expect(rows).toEqual([
    { name: 'smartpause', statement: '300ms', idle: '300ms', zone: 'UTC', random_page_cost: '1.1' },
  ]);
  await expect(database.pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
});

it('survives connections that the server ends, idle or not', async () => {
  const other = await openDatabase({ url: database.url, log: silentLog });
  const held = await database.pool.connect();
  await database.pool.query('select 1');
  await other.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'smartpause' and pid <> pg_backend_pid()`,
  );
  // One connection may warn more than once; the idle one must warn, or the pool would hand it out.
  const idle = expect.stringMatching(/^An idle/) as string;
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.anything(), idle), 10_000);
  await expect(held.query('select 1')).rejects.toThrow();
  held.release(true);
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await other.close();
});

it('reports at the start why the database cannot be used', async () => {
  const url = 'postgres://unknown:secret@127.0.0.1:1/none';
  const opening = openDatabase({ url, log: silentLog });
  await expect(opening).rejects.toThrow(/The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
  await expect(opening).rejects.not.toThrow('secret');
});
