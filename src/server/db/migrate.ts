import { setTimeout } from 'node:timers/promises';
import type { PostgresPool, QueryExecutorProvider } from 'kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './open-database.ts';
import { codeOf } from './pool.ts';

export type { Migration };

/** While a migration waits for a lock, all that comes after it waits, too, of the version that still runs. */
const LOCK_TIMEOUT = '3s';
const PAUSE_MS = 5_000;
/** About thirteen minutes: a reader of all tables, such as a backup, holds its locks until its end. */
const MAX_TRIES = 100;
/** Another process holds a lock, or wanted two of them in the other order: nothing was changed. */
const TRY_AGAIN = new Set(['55P03', '40P01']);

/**
 * Migrates to the current version. Any number of processes may call it at once.
 * @param pause between two tries
 * @returns the migrations that it applied
 */
export async function migrate(
  database: Database | PostgresPool,
  migrations: Readonly<Record<string, Migration>>,
  pause: () => Promise<unknown> = () => setTimeout(PAUSE_MS),
): Promise<string[]> {
  const pool = 'migrationPool' in database ? database.migrationPool : database;
  // Not destroyed: that would end the pool, which belongs to the caller.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  if (isOfNewerVersion(await appliedMigrations(db), migrations)) return [];
  const provider = { getMigrations: () => Promise.resolve(withTimeout(migrations)) };
  const run = () => new Migrator({ db, provider }).migrateToLatest();
  let { error, results = [] } = await run();
  for (let tries = 1; TRY_AGAIN.has(codeOf(error)) && tries < MAX_TRIES; tries += 1) {
    await pause();
    ({ error, results = [] } = await run());
  }
  if (error !== undefined) {
    // A newer version may have migrated just before. If the database cannot be asked, the first error says more.
    if (isOfNewerVersion(await appliedMigrations(db).catch(() => []), migrations)) return [];
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

function withTimeout(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  const all = Object.entries(migrations).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(db) {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(db);
        await migration.up(db);
      },
    },
  ]);
  return Object.fromEntries(all);
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** The connected database role lacks the privilege. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

/** `0007-drop-quote-needs-0005` removes what versions without migration 0005 use. */
const NEEDS = /-needs-(\d{4})/;

/**
 * A version starts on the database of a newer one, as a process that restarts in the middle of an update, or after
 * one that is taken back.
 * @throws for the database of another version that this one cannot use
 */
function isOfNewerVersion(
  applied: readonly string[],
  migrations: Readonly<Record<string, Migration>>,
): boolean {
  const own = Object.keys(migrations);
  const unknown = applied.filter((name) => !own.includes(name));
  if (unknown.length === 0) return false;
  if (isUsable(applied, own)) return true;
  throw new Error(
    `The database belongs to another version of SmartPause (it has ${unknown.join(', ')}, unknown here): ` +
      'start that version, or use an empty database.',
  );
}

/** The database has all of these migrations, and no other has removed what they use. */
function isUsable(applied: readonly string[], own: readonly string[]): boolean {
  const newestOwn = own.at(-1)?.slice(0, 4) ?? '';
  const leaves = (name: string) => own.includes(name) || (NEEDS.exec(name)?.[1] ?? '') <= newestOwn;
  return own.every((name) => applied.includes(name)) && applied.every(leaves);
}

/** The names of the migrations that the database has; none in an empty one. */
async function appliedMigrations(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: found } = await sql<{ present: boolean }>`
    select to_regclass('kysely_migration') is not null as present`.execute(db);
  if (found[0]?.present !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** False after an older database was restored in place, or a newer version has removed what this one uses. */
export async function hasMigrations(db: QueryExecutorProvider, names: readonly string[]): Promise<boolean> {
  return isUsable(await appliedMigrations(db), names);
}
