import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linkTo, type DatabaseLink } from '../../../test/support/database-link.ts';
import { freshDatabase, silentLog, type FreshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { openDatabase, type Database } from '../../../src/server/db/pool/open.ts';
import { DatabaseUnavailableError, isDatabaseUnavailable } from '../../../src/server/db/pool/pool.ts';

const limits = { maxConnections: 2, connectTimeoutMs: 500, statementTimeoutMs: 500 };

describe('an unavailable database', () => {
  let origin: FreshDatabase;
  let link: DatabaseLink;
  let database: Database;

  beforeEach(async () => {
    origin = await freshDatabase({ migrations: {} });
    link = await linkTo(origin.url);
    database = await openDatabase({ url: link.url, log: silentLog, ...limits });
  });
  afterEach(async () => {
    await link.mend();
    await database.close();
    await link.close();
    await origin.close();
  });

  const answers = async () => (await database.pool.query('select 1 as one')).rows;
  const isBack = () => waitFor('the database to be back', () => answers().catch(() => false));

  test('is reported as unavailable by existing and new connections, until it is back', async () => {
    expect(await answers()).toEqual([{ one: 1 }]);
    const running = database.pool.query('select pg_sleep(60)').catch((error: unknown) => error);
    await link.cut();
    expect(await running).toBeInstanceOf(DatabaseUnavailableError);
    await expect(answers()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await link.mend();
    await isBack();
  });

  test('without a response: requests end at the limit, and no connection is reused', async () => {
    const held = await database.pool.connect();
    await held.query('select 1');
    link.silence();
    await expect(held.query('select 2 as two')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    held.release();
    await expect(answers()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await link.mend();
    await isBack();
    expect(await answers()).toEqual([{ one: 1 }]);
  });

  test('a statement timeout counts as unavailable, a wrong statement does not', async () => {
    const late: unknown = await database.pool.query('select pg_sleep(60)').catch((error: unknown) => error);
    expect(isDatabaseUnavailable(late)).toBe(true);
    const wrong: unknown = await database.pool.query('select 1/0').catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: '22012' });
    expect(isDatabaseUnavailable(wrong)).toBe(false);
    expect(isDatabaseUnavailable(new TypeError('ours'))).toBe(false);
  });

  test('a migration that lifts the limit may take longer', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_sleep(2.7)');
    await client.query('commit');
    client.release();
  });
});

describe('requests that wait for a connection', () => {
  test('are limited: the pool rejects only the requests beyond the limit, at once', async () => {
    const database = await freshDatabase({ migrations: {}, maxConnections: 1, maxWaiting: 3 });
    const held = await database.pool.connect();
    const waiting = [1, 2, 3].map((n) => database.pool.query('select $1::int as n', [n]));
    await expect(database.pool.query('select 4')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    held.release();
    expect((await Promise.all(waiting)).map(({ rows }) => rows)).toEqual([
      [{ n: 1 }],
      [{ n: 2 }],
      [{ n: 3 }],
    ]);
    await database.close();
  });
});
