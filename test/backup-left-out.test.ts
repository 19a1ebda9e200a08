import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../src/server/db/backup/backup.ts';
import type { RestoreOptions } from '../src/server/db/backup/restore.ts';
import { restoreBackup } from '../src/server/db/backup/restore.ts';
import type { Db } from '../src/server/db/database.ts';
import { createDb } from '../src/server/db/database.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import type { Engine, FreshDatabase } from './database.ts';
import { engines, freshDatabase, silentLog } from './database.ts';
import { everythingIn, fillEveryTable } from './every-table.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
let folder = '';

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'smartpause-left-out-'));
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What an operator's hands and their extensions leave in a database of ours. */
const OF_OTHERS = [
  `create table "Notes of ops" (id bigint generated always as identity, upper_name text generated always as (upper(name)) stored,
     name text, person_id bigint references person)`,
  `insert into "Notes of ops" (name, person_id) values ('one', 7), ('two', null), (null, null)`,
  'create table tree (id int primary key, parent int references tree, leaf int)',
  'create table leaf (id int primary key, tree int references tree)',
  'alter table tree add foreign key (leaf) references leaf',
  'create table nothing as select 1 as one where false',
  'create sequence by_hand',
  'alter table person add column remark text',
  `update person set remark = 'a dear "customer"' where id = 7`,
  'alter table mail alter column subject type varchar(4000)',
];
const OF_AN_EXTENSION = [
  'create table of_extension (id bigserial, x int)',
  'insert into of_extension (x) values (1)',
  'alter extension plpgsql add table of_extension',
  'alter extension plpgsql add sequence of_extension_id_seq',
];

async function run(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function newPlace(engine: Engine): Promise<{ options: RestoreOptions; server: FreshDatabase | null }> {
  const dataDir = fs.mkdtempSync(path.join(folder, 'data-'));
  const server = engine === 'pglite' ? null : await freshDatabase('postgresql', { migrations: {} });
  await server?.pool.end();
  const place = { url: server?.url, dataDir, log: silentLog };
  return { options: { ...place, migrations, replace: false, isLatest: true, now: NOW }, server };
}

async function look<T>({ url, dataDir }: RestoreOptions, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, dataDir, log: silentLog });
  try {
    return await use(createDb(database.pool));
  } finally {
    await database.close();
  }
}

test.each(engines)(
  'what others have made beside it is left out, named, and stops no restore into %s',
  async (engine) => {
    const origin = await freshDatabase('postgresql');
    const db = createDb(origin.pool);
    await fillEveryTable(db);
    const ours = await everythingIn(db);
    await run(db, [...OF_OTHERS, ...OF_AN_EXTENSION]);
    const file = path.join(folder, `of-others-${engine}`);
    const written = await writeBackup(db, { file, overwrite: false, now: NOW });
    expect(Object.keys(written.counts)).not.toContain('of_extension');
    await origin.close();

    const { options, server } = await newPlace(engine);
    const restored = await restoreBackup(file, options);

    expect(restored.leftOut).toEqual([
      { name: 'Notes of ops', rows: 3 },
      { name: 'leaf', rows: 0 },
      { name: 'nothing', rows: 0 },
      { name: 'person.remark', rows: 1 },
      { name: 'tree', rows: 0 },
    ]);
    expect(restored.counts).toEqual(
      Object.fromEntries(
        Object.entries(written.counts).filter(
          ([name]) => !['Notes of ops', 'leaf', 'nothing', 'tree'].includes(name),
        ),
      ),
    );
    expect(await look(options, everythingIn)).toEqual(ours);
    await server?.close();
  },
);

test('a server on which an extension has tables is restored into, and keeps them', async () => {
  const origin = await freshDatabase('postgresql');
  const db = createDb(origin.pool);
  await fillEveryTable(db);
  const file = path.join(folder, 'beside-extension');
  await writeBackup(db, { file, overwrite: false, now: NOW });
  await origin.close();
  const target = await freshDatabase('postgresql', { migrations: {} });
  await run(createDb(target.pool), OF_AN_EXTENSION);
  await target.pool.end();
  const { options } = await newPlace('pglite');
  for (const replace of [false, true]) {
    const restored = await restoreBackup(file, { ...options, url: target.url, replace });
    expect(restored.leftOut).toEqual([]);
  }
  await look({ ...options, url: target.url }, async (there) => {
    expect((await sql`select x from of_extension`.execute(there)).rows).toEqual([{ x: 1 }]);
  });
  await target.close();
});

test('when the database cannot get to know its tables, all is restored all the same, and that is told', async () => {
  const origin = await freshDatabase('postgresql');
  const db = createDb(origin.pool);
  await fillEveryTable(db);
  const everything = await everythingIn(db);
  const file = path.join(folder, 'not-analyzed');
  await writeBackup(db, { file, overwrite: false, now: NOW });
  await origin.close();
  const target = await freshDatabase('postgresql', { migrations: {} });
  // Its index is computed again when tables are analyzed, and then it says which limit of time there is.
  await run(createDb(target.pool), [
    'create schema other',
    'create table other.flag as select 1 as one',
    `create function other.tell(int) returns int language plpgsql immutable as $$ begin
       if not exists (select from other.flag) then raise 'the limit is %', current_setting('statement_timeout'); end if;
       return 1; end $$`,
    'create table other.told as select x from generate_series(1, 10) x',
    'create index on other.told (other.tell(x))',
    'delete from other.flag',
  ]);
  await target.pool.end();
  const { options } = await newPlace('pglite');
  const restored = await restoreBackup(file, { ...options, url: target.url });
  expect(restored.notAnalyzed).toBe('the limit is 0');
  expect(restored.found).toEqual({ held: 1, unsent: 1, directive: 'HIGH_DISRUPTION' });
  expect(await look({ ...options, url: target.url }, everythingIn)).toEqual(everything);
  await target.close();
});
