import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Product } from '../../scripts/browser/product.ts';
import { startProduct } from '../../scripts/browser/product.ts';
import type { Wish } from './advertiser.ts';
import { Advertiser } from './advertiser.ts';

type Level = 'UP' | 'LOW_DISRUPTION' | 'MEDIUM_DISRUPTION' | 'HIGH_DISRUPTION' | 'UNKNOWN';

const REPORTS = {
  LOW_DISRUPTION: 'Low disruptions',
  MEDIUM_DISRUPTION: 'Medium disruptions',
  HIGH_DISRUPTION: 'High disruptions',
} as const;

const BOSS = '7111000000001';

/** The running product with its simulators and users. */
export class World {
  readonly product: Product;
  readonly boss: Advertiser;

  private constructor(product: Product, boss: Advertiser) {
    this.product = product;
    this.boss = boss;
  }

  /** @param settings further environment variables of the product */
  static async start(settings: Record<string, string> = {}): Promise<World> {
    const product = await startProduct({ ADMIN_PLATFORM_IDS: BOSS, ...settings });
    try {
      const bare: Wish = { accounts: {}, plan: null, setup: null };
      return new World(product, await Advertiser.with(product, { ...bare, id: BOSS, name: 'Ada Boss' }));
    } catch (error) {
      await product.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.product.stop();
  }

  advertiser(wish: Wish = {}): Promise<Advertiser> {
    return Advertiser.with(this.product, wish);
  }

  /** Resets between two states: no outage, no faults, no override, the payment provider's clock is right. */
  async reset(): Promise<void> {
    const { status, graph, stripe } = this.product;
    await Promise.all([
      status.post('/reset'),
      graph.ask('DELETE', '/faults'),
      stripe.ask('DELETE', '/faults'),
      graph.post('/settings', { codeTokenSeconds: null, extendTokens: true }),
      stripe.setClock(0),
      this.#bossUndoes(),
    ]);
    await this.isAt('UP');
  }

  async #bossUndoes(): Promise<void> {
    const { over } = this.boss;
    const { isOverridden } = await over.get<{ isOverridden: boolean }>('/api/admin/status');
    if (isOverridden) await over.post('/api/admin/clear');
    const { subscription } = await over.get<{ subscription: object | null }>('/api/stripe/subscription');
    if (subscription !== null) await over.post('/api/admin/clear-stripe-data');
  }

  /** Sets the status page to this level and waits until the product has read it. */
  async meets(level: keyof typeof REPORTS | 'UNKNOWN'): Promise<void> {
    const { status } = this.product;
    if (level === 'UNKNOWN') await status.fault({ kind: 'unknown_phrase', times: 0 });
    else await status.reports(REPORTS[level]);
    await this.isAt(level);
  }

  async recovers(): Promise<void> {
    await this.product.status.reports('Resolved');
    await this.isAt('UP');
  }

  async isAt(level: Level): Promise<void> {
    const { over } = this.boss;
    await waitFor(`the status to be ${level}`, async () => {
      return (await over.get<{ status: Level }>('/api/status')).status === level;
    });
  }
}
