import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import type { Database } from '../../src/server/db/open-database.ts';
import { outliving } from './database.ts';
import type { TestProduct, TestProductOptions } from './product.ts';
import { startProduct } from './product.ts';
import type { LocalSimulators } from './simulators.ts';
import { startSimulators } from './simulators.ts';

type Look<T> = () => Promise<T> | T;
type Found<T> = Exclude<T, null | undefined | false>;

/** The product and everything around it in this process: Meta, its status page, Stripe, a mailbox and the channels, on one clock. */
export interface World {
  simulators: LocalSimulators;
  readonly product: TestProduct;
  /** Reads the status, reconciles due work items, runs the frequent tasks and sends due notifications. */
  turn: () => Promise<void>;
  /** Looks for a fact after each turn. */
  until: <T>(title: string, look: Look<T>) => Promise<Found<T>>;
  /** Looks for a fact during a turn, which waits for what the test does next. */
  amid: <T>(title: string, look: Look<T>) => Promise<Found<T>>;
  /** Moves the time of the product, of Meta, of the channels and of Stripe, whose due webhooks have then arrived. */
  advance: (ms: number) => Promise<void>;
  /** Ends the product and starts it again, on the same database. */
  restart: (options?: Pick<WorldOptions, 'ownsDatabase' | 'environment'>) => Promise<void>;
  close: () => Promise<void>;
}

export type WorldOptions = Omit<TestProductOptions, 'simulators'>;

/** @param options.database the world closes it */
export async function startWorld(options: WorldOptions & { database: Database }): Promise<World> {
  const simulators = await startSimulators();
  const clock = options.clock ?? new OffsetClock();
  const start = (more: Partial<WorldOptions> = {}): Promise<TestProduct> =>
    startProduct({ ...options, ...more, clock, simulators, database: outliving(options.database) });
  let product = await start().catch(async (error: unknown) => {
    await simulators.stop();
    throw error;
  });
  let turning: Promise<void> | null = null;
  const turn = (): Promise<void> => {
    turning ??= product.app.turn().finally(() => (turning = null));
    return turning;
  };
  const isStepped = options.isStepped ?? false;
  return {
    simulators,
    get product() {
      return product;
    },
    turn,
    amid(title, look) {
      void turn().catch(() => undefined);
      return waitFor(title, look);
    },
    until: (title, look) => (isStepped ? untilStepped(title, look, turn) : waitFor(title, look)),
    async advance(ms) {
      clock.advance(ms);
      const offsetMs = clock.now() - Date.now();
      await simulators.graph.post('/clock', { offsetMs });
      await simulators.status.post('/clock', { offsetMs });
      await simulators.channels.post('/clock', { offsetMs });
      await simulators.stripe.setClock(offsetMs);
      await simulators.stripe.settleWebhooks();
    },
    async restart(more) {
      await product.close();
      product = await start(more);
    },
    async close() {
      await simulators.stop();
      await turning?.catch(() => undefined);
      await product.close();
      await options.database.close();
    },
  };
}

const MOST_TURNS = 100;

async function untilStepped<T>(title: string, look: Look<T>, turn: () => Promise<void>): Promise<Found<T>> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found as Found<T>;
    await turn();
  }
  throw new Error(`${title}: not within ${MOST_TURNS} turns`);
}
