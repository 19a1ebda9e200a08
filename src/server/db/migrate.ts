import type { PostgresPool } from 'kysely';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { appliedMigrations } from './applied-migrations.ts';
import type { Database } from './open-database.ts';
import { codeOf } from './pool.ts';

export type { Migration };

/**
 * Migrates to the current version. Any number of processes may call it at once.
 * @returns the migrations that it applied
 */
export async function migrate(
  database: Database | PostgresPool,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  const pool = 'migrationPool' in database ? database.migrationPool : database;
  // Not destroyed: that would end the pool, which belongs to the caller.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await refuseUnknownMigrations(db, migrations);
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
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
  db: Kysely<unknown>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  throw new Error(
    `The database belongs to another version of SmartPause (it has ${unknown.join(', ')}, unknown here): ` +
      'start that version, or use an empty database.',
  );
}
