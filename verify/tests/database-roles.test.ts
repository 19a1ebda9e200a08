import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/0001-initial.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { silentLog } from '../../test/support/database.ts';
import type { DatabaseOfTwoRoles } from '../../test/support/two-roles.ts';
import { databaseOfTwoRoles } from '../../test/support/two-roles.ts';

// That the runtime role can do everything that SmartPause does: install.test.ts.

let roles: DatabaseOfTwoRoles;

beforeAll(async () => {
  roles = await databaseOfTwoRoles();
});
afterAll(() => roles.close());

test('the runtime role can change rows, and nothing else', async () => {
  const app = await openDatabase({ url: roles.app.url, log: silentLog });
  await expect(migrate(app, migrations)).rejects.toThrow(/npm run migrate/);
  const owner = await openDatabase({ url: roles.owner.url, log: silentLog });
  await migrate(owner, migrations);
  await owner.close();
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
    const refusal = await app.pool.query(statement).then(
      () => 'done',
      (error: unknown) => (error as pg.DatabaseError).code,
    );
    expect([statement, refusal]).toEqual([statement, '42501']);
  }
  await app.close();
});
