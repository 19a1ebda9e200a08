import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Clock } from '../clock.ts';

/** A reachable server ends a statement itself; after this extra time the client stops waiting. */
const RESPONSE_LATE_MS = 2_000;

export type DatabaseLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

export interface PoolSettings {
  url: string;
  log: DatabaseLog;
  maxConnections: number;
  connectTimeoutMs: number;
  /** 0: no limit. */
  statementTimeoutMs: number;
}

export function createPool({
  url,
  log,
  maxConnections,
  connectTimeoutMs,
  statementTimeoutMs,
}: PoolSettings): pg.Pool {
  const prepareSession = (client: pg.ClientBase) =>
    client.query({ text: sessionSettings(statementTimeoutMs), ...{ query_timeout: connectTimeoutMs } });
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + RESPONSE_LATE_MS }),
    application_name: 'smartpause',
    keepAlive: true,
    // pg awaits the promise, though its types say void.
    onConnect: prepareSession as (client: pg.ClientBase) => void,
  });
  // The error of an idle connection carries the whole client, with its secrets.
  pool.on('error', (error) => log.warn(factsOf(error), 'An idle database connection failed.'));
  // Without this listener, a connection that breaks while checked out ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn(factsOf(error), 'A database connection failed.'));
  });
  return pool;
}

function factsOf(error: Error): { code: string; reason: string } {
  return { code: codeOf(error), reason: messageOf(error) };
}

// Statements, since poolers such as PgBouncer refuse startup parameters. random_page_cost fits memory or SSD;
// the other settings make SQL return the same text everywhere.
function sessionSettings(statementTimeoutMs: number): string {
  return `
    set statement_timeout = ${statementTimeoutMs};
    set random_page_cost = 1.1;
    set idle_in_transaction_session_timeout = ${statementTimeoutMs};
    set timezone = 'UTC';
    set datestyle = 'ISO, MDY';
    set intervalstyle = 'postgres'`;
}

/** SQLSTATE classes 08, 53 and 57: connections, resources, operator intervention including timeouts. */
const UNAVAILABLE_CODE = /^(08|53|57)/;

/** No connection, or the connection failed: no response to a statement. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Whether a retry of the same statement may succeed soon. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailableError || (isFromServer(error) && UNAVAILABLE_CODE.test(codeOf(error)))
  );
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

function unavailable(cause: unknown): never {
  throw new DatabaseUnavailableError(messageOf(cause), { cause });
}

/**
 * Tells a failed connection, of whatever cause, from a failed statement.
 * @param clock of tests and demo mode, which can be advanced: the database's times in SQL follow it
 */
export function wrapPool(pool: PostgresPool, clock?: Pick<Clock, 'now'>): PostgresPool {
  const timed = (text: string): string =>
    clock === undefined
      ? text
      : text.replaceAll(
          /\b(?:now|clock_timestamp)\(\)/g,
          `timestamptz '${new Date(clock.now()).toISOString()}'`,
        );
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(unavailable);
      let isLate = false;
      const query = (text: string, values: readonly unknown[]) =>
        client.query(timed(text), values).catch((error: unknown) => {
          if (isFromServer(error)) throw error;
          isLate = true;
          unavailable(error);
        });
      // The rest of a late response must not reach the next statement: pg closes a connection with an argument.
      const release: (isBroken: boolean) => void = client.release.bind(client);
      return { query: query as PostgresPoolClient['query'], release: () => release(isLate) };
    },
  };
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
