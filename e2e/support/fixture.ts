import { afterAll, beforeAll, beforeEach } from 'vitest';
import { closeBrowser } from '../../scripts/browser/browser.ts';
import { newDatabase } from './database.ts';
import type { Product } from '../../scripts/browser/product.ts';
import { startProduct } from '../../scripts/browser/product.ts';

/** One browser for the whole file. */
afterAll(closeBrowser);

/** One running product for all tests of a suite. Each test starts with Meta up and no faults. */
export function productOfThisSuite(settings: Record<string, string> = {}): Omit<Product, 'stop'> {
  let running: Product | null = null;
  const product = (): Product => {
    if (running === null) throw new Error('the product runs during tests only');
    return running;
  };
  beforeAll(async () => {
    running = await startProduct({ DATABASE_URL: await newDatabase(), ...settings });
  });
  afterAll(async () => {
    await running?.stop();
  });
  beforeEach(async () => {
    await product().status.post('/reset');
    await product().graph.ask('DELETE', '/faults');
    await product().mailbox.ask('DELETE', '/faults');
    await product().stripe.setClock(0);
  });
  return {
    get url() {
      return product().url;
    },
    get graph() {
      return product().graph;
    },
    get status() {
      return product().status;
    },
    get stripe() {
      return product().stripe;
    },
    get mailbox() {
      return product().mailbox;
    },
  };
}
