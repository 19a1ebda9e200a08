import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';

const noon = new Date('2026-03-01T12:00:00.123Z');
const HUGE = '9223372036854775807';
const texts = ['a', 'b"c\\', 'NULL', '', null, 'd,{}'];

/** What the statements of the product rely on: the session settings, and conversions that lose nothing. */
const values: [title: string, expression: string, given: unknown, read: unknown][] = [
  ['int8 beyond 2^53', '$1::int8', HUGE, HUGE],
  ['a sum of int4', '(select sum(x) from unnest($1::int[]) x)', [1, 2], '3'],
  ['text', '$1::text', `quo'te "ü😀\\ \n`, `quo'te "ü😀\\ \n`],
  ['undefined', '$1::text', undefined, null],
  ['timestamptz', '$1::timestamptz', noon, noon],
  ['timestamptz as text', '$1::timestamptz::text', noon, '2026-03-01 12:00:00.123+00'],
  ['the UTC day', `date_trunc('day', $1::timestamptz)`, noon, new Date('2026-03-01T00:00:00Z')],
  ['interval as text', `($1 * interval '90 minutes')::text`, 1, '01:30:00'],
  ['jsonb from an object', '$1::jsonb', { a: [1, 'x', null] }, { a: [1, 'x', null] }],
  ['jsonb from a string of JSON', '$1::jsonb', '[1,{"a":2}]', [1, { a: 2 }]],
  ['text[]', '$1::text[]', texts, texts],
  ['an empty text[]', '$1::text[]', [], []],
  ['bigint[]', '$1::bigint[]', [HUGE, 2n], [HUGE, '2']],
  ['boolean[]', '$1::boolean[]', [true, false], [true, false]],
  ['timestamptz[]', '$1::timestamptz[]', [noon, null], [noon, null]],
  ['bytea', '$1::bytea', new Uint8Array([0, 1, 255]), Buffer.from([0, 1, 255])],
];

/** The table item holds one row, (1, 10). */
const failures: [title: string, text: string, given: unknown[], error: object][] = [
  [
    'a duplicate key',
    'insert into item values (1, 1)',
    [],
    { code: '23505', constraint: 'item_pkey', table: 'item' },
  ],
  [
    'a duplicate key by parameter',
    'insert into item values ($1, 1)',
    [1],
    { code: '23505', detail: 'Key (id)=(1) already exists.' },
  ],
  ['a check', 'insert into item values (2, -1)', [], { code: '23514', constraint: 'item_amount_check' }],
  ['a syntax error', 'selekt 1', [], { code: '42601', position: '1', severity: 'ERROR' }],
  ['an unreadable parameter', 'select $1::int', ['x'], { code: '22P02' }],
  ['too few parameters', 'select $1::int + $2::int', [1], { code: '08P01' }],
  ['the second of two statements', 'select 1; select 1/0', [], { code: '22012' }],
];

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

  it.each(values)('gives and takes %s', async (_title, expression, given, read) => {
    const { rows } = await database.pool.query(`select ${expression} as value`, [given]);
    expect(rows).toEqual([{ value: read }]);
  });

  it.each(failures)('reports %s', async (_title, text, given, error) => {
    const failure: unknown = await database.pool.query(text, given).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(pg.DatabaseError);
    expect(failure).toMatchObject(error);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('reports the command and the row count', async () => {
    const { pool } = database;
    const rows = [{ id: 50 }, { id: 51 }];
    for (const [text, given, result] of [
      ['select 1 as a where $1', [false], { command: 'SELECT', rowCount: 0, rows: [] }],
      ['update item set amount = amount', [], { command: 'UPDATE', rowCount: 1 }],
      ['create temp table x (a int); drop table x; select 5 as last', [], { rows: [{ last: 5 }] }],
      ['insert into item values (50, 1), (51, 1)', [], { command: 'INSERT', rowCount: 2 }],
      ['delete from item where id >= $1 returning id', [50], { rowCount: 2, rows }],
      ['create temp table y (a int)', [], { command: 'CREATE', rowCount: null }],
    ] as const) {
      expect(await pool.query(text, given)).toMatchObject(result);
    }
  });

  it('refuses COPY from the client and stays usable', async () => {
    for (const given of [[], [1]]) {
      await expect(database.pool.query('copy item from stdin', given)).rejects.toThrow();
      expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
    expect((await database.pool.query('select $1::text as copy', ['copy'])).rows).toEqual([{ copy: 'copy' }]);
  });

  it('returns to each of 2,000 parallel queries its own result, though many fail', async () => {
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
      // Either of the two inserts of one key may win; exactly one does.
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

  it('rolls back an open transaction and gives a clean session to the next client', async () => {
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

  it('destroys the session on request', async () => {
    const client = await database.pool.connect();
    await client.query(`set statement_timeout = 1234; create temp table mine (a int)`);
    client.release(new Error('not to be trusted'));
    const { rows } = await database.pool.query(
      `select to_regclass('mine') as mine, current_setting('statement_timeout') <> '1234ms' as reset`,
    );
    expect(rows).toEqual([{ mine: null, reset: true }]);
  });

  it('refuses a released client', async () => {
    const client = await database.pool.connect();
    client.release();
    await expect(client.query('select 1')).rejects.toThrow('was released');
    expect(() => client.release()).toThrow('released before');
  });

  it('fails a query that waits for its own transaction instead of blocking forever', async () => {
    const clients = [await database.pool.connect()];
    while (clients.length < 3) clients.push(await database.pool.connect());
    await clients[0]?.query('begin');
    await expect(database.pool.query('select 1')).rejects.toThrow(
      /within 0.5 s.*the transaction's own client/,
    );
    await clients[0]?.query('rollback');
    for (const client of clients) client.release();
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('supports Kysely, its transactions and its row counts', async () => {
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

describe('close', () => {
  it('finishes running queries, refuses later ones, and may be called twice', async () => {
    const database = await freshDatabase({ migrations: {} });
    const running = Array.from({ length: 5 }, (_, i) => database.pool.query('select $1::int as i', [i]));
    await Promise.all([database.close(), database.close()]);
    expect((await Promise.all(running)).map(({ rows }) => rows)).toEqual([0, 1, 2, 3, 4].map((i) => [{ i }]));
    await expect(database.pool.query('select 1')).rejects.toThrow();
    await database.close();
    await database.pool.end();
  });
});
