import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { PoolShare } from './own-share.ts';
import { DatabaseUnavailableError } from './pool.ts';

describe('what pages may have of the database', () => {
  let database: FreshDatabase;
  let pages: PoolShare;

  beforeEach(async () => {
    database = await freshDatabase({ migrations: {} });
    pages = new PoolShare(database.pool, database.forPages);
  });
  afterEach(() => database.close());

  const holdAllOfPages = () =>
    Promise.all(Array.from({ length: database.forPages.connections }, () => pages.connect()));

  test('the engine is served before whoever waits among the pages', async () => {
    const order: string[] = [];
    const ask = (pool: Pick<PoolShare, 'query'>, name: string) =>
      pool.query('select 1').then(() => order.push(name));
    const held = await holdAllOfPages();
    const waiting = Array.from({ length: 50 }, () => ask(pages, 'page'));
    const engines = Array.from({ length: 3 }, () => ask(database.pool, 'engine'));
    await Promise.all(engines);
    for (const one of held) one.release();
    await Promise.all([...waiting, ...engines]);
    expect(order.slice(0, 3)).toEqual(['engine', 'engine', 'engine']);
    expect(order).toHaveLength(53);
  });

  test('pages that wait are so many at most, and each for so long', async () => {
    const few = new PoolShare(database.pool, { connections: 1, maxWaiting: 2, connectTimeoutMs: 200 });
    const held = await few.connect();
    const waiting = [1, 2].map(() => few.query('select 1').catch((error: unknown) => error));
    await expect(few.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    for (const late of await Promise.all(waiting)) expect(late).toBeInstanceOf(DatabaseUnavailableError);
    held.release();
    expect((await few.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('who has a turn and no connection in time gives both back when they come', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    const few = new PoolShare(database.pool, { connections: 1, maxWaiting: 2, connectTimeoutMs: 100 });
    await expect(few.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    for (const one of all) one.release();
    await waitFor('pages to be served', () =>
      few.query('select 1').then(
        () => true,
        () => false,
      ),
    );
  });

  test('a turn is over with its failure as well', async () => {
    for (let n = 0; n < 2 * database.forPages.connections; n += 1) {
      await expect(pages.query('select 1/0')).rejects.toMatchObject({ code: '22012' });
    }
    expect((await pages.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
