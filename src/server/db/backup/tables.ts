import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../database.ts';

/** Kysely's own: which migrations a database has is told beside its rows. */
const NOT_DATA = ['kysely_migration', 'kysely_migration_lock'];

export const tableShape = z.object({
  name: z.string(),
  /** Without generated ones. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
export type TableShape = z.infer<typeof tableShape>;

/** A table as the database itself describes it. */
export interface Table extends TableShape {
  /** Its rows in one order, whatever the language of the database. */
  order: { column: string; isText: boolean }[];
}

export const sequenceState = z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() });
export type SequenceState = z.infer<typeof sequenceState>;

/**
 * All tables but those of extensions, those that others refer to before them. Nothing here is a list made by hand: what
 * somebody has put beside SmartPause's own is known when there is a database to compare with (`Fitting`).
 */
export async function readTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table & { refers_to: string[] }>`
    select c.relname::text as name,
      coalesce((select json_agg(json_build_object('name', attname::text, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''), '[]') as columns,
      coalesce((select json_agg(json_build_object('column', a.attname::text, 'isText', a.attcollation <> 0) order by k.n)
        from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k(attnum, n)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary), '[]') as "order",
      array(select distinct o.relname::text from pg_constraint f join pg_class o on o.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f') as refers_to
    from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where c.relkind in ('r', 'p') and s.nspname = current_schema() and c.relname <> all(${NOT_DATA}::text[])
      and ${notOfExtension}
    order by c.relname collate "C"`.execute(db);
  return inOrderOfReference(rows)
    .filter(({ columns }) => columns.length > 0)
    .map(({ name, columns, order }) => ({ name, columns, order }));
}

/** What an extension makes comes with it, and goes with it. */
const notOfExtension = sql`not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

function inOrderOfReference<T extends { name: string; refers_to: string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = [];
  const left = new Set(tables);
  while (left.size > 0) {
    const waiting = new Set([...left].map(({ name }) => name));
    const isFree = ({ refers_to }: T): boolean => !refers_to.some((name) => waiting.has(name));
    // None of ours refer to each other in a circle; with those of somebody else it does not matter.
    const free = [...left].some(isFree) ? [...left].filter(isFree) : [...left];
    for (const table of free) left.delete(table);
    ordered.push(...free);
  }
  return ordered;
}

/** What the identities of new rows are counted by. They stand beside every transaction, so they are read after its first look. */
export async function readSequences(db: Db): Promise<SequenceState[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where c.relkind = 'S' and s.nspname = current_schema() and ${notOfExtension} order by c.relname collate "C"`.execute(
    db,
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const state = await sql<{ last_value: string; is_called: boolean }>`
      select last_value, is_called from ${sql.table(name)}`.execute(db);
    for (const { last_value, is_called } of state.rows)
      states.push({ name, lastValue: last_value, isCalled: is_called });
  }
  return states;
}

/** Which migrations it has, in their order; null: no SmartPause has ever been here. */
export async function readMigrations(db: Db): Promise<string[] | null> {
  const { rows: found } = await sql<{ present: boolean }>`
    select to_regclass('kysely_migration') is not null as present`.execute(db);
  if (found[0]?.present !== true) return null;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name collate "C"`.execute(db);
  return rows.length === 0 ? null : rows.map(({ name }) => name);
}

/** Of every value the text that the database reads as exactly that value again, whatever a server is set to. */
export async function writeValuesInFull(db: Db): Promise<void> {
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO, MDY',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '1',
    // It takes as long as it takes.
    idle_in_transaction_session_timeout: '0',
  };
  for (const [name, value] of Object.entries(settings)) {
    await sql`select set_config(${name}, ${value}, true)`.execute(db);
  }
  await sql`set local statement_timeout = 0`.execute(db);
}
