import { Slots } from '../../slots.ts';
import {
  DatabaseUnavailableError,
  queryOnce,
  type Pool,
  type PoolClient,
  type QueryResult,
  type Row,
} from './pool.ts';

/** How much of a pool one part of the process may have. */
export interface ShareLimits {
  connections: number;
  maxWaiting: number;
  connectTimeoutMs: number;
}

/**
 * A part of a pool. Those who come by this way queue here, and no more than so many of them stand in the pool's own
 * queue or hold what is in it: whoever goes to the pool itself has at most those before them, however many wait here.
 */
export class PoolShare implements Pool {
  readonly options: object;
  readonly #pool: Pool;
  readonly #limits: ShareLimits;
  readonly #turns: Slots;

  constructor(pool: Pool, limits: ShareLimits) {
    this.options = pool.options;
    this.#pool = pool;
    this.#limits = limits;
    this.#turns = new Slots(limits.connections, limits.maxWaiting);
  }

  async connect(): Promise<PoolClient> {
    const { connectTimeoutMs } = this.#limits;
    const until = performance.now() + connectTimeoutMs;
    if (!(await this.#turns.take(connectTimeoutMs))) {
      throw new DatabaseUnavailableError('Too many pages wait for a database connection, or for too long.');
    }
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        late.reject(new DatabaseUnavailableError('No database connection became free for a page in time.')),
      Math.max(0, until - performance.now()),
    );
    const connecting = this.#pool.connect();
    try {
      return this.#handOut(await Promise.race([connecting, late.promise]));
    } catch (error) {
      // The turn is over when the pool's own answer has come, which nobody waits for any more.
      connecting.then(
        (client) => this.#handOut(client).release(),
        () => this.#turns.pass(),
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  query<R = Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<R>> {
    return queryOnce(this, text, values);
  }

  /** The pool belongs to whoever made it. */
  end(): Promise<void> {
    return Promise.resolve();
  }

  #handOut(client: PoolClient): PoolClient {
    return {
      query: (...args: Parameters<PoolClient['query']>) => client.query(...args),
      release: (destroy) => {
        client.release(destroy);
        this.#turns.pass();
      },
    } as PoolClient;
  }
}
