import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Whether the tables have all that this version needs: an older database may have been put in its place meanwhile. That a
 * newer version has migrated it is no hindrance: its migrations leave what this one uses.
 */
export async function hasMigrations(db: Db, names: readonly string[]): Promise<boolean> {
  const { rows: found } = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db);
  if (found[0]?.is_there !== true) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return names.every((name) => applied.has(name));
}
