import { afterAll, beforeAll, beforeEach } from 'vitest';
import { emptyDatabase, newDatabase } from './database.ts';
import type { Product } from '../../scripts/browser/product.ts';
import { startProduct } from '../../scripts/browser/product.ts';

export const BOSS = { id: '7111000000001', name: 'Maria-Magdalena Administratorsdottir' };

interface Running {
  product: Product;
  databaseUrl: string;
}

/** The product of this worker, for all files without settings of their own. It ends with the worker. */
let shared: Promise<Running> | null = null;

async function start(settings: Record<string, string>): Promise<Running> {
  const databaseUrl = await newDatabase();
  const environment = { DATABASE_URL: databaseUrl, ADMIN_PLATFORM_IDS: BOSS.id, ...settings };
  return { product: await startProduct(environment), databaseUrl };
}

/** No users, no outages, no emails, and simulators with nothing but their seeds and one admin. */
async function reset({ product, databaseUrl }: Running): Promise<void> {
  const { status, graph, mailbox, stripe } = product;
  await status.post('/reset');
  await emptyDatabase(databaseUrl);
  await Promise.all([graph.post('/reset'), mailbox.post('/reset'), stripe.reset()]);
  await graph.post('/seed', { users: [{ ...BOSS, accounts: [] }] });
}

/**
 * One running product for all tests of a suite. Each test starts with Meta up and no faults.
 * @param settings further environment variables: the suite then has a product of its own
 */
export function productOfThisSuite(settings?: Record<string, string>): Omit<Product, 'stop'> {
  let running: Running | null = null;
  const product = (): Product => {
    if (running === null) throw new Error('the product runs during tests only');
    return running.product;
  };
  beforeAll(async () => {
    running = await (settings === undefined ? (shared ??= start({})) : start(settings));
    await reset(running);
  });
  afterAll(async () => {
    if (settings !== undefined) await running?.product.stop();
  });
  beforeEach(async () => {
    const { status, graph, mailbox, stripe } = product();
    await status.post('/reset');
    await graph.ask('DELETE', '/faults');
    await mailbox.ask('DELETE', '/faults');
    await stripe.setClock(0);
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
    get advance() {
      return product().advance;
    },
  };
}
