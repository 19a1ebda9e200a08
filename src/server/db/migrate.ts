import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './pool/open.ts';
import type { Pool } from './pool/pool.ts';
import { codeOf } from './pool/pool.ts';

export type { Migration };

/**
 * Migrates to the current version. Any number of processes may call it at once.
 * @returns the migrations that it applied
 */
export async function migrate(
  database: Database | Pool,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  const pool = 'pool' in database ? database.pool : database;
  await refuseUnknownMigrations(pool, migrations);
  // Not destroyed: that would end the pool, which belongs to the caller.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const provider = { getMigrations: () => Promise.resolve(withoutTimeLimit(migrations)) };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const reason = error instanceof Error ? error.message : 'unknown reason';
    const subject =
      failed === undefined ? 'The database could not be migrated' : `Migration ${failed} failed`;
    const hint = isRefused(error)
      ? '. This role may not change tables: run npm run migrate as the one that owns them.'
      : '';
    throw new Error(`${subject}: ${reason}${hint}`, { cause: error });
  }
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** The connected database role lacks the privilege. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

async function refuseUnknownMigrations(
  pool: Pool,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const { rows: found } = await pool.query<{ present: boolean }>(
    `select to_regclass('kysely_migration') is not null as present`,
  );
  if (found[0]?.present !== true) return;
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration order by name');
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  throw new Error(
    `The database belongs to another version of SmartPause (it has ${unknown.join(', ')}, unknown here): ` +
      'start that version, or use an empty database.',
  );
}

function withoutTimeLimit(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  const lifted = Object.entries(migrations).map(([name, migration]): [string, Migration] => [
    name,
    {
      up: async (db) => {
        await sql`set local statement_timeout = 0`.execute(db);
        await migration.up(db);
      },
    },
  ]);
  return Object.fromEntries(lifted);
}
