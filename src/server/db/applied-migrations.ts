import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * False after an older database was restored in place.
 * True for a newer schema: newer migrations keep what this version uses.
 */
export async function hasMigrations(db: Db, names: readonly string[]): Promise<boolean> {
  const { rows: found } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db);
  if (found[0]?.isThere !== true) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return names.every((name) => applied.has(name));
}
