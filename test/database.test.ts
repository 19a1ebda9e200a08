import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrations } from '../src/server/db/migrations/index.ts';
import { describeEachEngine, freshDatabase } from './database.ts';

describeEachEngine('freshDatabase', (engine) => {
  it('is migrated, apart from every other, and gone after close', async () => {
    const [one, other] = await Promise.all([freshDatabase(engine), freshDatabase(engine)]);
    await one.pool.query('create table mine (a int)');
    const { rows } = await other.pool.query(`
      select to_regclass('mine') as mine, (select count(*)::int from kysely_migration) as migrations`);
    expect(rows).toEqual([{ mine: null, migrations: Object.keys(migrations).length }]);
    expect(one.kind).toBe(engine);
    await Promise.all([one.close(), other.close()]);
    if (one.url === undefined) return;
    const client = new pg.Client(inject('postgresUrl'));
    await client.connect();
    const name = new URL(one.url).pathname.slice(1);
    const found = await client.query('select from pg_database where datname = $1', [name]);
    await client.end();
    expect(found.rowCount).toBe(0);
  });
});
