import type { PostgresPool, QueryResult, RawBuilder, UnknownRow } from 'kysely';
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import { codeOf, wrapPool } from './pool.ts';
import type { Schema } from './schema.ts';

/** Rows have camelCase keys and timestamps as milliseconds. Keys inside of jsonb stay as they are stored. */
class RowPlugin extends CamelCasePlugin {
  protected override mapRow(stored: UnknownRow): UnknownRow {
    const row = super.mapRow(stored);
    for (const [column, value] of Object.entries(row))
      if (value instanceof Date) row[column] = value.getTime();
    return row;
  }
}

/** The database or a transaction: every function of this folder accepts either. */
export type Db = Kysely<Schema>;

/** @param clock of tests and demo mode */
export function createDb(pool: PostgresPool, clock?: Pick<Clock, 'now'>): Db {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: wrapPool(pool, clock) }),
    plugins: [new RowPlugin({ maintainNestedObjectKeys: true })],
  });
}

/** An instant in a condition. */
export function timestamp(instant: Instant): RawBuilder<Instant> {
  return sql<Instant>`${new Date(instant)}::timestamptz`;
}

/** A time of the database's clock. */
export function fromNow(ms: number): RawBuilder<Instant> {
  return sql<Instant>`(now() + ${ms}::float8 * interval '1 millisecond')`;
}

/** The value that is stored for an instant. */
export function date(instant: Instant): Date;
export function date(instant: Instant | null): Date | null;
export function date(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}

/** Many rows as a table of the statement, with the types of their columns; an instant has the type timestamptz. */
export function rowsOf<Column extends string>(
  types: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<NoInfer<Column>, unknown>>[],
): RawBuilder<unknown> {
  const arrays = (Object.entries(types) as [Column, string][]).map(([key, type]) => {
    const values = rows.map((row) => row[key]);
    if (type === 'timestamptz') return sql`${isoTimes(values)}::timestamptz[]`;
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(arrays)}) as given(${columnsOf(types)})`;
}

/** The columns that `rowsOf` has, of this table if one is given. */
export function columnsOf(types: object, table?: string): RawBuilder<unknown> {
  const prefix = table === undefined ? '' : `${table}.`;
  return sql.join(Object.keys(types).map((key) => sql.ref(`${prefix}${key}`)));
}

/** Most rows of an ad account have the same times, and formatting one takes long. */
function isoTimes(instants: readonly unknown[]): (string | null)[] {
  const texts = new Map<unknown, string>();
  return instants.map((instant) => {
    if (typeof instant !== 'number') return null;
    const text = texts.get(instant) ?? new Date(instant).toISOString();
    texts.set(instant, text);
    return text;
  });
}

/** The row of a statement that always returns one. */
export function onlyRow<Row>({ rows: [row] }: QueryResult<Row>): Row {
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

const MAX_TRIES = 5;
/** Deadlock and serialization failure: PostgreSQL rolled back, and a retry is safe. */
const RUN_AGAIN = new Set(['40P01', '40001']);

/**
 * Retries after a deadlock or serialization failure.
 * Inside a transaction it joins that transaction.
 */
export async function inTransaction<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return run(db);
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(run);
    } catch (error) {
      if (tries >= MAX_TRIES || !RUN_AGAIN.has(codeOf(error))) throw error;
    }
  }
}
