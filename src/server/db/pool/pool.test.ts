import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import { failures, values } from './fixtures/cases.ts';

describe('the pool', () => {
  let database: FreshDatabase;
  const warnings: string[] = [];
  const warn = (_details: object, message: string) => void warnings.push(message);

  beforeAll(async () => {
    const log = { info: () => undefined, warn, error: warn };
    database = await freshDatabase({ migrations: {}, connectTimeoutMs: 500, maxConnections: 3, log });
    await database.pool.query(`
      create table item (id int primary key, amount int not null check (amount >= 0));
      insert into item values (1, 10)`);
  });
  afterAll(() => database.close());

  it.each(values)('gives and takes $title', async ({ expression, given, read }) => {
    const text = `select ${expression} as value`;
    const { rows } = await database.pool.query(text, expression.includes('$1') ? [given] : []);
    expect(rows).toEqual([{ value: read }]);
  });

  it.each(failures)('reports $title', async ({ text, values: given, error }) => {
    const failure: unknown = await database.pool.query(text, given).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).toBeInstanceOf(pg.DatabaseError);
    expect(failure).toMatchObject(error);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('reports the command and the count of rows', async () => {
    const { pool } = database;
    expect(await pool.query('select 1 as a where $1', [false])).toMatchObject({
      command: 'SELECT',
      rowCount: 0,
      rows: [],
    });
    expect(await pool.query('update item set amount = amount')).toMatchObject({
      command: 'UPDATE',
      rowCount: 1,
    });
    expect(await pool.query('create temp table x (a int); drop table x; select 5 as last')).toMatchObject({
      rows: [{ last: 5 }],
    });
    expect(await pool.query('insert into item values (50, 1), (51, 1)')).toMatchObject({
      command: 'INSERT',
      rowCount: 2,
    });
    expect(await pool.query('delete from item where id >= $1 returning id', [50])).toMatchObject({
      rowCount: 2,
      rows: [{ id: 50 }, { id: 51 }],
    });
    expect(await pool.query('create temp table y (a int)')).toMatchObject({
      command: 'CREATE',
      rowCount: null,
    });
  });

  it('carries a result of many megabytes and a parameter of several', async () => {
    const { rows } = await database.pool.query(
      `select i, repeat('x', 100) as text from generate_series(1, 100000) i`,
    );
    expect(rows).toHaveLength(100_000);
    expect(rows.at(-1)).toEqual({ i: 100_000, text: 'x'.repeat(100) });
    const long = 'ü'.repeat(3_000_000);
    expect((await database.pool.query<{ n: number }>('select length($1) as n', [long])).rows).toEqual([
      { n: 3_000_000 },
    ]);
  });

  it('refuses COPY from the client and stays usable', async () => {
    for (const given of [[], [1]]) {
      await expect(database.pool.query('copy item from stdin', given)).rejects.toThrow();
      expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
    expect((await database.pool.query('select $1::text as copy', ['copy'])).rows).toEqual([{ copy: 'copy' }]);
  });

  it('gives each of 2,000 queries at once its own answer, though many fail', async () => {
    const patient = await freshDatabase({ migrations: {}, maxWaiting: 2_000 });
    await patient.pool.query('create table n (i int primary key)');
    const outcomes = await Promise.all(
      Array.from({ length: 2000 }, async (_, i) => {
        const [text, given] = [
          ['select $1::int as i', [i]],
          ['insert into n values ($1) returning i', [i]],
          ['insert into n values ($1) returning i', [i - 1]],
          ['select $1::int / 0', [i]],
          [`select ${i} as i`, []],
        ][i % 5] as [string, unknown[]];
        return await patient.pool.query<{ i: number }>(text, given).then(
          ({ rows }) => rows[0]?.i,
          (error: unknown) => (error as { code: string }).code,
        );
      }),
    );
    const inserted = new Set(
      (await patient.pool.query<{ i: number }>('select i from n')).rows.map(({ i }) => i),
    );
    await patient.close();
    expect(inserted.size).toBe(400);
    for (const [i, outcome] of outcomes.entries()) {
      // Which of the two inserts of one key came first is open; that exactly one won is not.
      if (i % 5 === 1) expect([outcome, outcomes[i + 1]].sort()).toEqual(['23505', i].sort());
      else if (i % 5 === 3) expect(outcome).toBe('22012');
      else if (i % 5 !== 2) expect(outcome).toBe(i);
    }
  });

  it('keeps transactions apart', async () => {
    const add = async (): Promise<void> => {
      const client = await database.pool.connect();
      await client.query('begin');
      const { rows } = await client.query<{ amount: number }>(
        'select amount from item where id = 1 for update',
      );
      await client.query('update item set amount = $1 where id = 1', [(rows[0]?.amount ?? 0) + 1]);
      await client.query('commit');
      client.release();
    };
    await Promise.all(Array.from({ length: 3 }, add));
    expect((await database.pool.query('select amount from item where id = 1')).rows).toEqual([
      { amount: 13 },
    ]);
  });

  it('rolls back what a client left open and hands a clean session to the next', async () => {
    for (const last of ['update item set amount = 99 where id = 1', 'select 1/0']) {
      warnings.length = 0;
      const client = await database.pool.connect();
      await client.query('begin');
      await client.query('delete from item');
      await client.query(last).catch(() => undefined);
      client.release();
      expect((await database.pool.query('select count(*)::int as n from item')).rows).toEqual([{ n: 1 }]);
      expect(warnings).toEqual(['A database client was released inside a transaction; it is rolled back.']);
    }
  });

  it('throws the session away when asked to', async () => {
    const client = await database.pool.connect();
    await client.query(`set statement_timeout = 1234; create temp table mine (a int)`);
    client.release(new Error('not to be trusted'));
    const { rows } = await database.pool.query(
      `select to_regclass('mine') as mine, current_setting('statement_timeout') <> '1234ms' as reset`,
    );
    expect(rows).toEqual([{ mine: null, reset: true }]);
  });

  it('refuses a client that was released', async () => {
    const client = await database.pool.connect();
    client.release();
    await expect(client.query('select 1')).rejects.toThrow('was released');
    expect(() => client.release()).toThrow('released before');
  });

  it('answers a query that waits for its own transaction with an error instead of for ever', async () => {
    const clients = [await database.pool.connect()];
    while (!database.exclusive && clients.length < 3) clients.push(await database.pool.connect());
    await clients[0]?.query('begin');
    await expect(database.pool.query('select 1')).rejects.toThrow(
      /within 0.5 s.*the transaction's own client/,
    );
    await clients[0]?.query('rollback');
    for (const client of clients) client.release();
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('carries Kysely, its transactions and its report of what changed', async () => {
    const db = new Kysely<{ item: { id: number; amount: number } }>({
      dialect: new PostgresDialect({ pool: database.pool }),
    });
    const rejected = db.transaction().execute(async (trx) => {
      await trx.insertInto('item').values({ id: 2, amount: 1 }).execute();
      await trx.insertInto('item').values({ id: 2, amount: 1 }).execute();
    });
    await expect(rejected).rejects.toMatchObject({ code: '23505' });
    expect(await db.selectFrom('item').select('id').execute()).toEqual([{ id: 1 }]);
    expect(await db.updateTable('item').set({ amount: 4 }).executeTakeFirst()).toMatchObject({
      numUpdatedRows: 1n,
    });
    const swallowed = db.transaction().execute(async (trx) => {
      await sql`select 1/0`.execute(trx).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow();
  });
});

describe('closing', () => {
  it('lets what runs finish, refuses what comes later, and may be asked twice', async () => {
    const database = await freshDatabase({ migrations: {} });
    const running = Array.from({ length: 5 }, (_, i) => database.pool.query('select $1::int as i', [i]));
    await Promise.all([database.close(), database.close()]);
    expect((await Promise.all(running)).map(({ rows }) => rows)).toEqual([0, 1, 2, 3, 4].map((i) => [{ i }]));
    await expect(database.pool.query('select 1')).rejects.toThrow();
    await database.close();
    await database.pool.end();
  });
});
