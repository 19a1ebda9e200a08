import { randomInt } from 'node:crypto';
import { afterEach } from 'vitest';
import type { PersonOverHttp } from '../../scripts/outside/person.ts';
import { signIn } from '../../scripts/outside/person.ts';
import type { StripeDoor } from '../../scripts/outside/stripe.ts';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Suite } from './suite.ts';
import { startSuite } from './suite.ts';

/** What a person is told of their subscription. */
export interface State {
  hasActiveSubscription: boolean;
  subscription: {
    status: string;
    planType: string;
    currentPeriodEnd: string;
    canceledAt: string | null;
    trialEnd: string | null;
  } | null;
  isTrialAvailable: boolean;
  hasPortal: boolean;
}

export interface Refused {
  error: { code: string; message: string };
}

/** Somebody signed in. */
export interface Customer {
  person: PersonOverHttp;
  userId: string;
  email: string;
}

export interface BillingSuite extends Suite {
  stripe: () => StripeDoor;
  /** Somebody new who has signed in and not subscribed. */
  newcomer: () => Promise<Customer>;
  stateOf: (who: Customer) => Promise<State>;
  checkout: (who: Customer, planType?: string) => Promise<string>;
  portal: (who: Customer) => Promise<ReturnType<StripeDoor['portal']>>;
  customerOf: (who: Customer) => Promise<string>;
  /** Time passes, at Stripe as well, and its webhooks of that have been answered. */
  later: (ms: number) => Promise<void>;
  /** Somebody who has paid with the card, and is in the free month. */
  subscriber: (planType?: string, card?: 'good' | 'fails_at_renewal') => Promise<Customer>;
  /** What a call that begins something at Stripe was refused with. */
  refusalOf: (who: Customer, path: string, body: object) => Promise<string>;
  /** Makes an administrator of them. */
  appoint: (who: Customer) => Promise<void>;
  /** Straight to Stripe's API, as its dashboard would. */
  atStripe: <T = unknown>(method: string, path: string, body?: Record<string, string>) => Promise<T>;
  subscriptionsOf: (who: Customer) => Promise<{ id: string; status: string }[]>;
  /** Somebody whose free month is over and who pays for nothing. */
  former: () => Promise<Customer>;
  /** In cents, as Stripe has taken it from the customer. */
  paidBy: (customerId: string) => Promise<number[]>;
  /** So much later whoever was due to be read by then has been read. */
  swept: (ms: number) => Promise<void>;
  /** The status, once it is that. */
  becomes: (who: Customer, status: string) => Promise<State>;
}

/** To be called where tests are described. */
export function billingSuite(options: Parameters<typeof startSuite>[0] = {}): BillingSuite {
  const suite = startSuite(options);
  const stripe = () => suite.simulators.stripe;

  afterEach(async () => {
    await stripe().ask('DELETE', '/faults');
    await stripe().releaseWebhooks();
  });

  /** Sessions end after thirty days: whoever is out logs in again. */
  async function stateOf(who: Customer): Promise<State> {
    const answer = await who.person.call<State>('GET', '/api/stripe/subscription');
    if (answer.status !== 401) return answer.body;
    who.person = await signIn(suite.product.url, who.userId);
    return who.person.get<State>('/api/stripe/subscription');
  }

  const checkout = async ({ person }: Customer, planType = 'monthly') =>
    (await person.post<{ checkoutUrl: string }>('/api/stripe/create-checkout-session', { planType }))
      .checkoutUrl;

  async function customerOf({ userId }: Customer): Promise<string> {
    const row = await suite.product.app.db
      .selectFrom('billing_customer')
      .innerJoin('person', 'person.id', 'billing_customer.person_id')
      .select('customer_id')
      .where('platform_user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.customer_id ?? '';
  }

  async function newcomer(): Promise<Customer> {
    const userId = `7200${randomInt(1e9, 1e10)}`;
    const email = `customer${userId}@example.com`;
    const account = { id: `act_${userId}`, name: 'An account', currency: 'USD', campaigns: [] };
    await suite.simulators.graph.post('/seed', {
      users: [{ id: userId, name: 'Some Customer', email, accounts: [account] }],
    });
    return { person: await signIn(suite.product.url, userId), userId, email };
  }

  const becomes = (who: Customer, status: string) =>
    waitFor(`the subscription to be ${status}`, async () => {
      const state = await stateOf(who);
      return state.subscription?.status === status ? state : null;
    });

  async function atStripe<T>(method: string, path: string, body?: Record<string, string>): Promise<T> {
    const { STRIPE_API_URL: url, STRIPE_SECRET_KEY: key } = suite.simulators.environment;
    const answer = await fetch(`${url ?? ''}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key ?? ''}` },
      ...(body && { body: new URLSearchParams(body) }),
    });
    return (await answer.json()) as T;
  }

  async function subscriber(
    planType = 'monthly',
    card: 'good' | 'fails_at_renewal' = 'good',
  ): Promise<Customer> {
    const who = await newcomer();
    await stripe().pay(await checkout(who, planType), card);
    await becomes(who, 'trialing');
    await stripe().settleWebhooks();
    return who;
  }

  async function portal({ person }: Customer): Promise<ReturnType<StripeDoor['portal']>> {
    const { portalUrl } = await person.post<{ portalUrl: string }>('/api/stripe/create-portal-session', {});
    // That it was opened is an event as well; it must not tell of what is done there next.
    await stripe().settleWebhooks();
    return stripe().portal(portalUrl);
  }

  async function later(ms: number): Promise<void> {
    suite.product.clock.advance(ms);
    const offsetMs = suite.product.clock.now() - Date.now();
    await suite.simulators.graph.post('/clock', { offsetMs });
    await stripe().setClock(offsetMs);
    await stripe().settleWebhooks();
  }

  return Object.assign(suite, {
    stripe,
    portal,
    later,
    subscriber,
    former: async () => {
      const who = await subscriber();
      await (await portal(who)).cancel();
      await becomes(who, 'canceled');
      await later(31 * DAY_MS);
      await waitFor('its end', async () => !(await stateOf(who)).hasActiveSubscription);
      return who;
    },
    paidBy: async (customerId: string) => {
      const path = `invoices?customer=${customerId}&limit=100`;
      const { data } = await atStripe<{ data: { amount_paid: number }[] }>('GET', path);
      return data.map((invoice) => invoice.amount_paid).filter((cents) => cents > 0);
    },
    swept: async (ms: number) => {
      const readings = () =>
        suite.product.app.db
          .selectFrom('billing_customer')
          .select(['person_id', 'sync_no', 'written_no', 'sync_at'])
          .where('customer_id', 'is not', null)
          .execute();
      // One that is on its way would count for what comes now, and may know nothing of it.
      const before = await waitFor('no reading to be on its way', async () => {
        const rows = await readings();
        return rows.every(({ sync_no, written_no }) => sync_no === written_no) ? rows : null;
      });
      await later(ms);
      const due = before.filter(({ sync_at }) => sync_at.getTime() <= suite.product.clock.now());
      await waitFor('whoever was due to be read', async () => {
        suite.product.clock.advance(1000);
        const now = new Map((await readings()).map((row) => [row.person_id, row.written_no]));
        return due.every((row) => (now.get(row.person_id) ?? Infinity) > row.sync_no) || null;
      });
      await stripe().settleWebhooks();
    },
    stateOf,
    checkout,
    customerOf,
    appoint: async ({ userId }: Customer) => {
      await suite.product.app.db
        .updateTable('person')
        .set({ roles: ['developers'] })
        .where('platform_user_id', '=', userId)
        .execute();
    },
    newcomer,
    becomes,
    atStripe,
    refusalOf: async (who: Customer, path: string, body: object) => {
      const answer = await who.person.call<Refused>('POST', `/api/stripe/${path}`, body);
      return `${answer.status} ${answer.body.error.code}`;
    },
    subscriptionsOf: async (who: Customer) => {
      const path = `subscriptions?customer=${await customerOf(who)}&status=all`;
      return (await atStripe<{ data: { id: string; status: string }[] }>('GET', path)).data;
    },
  });
}
