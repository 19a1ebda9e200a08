import pg from 'pg';
import type { PostgresCursor } from 'kysely';
import {
  DatabaseUnavailableError,
  messageOf,
  queryOnce,
  requireSql,
  type DatabaseLog,
  type Pool,
  type PoolClient,
  type QueryResult,
  type Row,
} from './pool.ts';

export interface PostgresPoolOptions {
  url: string;
  maxConnections: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  /** Maximum of requests that wait for a connection; the pool rejects more at once. */
  maxWaiting: number;
  log: DatabaseLog;
}

/** A reachable server ends a statement itself; after this extra time the client stops waiting. */
const ANSWER_LATE_MS = 2_000;

/**
 * Extends pg's pool: ends the session of a client that is released inside a transaction; end() may be called
 * twice.
 */
export class PostgresPool implements Pool {
  readonly options: object;
  readonly Client = pg.Client;
  readonly #pool: pg.Pool;
  readonly #log: DatabaseLog;
  readonly #connectTimeoutMs: number;
  readonly #answerTimeoutMs: number;
  readonly #maxWaiting: number;
  readonly #drained = Promise.withResolvers<boolean>();
  #outstanding = 0;
  #ending: Promise<void> | undefined;

  constructor(options: PostgresPoolOptions) {
    const { url, maxConnections, connectTimeoutMs, statementTimeoutMs, log } = options;
    this.#log = log;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#answerTimeoutMs = statementTimeoutMs + ANSWER_LATE_MS;
    this.#maxWaiting = options.maxWaiting;
    const settings = { text: sessionSettings(statementTimeoutMs), query_timeout: connectTimeoutMs };
    const prepareSession = (client: pg.ClientBase) => client.query(settings);
    this.#pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'smartpause',
      keepAlive: true,
      // pg awaits the promise, though its types say void.
      onConnect: prepareSession as (client: pg.ClientBase) => void,
    });
    this.options = this.#pool.options;
    this.#pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection failed.'));
    // Without this listener, a connection that breaks while checked out ends the process.
    this.#pool.on('connect', (client) => {
      client.on('error', (error) => log.warn({ err: error }, 'A database connection failed.'));
    });
  }

  async connect(): Promise<PoolClient> {
    if (this.#ending !== undefined) throw new Error('The database is closed.');
    if (this.#pool.waitingCount >= this.#maxWaiting) {
      throw new DatabaseUnavailableError(`More than ${this.#maxWaiting} wait for a database connection.`);
    }
    this.#outstanding++;
    try {
      const client = await this.#connect();
      const answerTimeoutMs = this.#answerTimeoutMs;
      return new PostgresClient(client, {
        log: this.#log,
        answerTimeoutMs,
        onRelease: () => this.#countDown(),
      });
    } catch (error) {
      this.#countDown();
      throw error;
    }
  }

  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>> {
    return queryOnce(this, text, values);
  }

  end(): Promise<void> {
    this.#ending ??= this.#close();
    return this.#ending;
  }

  // pg's end() drops waiting requests, and waits forever for a client that is never released.
  async #close(): Promise<void> {
    if (this.#outstanding === 0) this.#drained.resolve(true);
    const timer = setTimeout(() => this.#drained.resolve(false), this.#connectTimeoutMs);
    const drained = await this.#drained.promise;
    clearTimeout(timer);
    const ended = this.#pool.end();
    if (drained) await ended;
    else this.#log.warn({}, 'The database is closed although a client still holds it.');
  }

  #countDown(): void {
    this.#outstanding--;
    if (this.#ending !== undefined && this.#outstanding === 0) this.#drained.resolve(true);
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('timeout exceeded')) {
        throw new DatabaseUnavailableError(messageOf(error), { cause: error });
      }
      const seconds = this.#connectTimeoutMs / 1000;
      const exhausted =
        `No database connection became free within ${seconds} s. ` +
        "A query outside of an open transaction needs a second connection: use the transaction's own client.";
      const unanswered = `The database server did not accept a connection within ${seconds} s.`;
      throw new DatabaseUnavailableError(
        this.#pool.totalCount < this.#pool.options.max ? unanswered : exhausted,
        { cause: error },
      );
    }
  }
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

interface ClientSettings {
  log: DatabaseLog;
  answerTimeoutMs: number;
  onRelease: () => void;
}

/** A migration that lifts the server's limit lifts the client's limit as well. */
const LIFTS_LIMIT = /^set local statement_timeout = 0$/;

class PostgresClient implements PoolClient {
  readonly #client: pg.PoolClient;
  readonly #settings: ClientSettings;
  #released = false;
  #running = 0;
  #isBroken = false;
  #hasNoLimit = false;
  #lastStatement = '';

  constructor(client: pg.PoolClient, settings: ClientSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): never;
  query(text: unknown, values: readonly unknown[] = []): unknown {
    requireSql(text);
    if (this.#released) {
      return Promise.reject(new Error('This database client was released; ask the pool for another.'));
    }
    this.#lastStatement = text;
    return this.#execute(text, values);
  }

  release(destroy: boolean | Error = false): void {
    if (this.#released) throw new Error('This database client was released before.');
    this.#released = true;
    const insideTransaction = this.#client.getTransactionStatus() !== 'I';
    if (insideTransaction && destroy === false) {
      const lastStatement = this.#lastStatement.slice(0, 200);
      this.#settings.log.warn(
        { lastStatement },
        'A database client was released inside a transaction; it is rolled back.',
      );
    }
    this.#client.release(destroy !== false || insideTransaction || this.#isBroken || this.#running > 0);
    this.#settings.onRelease();
  }

  async #execute(text: string, values: readonly unknown[]): Promise<QueryResult> {
    this.#running++;
    try {
      const limit = this.#hasNoLimit ? {} : { query_timeout: this.#settings.answerTimeoutMs };
      const result: unknown = await this.#client.query({ text, values: [...values], ...limit });
      this.#hasNoLimit ||= LIFTS_LIMIT.test(text);
      return (Array.isArray(result) ? result.at(-1) : result) as QueryResult;
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error;
      // The server has not answered, so the next response on this connection could belong to this statement.
      this.#isBroken = true;
      throw new DatabaseUnavailableError(messageOf(error), { cause: error });
    } finally {
      this.#running--;
    }
  }
}
