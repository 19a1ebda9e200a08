import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/index.ts';
import type { Database } from '../../src/server/db/pool/open.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
import { silentLog } from '../../test/support/database.ts';
import { openStream } from '../../test/support/page-stream.ts';
import type { TestProduct } from '../../test/support/product.ts';
import { newAdvertiser, startProduct, waitForStatuses } from '../../test/support/product.ts';
import type { DatabaseOfTwoRoles } from '../../test/support/two-roles.ts';
import { databaseOfTwoRoles } from '../../test/support/two-roles.ts';

let roles: DatabaseOfTwoRoles;
let simulators: Simulators;
let database: Database;
let product: TestProduct | undefined;

const open = ({ url }: { url: string }) => openDatabase({ url, log: silentLog });

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  roles = await databaseOfTwoRoles();
});

afterAll(async () => {
  await product?.close();
  await simulators.stop();
  await roles.close();
});

test('the runtime role cannot migrate, and the error names the role that can', async () => {
  const app = await open(roles.app);
  await expect(migrate(app, migrations)).rejects.toThrow(/npm run migrate/);
  await app.close();
});

test('after a migration by the owner, SmartPause does all its work as the runtime role', async () => {
  const owner = await open(roles.owner);
  expect(await migrate(owner, migrations)).toEqual(Object.keys(migrations));
  await owner.close();

  database = await open(roles.app);
  product = await startProduct({ simulators, database });
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED'] });
  const stream = await openStream(who.user);
  await simulators.status.post('/status', { service: 'Ads Delivery', status: 'High disruptions' });
  await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
  await stream.hears('status');
  await simulators.status.post('/reset');
  await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'PAUSED']);
  stream.close();
  await waitFor('the activities', async () => {
    const rows = await roles.superuser.query("select from activity where type in ('pause', 'resume')");
    return (rows.rowCount ?? 0) >= 2;
  });
});

test('the runtime role can change rows, and nothing else', async () => {
  const client = new pg.Client(roles.app.url);
  await client.connect();
  try {
    for (const statement of [
      'drop table app_user',
      'alter table app_user add column extra text',
      'alter table app_user disable trigger all',
      'create table extra (id int)',
      'create temporary table extra (id int)',
      'create index on app_user (name)',
      'truncate app_user',
      'create or replace function extra() returns int language sql as $$ select 1 $$',
      'create extension pgcrypto',
      'create role extra',
      `alter role ${roles.app.name} superuser`,
      `set role ${roles.owner.name}`,
      "copy app_user to '/users'",
      "copy app_user to program 'cat'",
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
