import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/support/database.ts';
import { migrate, type Migration } from './migrate.ts';
import { numberedMigrations } from './pool/fixtures/migrations.ts';
import { startScript } from './pool/fixtures/start.ts';

let database: FreshDatabase;
afterEach(() => database.close());

async function fruit(): Promise<unknown[]> {
  return (await database.pool.query<{ name: string }>('select name from fruit order by name')).rows.map(
    ({ name }) => name,
  );
}

describe('migrate', () => {
  beforeEach(async () => {
    database = await freshDatabase({ migrations: {} });
  });

  it('applies what is new, once, in order, and leaves the pool open', async () => {
    expect(await migrate(database, numberedMigrations)).toEqual(['0001_fruit', '0002_apple']);
    expect(await migrate(database.pool, numberedMigrations)).toEqual([]);
    expect(await fruit()).toEqual(['apple']);
  });

  it('throws, names the migration that failed, and applies nothing of the batch', async () => {
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

  it('refuses a database of a newer version', async () => {
    await migrate(database, numberedMigrations);
    const older = Object.fromEntries(Object.entries(numberedMigrations).slice(0, 1));
    await expect(migrate(database, older)).rejects.toThrow(
      /written by a newer version of SmartPause \(it holds 0002_apple/,
    );
    expect(await fruit()).toEqual(['apple']);
  });

  it('refuses a migration that was slipped in before one that is applied', async () => {
    const [first, second] = Object.entries(numberedMigrations);
    if (first === undefined || second === undefined) throw new Error('There are two.');
    await migrate(database, Object.fromEntries([first]));
    const slipped = Object.fromEntries([['0000_slipped', second[1]], first]);
    await expect(migrate(database, slipped)).rejects.toThrow('The database could not be migrated');
  });
});

describe('migrate from several processes', () => {
  it('applies everything once when four start at the same moment', async () => {
    database = await freshDatabase({ migrations: {} });
    const scripts = Array.from({ length: 4 }, () => startScript('migrator.ts', database.url));
    await Promise.all(scripts.map(({ says }) => says((line) => line === 'ready')));
    for (const { process } of scripts) process.stdin?.write('go\n');
    const reports = await Promise.all(scripts.map(({ says }) => says((line) => line.startsWith('['))));
    await Promise.all(scripts.map(({ exited }) => exited));
    expect(reports.sort()).toEqual(['["0001_fruit","0002_apple"]', '[]', '[]', '[]'].sort());
    expect(scripts.map(({ process }) => process.exitCode)).toEqual([0, 0, 0, 0]);
    expect(await fruit()).toEqual(['apple']);
  });
});
