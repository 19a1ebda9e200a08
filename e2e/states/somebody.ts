import type { PersonOverHttp } from '../../scripts/outside/person.ts';
import { signIn } from '../../scripts/outside/person.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Product } from '../../scripts/browser/product.ts';

type Running = Omit<Product, 'stop'>;

/** What somebody is and has done before they are looked at. */
export interface Wish {
  /** The id on the platform, for somebody who is known already. */
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
  smartPauseSetting: string;
}

const LOOKS_TWICE_MS = 60_000;

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

/** An advertiser with a session, and without a browser. */
export class Somebody {
  readonly id: string;
  readonly over: PersonOverHttp;
  readonly #product: Running;

  private constructor(product: Running, id: string, over: PersonOverHttp) {
    this.#product = product;
    this.id = id;
    this.over = over;
  }

  static async with(product: Running, wish: Wish = {}): Promise<Somebody> {
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
    const somebody = new Somebody(product, id, await signIn(product.url, id));
    if (plan !== null) await somebody.#subscribes(plan);
    if (setup !== null) {
      const usual = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' };
      await somebody.over.completeSetup({ email: 'nora@lind.example', ...usual, ...setup });
    }
    for (const campaign of on) await somebody.turnsOn(campaign);
    return somebody;
  }

  /** Also for a time that is over by now. */
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

  /** As it is on the platform. */
  async campaign(name: string) {
    const all = [...(await this.#product.graph.campaigns()).values()];
    const found = all.find((one) => one.name === name && one.account.startsWith(`act_${this.id}`));
    if (found === undefined) throw new Error(`there is no campaign ${name}`);
    return found;
  }

  /** The product has written down that it paused it; before that, what a hand changes is taken for a lost pause. */
  isHeld(name: string): Promise<unknown> {
    return this.#isListed(name, ({ held }) => held);
  }

  /** SmartPause has found it changed by somebody's hand; it looks twice, and takes its time in between. */
  isLetGo(name: string): Promise<unknown> {
    return this.#isListed(name, ({ smartPauseSetting }) => smartPauseSetting === 'DEACTIVATED');
  }

  async #isListed(name: string, isSo: (campaign: Listed) => boolean): Promise<unknown> {
    const { id, account } = await this.campaign(name);
    const ask = async () => {
      const { campaigns } = await this.over.get<{ campaigns: Listed[] }>(`/api/campaigns/${account}`);
      return campaigns.some((one) => one.id === id && isSo(one));
    };
    return waitFor(`${name} to be listed so`, ask, LOOKS_TWICE_MS);
  }

  /** As no page of the payment provider can set it. */
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

function seedsOf(person: string, accounts: Record<string, Campaigns>): object[] {
  return Object.entries(accounts).map(([name, campaigns], at) => ({
    id: `act_${person}${at}`,
    name,
    currency: 'USD',
    campaigns: Object.entries(campaigns).map(([campaign, status], index) => ({
      id: `${person}${at}${String(index).padStart(3, '0')}`,
      name: campaign,
      status,
      objective: OBJECTIVES[index % OBJECTIVES.length],
      daily_budget: String(5000 + 2500 * index),
    })),
  }));
}
