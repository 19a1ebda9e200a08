import pg from 'pg';

/** A reachable server ends a statement itself; after this extra time the client stops waiting. */
const ANSWER_LATE_MS = 2_000;

export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

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
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + ANSWER_LATE_MS }),
    application_name: 'smartpause',
    keepAlive: true,
    // pg awaits the promise, though its types say void.
    onConnect: prepareSession as (client: pg.ClientBase) => void,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection failed.'));
  // Without this listener, a connection that breaks while checked out ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'A database connection failed.'));
  });
  pool.on('release', (_error, client) => {
    if (isIdle(client)) return;
    log.warn({}, 'A database connection was released inside a transaction or statement; it is closed.');
    void client.end();
  });
  return pool;
}

/** pg keeps `readyForQuery` out of its types: false while a statement has no answer. */
function isIdle(client: pg.PoolClient & { readyForQuery?: boolean }): boolean {
  return client.getTransactionStatus() === 'I' && client.readyForQuery === true;
}

// Statements, since poolers such as PgBouncer refuse startup parameters. random_page_cost fits memory or SSD
// (docs/performance.md); the other settings make SQL return the same text everywhere.
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
const NETWORK_CODE = /^(ECONN|EHOST|ENET|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_)/;
/** pg's own errors for a connection that is not to be had, broken or silent. */
const CONNECTION_MESSAGE =
  /^(timeout exceeded when trying to connect|connection terminated|query read timeout|client (was closed|has encountered)|cannot use a pool)/i;

/** Whether a retry of the same statement may succeed soon. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if ('severity' in error) return UNAVAILABLE_CODE.test(code);
  return NETWORK_CODE.test(code) || CONNECTION_MESSAGE.test(error.message);
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
