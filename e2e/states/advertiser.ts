import type { UserOverHttp } from '../../scripts/outside/user.ts';
import { signIn } from '../../scripts/outside/user.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Product } from '../../scripts/browser/product.ts';

type Running = Omit<Product, 'stop'>;

/** What a user is and has done before the picture. */
export interface Wish {
  /** The Meta id of an existing user. */
  id?: string;
  name?: string;
  /** The ad accounts by name, each with its campaigns. */
  accounts?: Record<string, Campaigns>;
  /** Null: no subscription. */
  plan?: 'monthly' | 'yearly' | null;
  /** Null: the setup is not completed. */
  setup?: Setup | null;
  /** Campaigns with SmartPause on. */
  on?: readonly string[];
}

type Campaigns = Record<string, 'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;

interface Listed {
  id: string;
  held: boolean;
}

export interface Setup {
  outageThreshold?: 'LOW' | 'MEDIUM' | 'HIGH';
  resumeSettings?: object;
}

const CAMPAIGNS: Campaigns = {
  'Trail Shoes | Prospecting': 'ACTIVE',
  'Rain Jackets | Retargeting 30d': 'ACTIVE',
  'Winter Boots | Lookalike 1%': 'ACTIVE',
  'Gift Cards | Broad': 'PAUSED',
  'Spring Clearance | Cart Abandoners': 'PAUSED',
  'Brand Film | Video Views': 'ARCHIVED',
};

const OBJECTIVES = ['OUTCOME_SALES', 'OUTCOME_LEADS', 'OUTCOME_AWARENESS', 'OUTCOME_APP_PROMOTION'];

let lastNumber = 0;

/** An advertiser with a session and without a browser. */
export class Advertiser {
  readonly id: string;
  readonly over: UserOverHttp;
  readonly #product: Running;

  private constructor(product: Running, id: string, over: UserOverHttp) {
    this.#product = product;
    this.id = id;
    this.over = over;
  }

  static async with(product: Running, wish: Wish = {}): Promise<Advertiser> {
    lastNumber += 1;
    const {
      id = String(810_000_000 + lastNumber),
      accounts = { 'Lind Outdoor': CAMPAIGNS },
      name = 'Nora Lind',
      plan = 'monthly',
      setup = {},
      on = [],
    } = wish;
    await product.graph.post('/seed', { users: [{ id, name, accounts: seedsOf(id, accounts) }] });
    const advertiser = new Advertiser(product, id, await signIn(product.url, id));
    if (plan !== null) await advertiser.#subscribes(plan);
    if (setup !== null) {
      const usual = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' };
      await advertiser.over.completeSetup({ email: 'nora@lind.example', ...usual, ...setup });
    }
    for (const campaign of on) await advertiser.turnsOn(campaign);
    return advertiser;
  }

  /** Works also for a period that has ended. */
  async #subscribes(planType: 'monthly' | 'yearly'): Promise<void> {
    const { checkoutUrl } = await this.over.post<{ checkoutUrl: string }>(
      '/api/stripe/create-checkout-session',
      { planType },
    );
    await this.#product.stripe.pay(checkoutUrl);
    await this.over.post('/api/stripe/refresh-subscription');
  }

  async turnsOn(campaign: string): Promise<void> {
    const { id, account } = await this.campaign(campaign);
    await this.over.setSmartPause(account, id, true);
  }

  /** The campaign as Meta has it. */
  async campaign(name: string) {
    const all = [...(await this.#product.graph.campaigns()).values()];
    const found = all.find((one) => one.name === name && one.account.startsWith(`act_${this.id}`));
    if (found === undefined) throw new Error(`there is no campaign ${name}`);
    return found;
  }

  /** Waits until the hold is stored. An earlier external change would look like a lost pause. */
  async isHeld(name: string): Promise<void> {
    const { id, account } = await this.campaign(name);
    await waitFor(`${name} to be held`, async () => {
      const { campaigns } = await this.over.get<{ campaigns: Listed[] }>(`/api/campaigns/${account}`);
      return campaigns.some((one) => one.id === id && one.held);
    });
  }

  /** Sets a status that no page of the payment provider can set. */
  async subscriptionBecomes(status: string): Promise<void> {
    const { portalUrl } = await this.over.post<{ portalUrl: string }>(
      '/api/stripe/create-portal-session',
      {},
    );
    const { text } = await this.#product.stripe.portal(portalUrl).page();
    const subscription = /name="subscription" value="([^"]+)"/.exec(text)?.[1];
    if (subscription === undefined) throw new Error('the portal shows no subscription');
    await this.#product.stripe.setStatus(subscription, status);
    await this.over.post('/api/stripe/refresh-subscription');
  }

  async cancels(): Promise<void> {
    await this.over.cancelSubscription(this.#product.stripe);
  }
}

function seedsOf(user: string, accounts: Record<string, Campaigns>): object[] {
  return Object.entries(accounts).map(([name, campaigns], at) => ({
    id: `act_${user}${at}`,
    name,
    currency: 'USD',
    campaigns: Object.entries(campaigns).map(([campaign, status], index) => ({
      id: `${user}${at}${String(index).padStart(3, '0')}`,
      name: campaign,
      status,
      objective: OBJECTIVES[index % OBJECTIVES.length],
      daily_budget: String(5000 + 2500 * index),
    })),
  }));
}
