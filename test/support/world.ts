import type { Database } from '../../src/server/db/pool/open.ts';
import type { TestProduct, TestProductOptions } from './product.ts';
import { startProduct } from './product.ts';
import type { LocalSimulators } from './simulators.ts';
import { startSimulators } from './simulators.ts';

/** The product and everything around it in this process: Meta, its status page, Stripe and a mailbox, on one clock. */
export interface World {
  simulators: LocalSimulators;
  product: TestProduct;
  /** Reads the status, reconciles due work items and sends due notifications. */
  turn: () => Promise<void>;
  /** Moves the time of the product, of Meta and of Stripe, whose due webhooks have then arrived. */
  advance: (ms: number) => Promise<void>;
  close: () => Promise<void>;
}

export type WorldOptions = Omit<TestProductOptions, 'simulators'>;

/** @param options.database the world closes it */
export async function startWorld(options: WorldOptions & { database: Database }): Promise<World> {
  const simulators = await startSimulators();
  const product = await startProduct({ ...options, simulators }).catch(async (error: unknown) => {
    await simulators.stop();
    throw error;
  });
  return {
    simulators,
    product,
    turn: () => product.app.turn(),
    async advance(ms) {
      product.clock.advance(ms);
      const offsetMs = product.clock.now() - Date.now();
      await simulators.graph.post('/clock', { offsetMs });
      await simulators.status.post('/clock', { offsetMs });
      await simulators.stripe.setClock(offsetMs);
      await simulators.stripe.settleWebhooks();
    },
    async close() {
      await product.close();
      await simulators.stop();
    },
  };
}
