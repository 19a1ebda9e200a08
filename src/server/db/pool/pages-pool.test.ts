import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import type { Pool } from './pool.ts';
import { DatabaseUnavailableError } from './pool.ts';

const LIMITS = { maxConnections: 2, maxWaiting: 3, connectTimeoutMs: 300 };

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase({ migrations: {}, ...LIMITS });
});
afterEach(() => database.close());

const holdAll = (pool: Pool, count: number) =>
  Promise.all(Array.from({ length: count }, () => pool.connect()));

test.each([
  ['pages', 'pagesPool', 5, 'pool'],
  ['the reconciler', 'pool', 2, 'pagesPool'],
] as const)(
  '%s with all of their connections busy leave the others theirs',
  async (_who, busy, count, other) => {
    const held = await holdAll(database[busy], count);
    const waiting = [1, 2, 3].map(() =>
      database[busy].query('select 1').then(
        () => 'answered',
        (error: unknown) => error,
      ),
    );
    await expect(database[busy].query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect((await database[other].query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    for (const late of await Promise.all(waiting)) expect(late).toBeInstanceOf(DatabaseUnavailableError);
    for (const one of held) one.release();
    expect((await database[busy].query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  },
);
