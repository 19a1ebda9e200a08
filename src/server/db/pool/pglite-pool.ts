import type { Listening, ListenOptions } from './listening.ts';
import { PgliteClient } from './pglite-client.ts';
import type { PgliteThread } from './pglite-thread.ts';
import { decodeReply, encodeQuery } from './pglite-wire.ts';
import {
  DatabaseUnavailableError,
  queryOnce,
  type DatabaseLog,
  type Pool,
  type PoolClient,
  type QueryResult,
  type Row,
} from './pool.ts';

export interface PglitePoolOptions {
  /** Called for the first thread, and again after one was lost. */
  start: () => Promise<PgliteThread>;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  /** As many may wait for their turn; whoever comes after them is refused at once. */
  maxWaiting: number;
  log: DatabaseLog;
  /** Called when the pool is closed and its last thread has ended. */
  onClosed: () => void;
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** PGlite is one session, so a client is a turn in a first-come queue. */
export class PglitePool implements Pool {
  readonly options = {};
  readonly isSingleSession = true;
  readonly #settings: PglitePoolOptions;
  readonly #waiting: Waiter[] = [];
  readonly #listeners = new Set<ListenOptions>();
  #thread: PgliteThread;
  #taken = false;
  #holder: PgliteClient | undefined;
  #ending: Promise<void> | undefined;

  static async open(settings: PglitePoolOptions): Promise<PglitePool> {
    return new PglitePool(settings, await settings.start());
  }

  private constructor(settings: PglitePoolOptions, thread: PgliteThread) {
    this.#settings = settings;
    this.#thread = thread;
  }

  get closing(): boolean {
    return this.#ending !== undefined;
  }

  async connect(): Promise<PoolClient> {
    const { maxWaiting } = this.#settings;
    if (this.#waiting.length >= maxWaiting) {
      throw new DatabaseUnavailableError(`More than ${maxWaiting} wait for a database connection.`);
    }
    return await this.#takeTurn(this.#settings);
  }

  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>> {
    return queryOnce(this, text, values);
  }

  /** For long work that nothing but its own thread should wait for, such as a checkpoint. */
  async withoutTimeout<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const NO_LIMIT = 2 ** 31 - 1;
    const client = await this.#takeTurn({ connectTimeoutMs: NO_LIMIT, statementTimeoutMs: 600_000 });
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  /** What a transaction says is heard with the answer to its commit. */
  async listen(listener: ListenOptions): Promise<Listening> {
    await this.query(`listen ${listener.channel}`);
    this.#listeners.add(listener);
    return {
      close: () => {
        this.#listeners.delete(listener);
        return Promise.resolve();
      },
    };
  }

  end(): Promise<void> {
    this.#ending ??= this.#close().finally(this.#settings.onClosed);
    return this.#ending;
  }

  async #close(): Promise<void> {
    const CLOSE_TIMEOUT_MS = 60_000;
    await this.#waitForTurn(this.#settings.connectTimeoutMs).catch((error: unknown) => {
      this.#settings.log.warn({ err: error }, 'The database is closed although a client still holds it.');
    });
    for (const waiter of this.#waiting.splice(0)) waiter.reject(new Error('The database is closed.'));
    await this.#thread.close(CLOSE_TIMEOUT_MS);
  }

  async #takeTurn(limits: { connectTimeoutMs: number; statementTimeoutMs: number }): Promise<PgliteClient> {
    if (this.#ending !== undefined) throw new Error('The database is closed.');
    await this.#waitForTurn(limits.connectTimeoutMs);
    try {
      await this.#requireThread();
    } catch (error) {
      this.#passTurn();
      throw error;
    }
    this.#holder = new PgliteClient({
      thread: this.#thread,
      statementTimeoutMs: limits.statementTimeoutMs,
      log: this.#settings.log,
      onHeard: ({ channel, payload }) => {
        for (const one of this.#listeners) if (one.channel === channel) one.onMessage(payload);
      },
      listen: () => this.#listenAgain(),
      pass: () => this.#passTurn(),
    });
    return this.#holder;
  }

  async #requireThread(): Promise<void> {
    const { lost } = this.#thread;
    if (lost === undefined) return;
    this.#settings.log.error({ err: lost }, 'The embedded database was lost; it is opened again.');
    await this.#thread.exited;
    this.#thread = await this.#settings.start();
    await this.#listenAgain();
    for (const { onGap } of this.#listeners) onGap();
  }

  async #listenAgain(): Promise<void> {
    for (const { channel } of this.#listeners) {
      const query = encodeQuery(`listen ${channel}`, []);
      const reply = decodeReply(await this.#thread.query(query, this.#settings.statementTimeoutMs));
      if (reply === null || 'error' in reply) throw new Error(`the database does not listen to ${channel}`);
    }
  }

  async #waitForTurn(timeoutMs: number): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(this.#describeTimeout(timeoutMs));
      }, timeoutMs);
      const waiter: Waiter = {
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.push(waiter);
    });
  }

  #passTurn(): void {
    this.#holder = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next.resolve();
  }

  #describeTimeout(timeoutMs: number): DatabaseUnavailableError {
    const holder = this.#holder;
    const heldBy =
      holder === undefined
        ? ''
        : ` It was held for ${((performance.now() - holder.since) / 1000).toFixed(1)} s, last by: ${holder.lastStatement.slice(0, 120)}`;
    return new DatabaseUnavailableError(
      `No database connection became free within ${timeoutMs / 1000} s. ` +
        `A query outside of an open transaction waits for that transaction: use the transaction's own client.${heldBy}`,
    );
  }
}
