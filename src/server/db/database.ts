import type { PostgresPool, QueryResult } from 'kysely';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import { codeOf, withConnectionErrors } from './pool.ts';
import type { Schema } from './schema.ts';
import { withClock } from './injected-clock.ts';

/** The database or a transaction: every function of this folder accepts either. */
export type Db = Kysely<Schema>;

/** @param clock of tests and demo mode */
export function createDb(pool: PostgresPool, clock?: Pick<Clock, 'now'>): Db {
  const timed = clock === undefined ? pool : withClock(pool, clock);
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: withConnectionErrors(timed) }),
    // Keys inside of jsonb stay as they are stored.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** The core uses milliseconds, the database timestamps. */
export function date(instant: Instant): Date;
export function date(instant: Instant | null): Date | null;
export function date(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}

export function instant(value: Date): Instant;
export function instant(value: Date | null): Instant | null;
export function instant(value: Date | null): Instant | null {
  return value === null ? null : value.getTime();
}

type WithInstants<Row> = {
  [Column in keyof Row]: Row[Column] extends Date
    ? Instant
    : Row[Column] extends Date | null
      ? Instant | null
      : Row[Column];
};

/** Replaces the timestamps of a row by instants. */
export function withInstants<Row extends object>(row: Row): WithInstants<Row> {
  const columns = Object.entries(row).map(([column, value]: [string, unknown]) => [
    column,
    value instanceof Date ? instant(value) : value,
  ]);
  return Object.fromEntries(columns) as WithInstants<Row>;
}

/** The row of `Result` as the database returns it, with a timestamp in these columns. */
export type Dated<Result, Columns extends keyof Result> = Omit<Result, Columns> & {
  [Column in Columns]: Date | Extract<Result[Column], null>;
};

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
