import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/** The names of the migrations that the database has; none in an empty one. */
export async function appliedMigrations(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: found } = await sql<{ present: boolean }>`
    select to_regclass('kysely_migration') is not null as present`.execute(db);
  if (found[0]?.present !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * False after an older database was restored in place.
 * True for a newer schema: newer migrations keep what this version uses.
 */
export async function hasMigrations(db: QueryExecutorProvider, names: readonly string[]): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return names.every((name) => applied.includes(name));
}
