import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/support/database.ts';
import { createDb } from './database.ts';
import { hasMigrations, migrate, type Migration } from './migrate.ts';
import { migrations } from './migrations/all.ts';

const numberedMigrations: Record<string, Migration> = {
  '0001_fruit': {
    up: async (db) => {
      await sql`create table fruit (name text primary key)`.execute(db);
    },
  },
  '0002_apple': {
    up: async (db) => {
      await sql`insert into fruit values ('apple')`.execute(db);
    },
  },
};

let database: FreshDatabase;

async function fruit(): Promise<unknown[]> {
  return (await database.pool.query<{ name: string }>('select name from fruit order by name')).rows.map(
    ({ name }) => name,
  );
}

it('no migration is edited: a change of the tables is a new one', () => {
  expect(Object.keys(migrations)).toEqual([
    ...['0001-initial-cfa75686', '0002-deliveries-5cb3bab4', '0003-delivery-answers-c250d34a'],
    ...['0004-confirmed-addresses-cb09bd76', '0005-delivery-retries-ba5a1fa6'],
    ...['0006-incidents-b8311f75', '0007-refused-resumes-8dc5cd7d'],
    ...['0008-campaign-spend-e95f874e', '0009-outage-estimates-b4bc5081', '0010-channel-tests-afd8c415'],
    ...['0011-address-refusals-bbb4e078', '0012-channel-targets-cf131321'],
    '0013-held-up-b3f720ee',
    '0014-monthly-summary-91d401e4',
    '0015-status-file-times-7826ecdd',
    '0016-incident-answers-bf4e1010',
    '0017-held-up-told-c1dfcb69',
    '0018-signals-4bc98987',
    '0019-early-warning-12839692',
    '0020-acting-on-early-warnings-a2cd1c2b',
    '0021-earlier-choices-ed920d9b',
  ]);
});

describe('migrate', () => {
  beforeEach(async () => {
    database = await freshDatabase({ migrations: {} });
    return () => database.close();
  });

  it('throws, names the failed migration, and applies nothing of the batch', async () => {
    const broken: Migration = {
      up: async (db) => {
        await sql`insert into fruit values ('apple')`.execute(db);
      },
    };
    const migrating = migrate(database, { ...numberedMigrations, '0003_broken': broken });
    await expect(migrating).rejects.toThrow(/^Migration 0003_broken failed: duplicate key/);
    await expect(migrating).rejects.toMatchObject({ cause: { code: '23505' } });
    expect(await migrate(database, numberedMigrations)).toEqual(['0001_fruit', '0002_apple']);
  });

  it('starts on the database of a newer version, unless that removed what this one uses', async () => {
    const nothing: Migration = { up: () => Promise.resolve() };
    await migrate(database, {
      ...numberedMigrations,
      '0003_plum': nothing,
      '0004_drop-plum-needs-0002': nothing,
    });
    expect(await migrate(database, numberedMigrations)).toEqual([]);
    const hasAll = (own: object) => hasMigrations(createDb(database.pool), Object.keys(own));
    const older = Object.fromEntries(Object.entries(numberedMigrations).slice(0, 1));
    await expect(migrate(database, older)).rejects.toThrow(
      'The database belongs to another version of SmartPause (it has 0002_apple, 0003_plum, 0004_drop-plum-needs-0002, ' +
        'unknown here): start that version, or use an empty database.',
    );
    await expect(migrate(database, migrations)).rejects.toThrow(
      'another version of SmartPause (it has 0001_fruit',
    );
    expect([await hasAll(numberedMigrations), await hasAll(older)]).toEqual([true, false]);
    expect(await fruit()).toEqual(['apple']);
  });

  it('starts although a newer version migrates at the same moment', async () => {
    await migrate(database, numberedMigrations);
    const newer = { ...numberedMigrations, '0003_plum': { up: () => Promise.resolve() } };
    let connections = 0;
    const connect = async () => {
      connections += 1;
      // After the look at the names, which takes two.
      if (connections === 3) await migrate(database, newer);
      return database.pool.connect();
    };
    const pool = { connect, end: () => Promise.resolve(), options: {} };
    expect(await migrate(pool, numberedMigrations)).toEqual([]);
    expect(connections).toBeGreaterThan(3);
  });

  it('lets the former version go on while a backup reads, and tries again', async () => {
    await migrate(database, numberedMigrations);
    const backup = await database.pool.connect();
    await backup.query('begin; lock table fruit in access share mode');
    const timeouts: unknown[] = [];
    const change: Migration = {
      up: async (db) => {
        timeouts.push((await sql`show lock_timeout`.execute(db)).rows[0]);
        await sql`set local lock_timeout = '50ms'; alter table fruit add column color text`.execute(db);
      },
    };
    const former = async () => {
      expect(await fruit()).toEqual(['apple']);
      await backup.query('commit');
      backup.release();
    };
    const applied = await migrate(database, { ...numberedMigrations, '0003_color': change }, former);
    expect(applied).toEqual(['0003_color']);
    expect(timeouts).toEqual(Array(2).fill({ lock_timeout: '3s' }));
  });

  it('names the error of a migration although the database goes away after it', async () => {
    let isAway = false;
    const connect = () => (isAway ? Promise.reject(new Error('away')) : database.pool.connect());
    const pool = { connect, end: () => Promise.resolve(), options: {} };
    const broken: Migration = {
      up: () => {
        isAway = true;
        return Promise.reject(new Error('no disk space'));
      },
    };
    await expect(migrate(pool, { '0001_broken': broken })).rejects.toThrow(
      '0001_broken failed: no disk space',
    );
  });
});
