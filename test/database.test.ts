import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { migrations } from '../src/server/db/migrations/index.ts';
import { freshDatabase } from './support/database.ts';

describe('freshDatabase', () => {
  it('is migrated, isolated from every other database, and dropped by close', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    await one.pool.query('create table mine (a int)');
    const { rows } = await other.pool.query(`
      select to_regclass('mine') as mine, (select count(*)::int from kysely_migration) as migrations`);
    expect(rows).toEqual([{ mine: null, migrations: Object.keys(migrations).length }]);
    await Promise.all([one.close(), other.close()]);
    const client = new pg.Client(inject('postgresUrl'));
    await client.connect();
    const name = new URL(one.url).pathname.slice(1);
    const found = await client.query('select from pg_database where datname = $1', [name]);
    await client.end();
    expect(found.rowCount).toBe(0);
  });
});
