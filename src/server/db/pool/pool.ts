import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

export type Row = Record<string, unknown>;
export type QueryResult<R = Row> = PostgresQueryResult<R>;

export interface PoolClient extends PostgresPoolClient {
  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): never;
  /** `true` or an error destroys the session, since its state is unknown. */
  release(destroy?: boolean | Error): void;
}

/** Fits Kysely's PostgresDialect. */
export interface Pool extends PostgresPool {
  connect(): Promise<PoolClient>;
  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>>;
  end(): Promise<void>;
}

export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The database is unreachable, does not answer in time, or has too many waiting requests. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}

/** The connection is lost; whether the last statement took effect is unknown. */
export class DatabaseLostError extends DatabaseUnavailableError {
  override readonly name = 'DatabaseLostError';
  readonly code = '08006';
}

/** SQLSTATE classes 08, 53 and 57: connections, resources, operator intervention including timeouts. */
const UNAVAILABLE_CODE = /^(08|53|57)/;

/** Whether a retry of the same statement may succeed soon. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailableError) return true;
  return 'severity' in error && UNAVAILABLE_CODE.test(codeOf(error));
}

export async function queryOnce<R>(
  pool: Pool,
  text: string,
  values?: readonly unknown[],
): Promise<QueryResult<R>> {
  const client = await pool.connect();
  try {
    return await client.query<R>(text, values);
  } finally {
    client.release();
  }
}

export function requireSql(text: unknown): asserts text is string {
  if (typeof text !== 'string')
    throw new TypeError('Only SQL text can be queried here; cursors are not supported.');
}

/** The error code of Node or PostgreSQL, such as 'EEXIST' or '42501'; empty: none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Node reports a refused connection to a name with two addresses as an AggregateError without a message. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
