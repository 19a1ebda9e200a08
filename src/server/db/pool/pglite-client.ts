import type { PostgresCursor } from 'kysely';
import type { PgliteThread } from './pglite-thread.ts';
import { decodeReply, encodeQuery, type Heard, type TransactionStatus } from './pglite-wire.ts';
import { requireSql, type DatabaseLog, type PoolClient, type QueryResult, type Row } from './pool.ts';

interface Turn {
  thread: PgliteThread;
  statementTimeoutMs: number;
  log: DatabaseLog;
  onHeard: (heard: Heard) => void;
  /** Makes the session listen again after it was reset. */
  listen: () => Promise<void>;
  /** Lets the next in the queue have the one session. */
  pass: () => void;
}

const BEGIN = 'begin';
const BEGUN: QueryResult = { command: 'SELECT', rowCount: 0, rows: [] };

/** The one session of the embedded database, for as long as its holder has the turn. */
export class PgliteClient implements PoolClient {
  readonly since = performance.now();
  readonly #turn: Turn;
  #status: TransactionStatus = 'idle';
  #running = 0;
  #lastStatement = '';
  #settled: Promise<unknown> = Promise.resolve();
  #released = false;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get lastStatement(): string {
    return this.#lastStatement;
  }

  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): never;
  query(text: unknown, values: readonly unknown[] = []): unknown {
    requireSql(text);
    if (this.#released) {
      return Promise.reject(new Error('This database client was released; ask the pool for another.'));
    }
    this.#lastStatement = text;
    const reply = this.#execute(text, values);
    // It fails only with the engine, and so does what follows. Not waiting for it is one way to the other thread less.
    if (text !== BEGIN) return reply;
    // Without it what follows would stand statement by statement.
    reply.catch(() => this.#turn.thread.abandon('a transaction could not be begun'));
    return Promise.resolve(BEGUN);
  }

  release(destroy: boolean | Error = false): void {
    if (this.#released) throw new Error('This database client was released before.');
    this.#released = true;
    if (this.#running === 0 && this.#status === 'idle' && destroy === false) this.#turn.pass();
    else void this.#cleanUp(destroy !== false);
  }

  #execute(text: string, values: readonly unknown[]): Promise<QueryResult> {
    this.#running++;
    const reply = this.#roundTrip(text, values).finally(() => this.#running--);
    this.#settled = reply.catch(() => undefined);
    return reply;
  }

  async #roundTrip(text: string, values: readonly unknown[]): Promise<QueryResult> {
    const { thread, statementTimeoutMs } = this.#turn;
    const reply = decodeReply(await thread.query(encodeQuery(text, values), statementTimeoutMs));
    if (reply === null) throw thread.abandon('it gave an incomplete answer');
    this.#status = reply.status;
    for (const one of reply.heard) this.#turn.onHeard(one);
    if ('error' in reply) throw reply.error;
    return reply.result;
  }

  async #cleanUp(resetSession: boolean): Promise<void> {
    const { log, pass, thread, listen } = this.#turn;
    await this.#settled;
    try {
      if (this.#status !== 'idle' && thread.lost === undefined) {
        const lastStatement = this.#lastStatement.slice(0, 200);
        log.warn(
          { lastStatement },
          'A database client was released inside a transaction; it is rolled back.',
        );
        await this.#execute('ROLLBACK', []);
      }
      if (resetSession && thread.lost === undefined) {
        await this.#execute('DISCARD ALL', []);
        await listen();
      }
    } catch (error) {
      log.error({ err: error }, 'The database session could not be cleaned up.');
      thread.abandon('its session could not be cleaned up');
    } finally {
      pass();
    }
  }
}
