import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulators } from '../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { writeBackup } from '../src/server/db/backup/backup.ts';
import { restoreBackup } from '../src/server/db/backup/restore.ts';
import { createDb } from '../src/server/db/database.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import type { Database } from '../src/server/db/pool/open.ts';
import { MEMORY, openDatabase } from '../src/server/db/pool/open.ts';
import type { FreshDatabase } from './database.ts';
import { freshDatabase, silentLog } from './database.ts';
import { openStream } from './page-stream.ts';
import type { TestProduct } from './product.ts';
import { newAdvertiser, startProduct, waitForStatuses } from './product.ts';

// Roles belong to the whole server, so each run has its own.
const suffix = randomUUID().slice(0, 8).replaceAll('-', '');
const OWNER = `owner_${suffix}`;
const APP = `app_${suffix}`;
const PASSWORD = randomUUID();

let empty: FreshDatabase;
let superuser: pg.Client;
let simulators: Simulators;
let database: Database;
let product: TestProduct | undefined;

function urlFor(role: string): string {
  const url = new URL(empty.url ?? '');
  url.username = role;
  url.password = PASSWORD;
  return url.href;
}

const open = (role: string) => openDatabase({ url: urlFor(role), dataDir: MEMORY, log: silentLog });

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  empty = await freshDatabase('postgresql', { migrations: {} });
  superuser = new pg.Client(empty.url);
  await superuser.connect();
  // Kysely's own two tables, which the copied database has already.
  await superuser.query('drop table if exists kysely_migration, kysely_migration_lock');
  const script = await readFile(join(import.meta.dirname, '../docs/database-roles.sql'), 'utf8');
  await superuser.query(script.replaceAll('smartpause_owner', OWNER).replaceAll('smartpause_app', APP));
  for (const role of [OWNER, APP]) await superuser.query(`alter role ${role} password '${PASSWORD}'`);
});

afterAll(async () => {
  await product?.close();
  await simulators.stop();
  await superuser.end();
  await empty.close();
  const server = new pg.Client(new URL('/postgres', empty.url).href);
  await server.connect();
  await server.query(`drop role ${OWNER}, ${APP}`);
  await server.end();
});

test('the role that SmartPause runs as cannot migrate, and is told who can', async () => {
  const app = await open(APP);
  await expect(migrate(app, migrations)).rejects.toThrow(/npm run migrate/);
  await app.close();
});

test('migrated by the owner, SmartPause does all its work as the other role', async () => {
  const owner = await open(OWNER);
  expect(await migrate(owner, migrations)).toEqual(Object.keys(migrations));
  await owner.close();

  database = await open(APP);
  product = await startProduct({ simulators, database });
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED'] });
  const stream = await openStream(who.person);
  await simulators.status.post('/status', { service: 'Ads Delivery', status: 'High disruptions' });
  await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
  await stream.hears('status');
  await simulators.status.post('/reset');
  await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'PAUSED']);
  stream.close();
  await waitFor('the activities', async () => {
    const rows = await superuser.query("select from activity where type in ('pause', 'resume')");
    return (rows.rowCount ?? 0) >= 2;
  });
});

test('that role can change rows, and nothing else', async () => {
  const client = new pg.Client(urlFor(APP));
  await client.connect();
  try {
    for (const statement of [
      'drop table person',
      'alter table person add column extra text',
      'alter table person disable trigger all',
      'create table extra (id int)',
      'create temporary table extra (id int)',
      'create index on person (name)',
      'truncate person',
      'create or replace function extra() returns int language sql as $$ select 1 $$',
      'create extension pgcrypto',
      'create role extra',
      `alter role ${APP} superuser`,
      `set role ${OWNER}`,
      "copy person to '/people'",
      "copy person to program 'cat'",
      "select pg_read_file('/etc/passwd')",
      'select * from pg_authid',
    ]) {
      const refusal = await client.query(statement).then(
        () => 'done',
        (error: unknown) => (error as pg.DatabaseError).code,
      );
      expect([statement, refusal]).toEqual([statement, '42501']);
    }
  } finally {
    await client.end();
  }
});

test('the same role backs everything up, and its owner restores it', async () => {
  await product?.close();
  product = undefined;
  const file = join(await mkdtemp(join(tmpdir(), 'smartpause-roles-')), 'backup');
  const now = Date.now();
  const app = await open(APP);
  const { counts } = await writeBackup(createDb(app.pool), { file, overwrite: false, now });
  await app.close();
  expect(counts).toMatchObject({ person: 1, smart_pause: 2 });

  // The tests' own connection.
  await empty.pool.end();
  const given = { dataDir: MEMORY, migrations, replace: true, isLatest: true, now, log: silentLog };
  await expect(restoreBackup(file, { ...given, url: urlFor(APP) })).rejects.toThrow(
    /as the one that owns the tables/,
  );
  expect((await restoreBackup(file, { ...given, url: urlFor(OWNER) })).counts).toEqual(counts);
  const again = await open(APP);
  expect(await migrate(again, migrations)).toEqual([]);
  expect((await again.pool.query('select name from person')).rows).toHaveLength(1);
  await again.close();
  await rm(dirname(file), { recursive: true });
});
