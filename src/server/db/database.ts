import type { LogEvent } from 'kysely';
import { Kysely, PostgresDialect } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Pool } from './pool/pool.ts';
import { codeOf } from './pool/pool.ts';
import type { Schema } from './schema.ts';

/** The database, or one transaction of it: every function of this folder works with either. */
export type Db = Kysely<Schema>;

/** @param onStatement told of every statement that is over; never of its values */
export function createDb(pool: Pool, onStatement?: (statement: { sql: string; tookMs: number }) => void): Db {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(onStatement !== undefined && {
      log: ({ query, queryDurationMillis: tookMs }: LogEvent) => onStatement({ sql: query.sql, tookMs }),
    }),
  });
}

/** The core counts in milliseconds, the database in timestamps. */
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

const MAX_TRIES = 5;
/** Deadlock and serialization failure: the database undid the transaction and it can be run again as it was. */
const RUN_AGAIN = new Set(['40P01', '40001']);

/**
 * Runs the transaction, and once more when the database had to undo it because of another one. Inside a transaction
 * it is a part of that one.
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
