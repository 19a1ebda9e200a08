import { randomInt } from 'node:crypto';
import { afterEach } from 'vitest';
import type { PersonOverHttp } from '../scripts/outside/person.ts';
import { signIn } from '../scripts/outside/person.ts';
import type { StripeDoor } from '../scripts/outside/stripe.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import type { Engine } from './database.ts';
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
  /** The status, once it is that. */
  becomes: (who: Customer, status: string) => Promise<State>;
}

/** To be called where tests are described. */
export function billingSuite(engine: Engine): BillingSuite {
  const suite = startSuite(engine);
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

  return Object.assign(suite, {
    stripe,
    stateOf,
    newcomer: async (): Promise<Customer> => {
      const userId = `7200${randomInt(1e9, 1e10)}`;
      const email = `customer${userId}@example.com`;
      const account = { id: `act_${userId}`, name: 'An account', currency: 'USD', campaigns: [] };
      await suite.simulators.graph.post('/seed', {
        users: [{ id: userId, name: 'Some Customer', email, accounts: [account] }],
      });
      return { person: await signIn(suite.product.url, userId), userId, email };
    },
    checkout: async ({ person }: Customer, planType = 'monthly') =>
      (
        await person.post<{ checkoutUrl: string }>('/api/stripe/create-checkout-session', {
          planType,
        })
      ).checkoutUrl,
    portal: async ({ person }: Customer) =>
      stripe().portal(
        (await person.post<{ portalUrl: string }>('/api/stripe/create-portal-session', {})).portalUrl,
      ),
    customerOf: async ({ userId }: Customer) => {
      const row = await suite.product.app.db
        .selectFrom('billing_customer')
        .innerJoin('person', 'person.id', 'billing_customer.person_id')
        .select('customer_id')
        .where('platform_user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return row.customer_id ?? '';
    },
    later: async (ms: number) => {
      suite.product.clock.advance(ms);
      const offsetMs = suite.product.clock.now() - Date.now();
      await suite.simulators.graph.post('/clock', { offsetMs });
      await stripe().setClock(offsetMs);
      await stripe().settleWebhooks();
    },
    becomes: (who: Customer, status: string) =>
      waitFor(`the subscription to be ${status}`, async () => {
        const state = await stateOf(who);
        return state.subscription?.status === status ? state : null;
      }),
  });
}
