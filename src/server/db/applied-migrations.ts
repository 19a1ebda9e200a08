import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Whether the tables are those of this version: an older database may have been put in its place meanwhile. */
export async function hasMigrations(db: Db, names: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return applied.size === names.length && names.every((name) => applied.has(name));
}
