import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterEach } from 'vitest';
import { DAY_MS, SIMULATED_STRIPE } from '../../scripts/simulator-clients/stripe.ts';
import type { UserOverHttp } from '../../scripts/simulator-clients/user.ts';
import { signIn } from '../../scripts/simulator-clients/user.ts';
import type { Card } from '../../simulators/stripe/account.ts';
import type { SubscriptionState } from '../../src/contract/shapes.ts';
import type { PlanType } from '../../src/core/billing/subscription.ts';
import { signUp } from './product.ts';
import { startSuite } from './suite.ts';

/** A signed-in advertiser. */
interface Visitor {
  user: UserOverHttp;
  userId: string;
}

export interface Customer extends Visitor {
  email: string;
}

/** Stripe's signature of a webhook. */
export function signatureOf(
  payload: string,
  { secret = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET, atMs }: { secret?: string; atMs: number },
): string {
  const timestamp = Math.floor(atMs / 1000);
  return new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

/** Sends a webhook as Stripe does; null: unsigned. @returns the status */
export async function postWebhook(url: string, body: string, signature: string | null): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== null && { 'stripe-signature': signature }),
  };
  return (await fetch(`${url}/webhooks/stripe`, { method: 'POST', headers, body })).status;
}

/** Call it inside `describe`. After each test Stripe's account is fresh and the users are gone. */
export function billingSuite(options: Parameters<typeof startSuite>[0] = {}) {
  const suite = startSuite(options);
  const stripe = () => suite.simulators.stripe;

  afterEach(async () => {
    await stripe().settleWebhooks();
    await stripe().reset();
    await suite.advance(0);
    await sql`delete from users`.execute(suite.product.app.db);
  });

  /** Sessions end after thirty days: logs in again when needed. */
  async function stateOf(who: Visitor): Promise<SubscriptionState> {
    const answer = await who.user.call<SubscriptionState>('GET', '/api/stripe/subscription');
    if (answer.status !== 401) return answer.body;
    who.user = await signIn(suite.product.url, who.userId);
    return who.user.get('/api/stripe/subscription');
  }

  /** '200 ok', or the status and the code of the error. */
  async function answerTo({ user }: Visitor, path: string, body = {}): Promise<string> {
    const answer = await user.call<{ error?: { code: string } }>('POST', path, body);
    return `${answer.status} ${answer.body.error?.code ?? 'ok'}`;
  }

  const checkout = ({ user }: Visitor, planType?: PlanType) => user.openCheckout(planType);

  async function customerOf({ userId }: Visitor): Promise<string> {
    const query = suite.product.app.db
      .selectFrom('stripeCustomers')
      .innerJoin('users', 'users.id', 'stripeCustomers.userId')
      .select('customerId')
      .where('platformUserId', '=', userId);
    return (await query.executeTakeFirstOrThrow()).customerId;
  }

  const subscriptionsOf = async (customer: string) => {
    const path = `subscriptions?customer=${customer}&status=all`;
    return (await stripe().api<{ data: { id: string; status: string }[] }>('GET', path)).data;
  };

  /** A new advertiser who is signed in and not subscribed. */
  const newcomer = (): Promise<Customer> =>
    signUp({ ...suite, campaigns: [], email: `customer${randomInt(1e9, 1e10)}@example.com` });

  /** Reads the subscriptions that are due now, as the product does every few seconds. */
  const readDue = () => suite.product.app.runTask('reading subscriptions');

  /** Waits for the status. @returns the state */
  const becomes = (who: Visitor, status: string) =>
    suite.until(`the subscription to be ${status}`, async () => {
      const state = await stateOf(who);
      if (state.subscription?.status === status) return state;
      await readDue();
      return null;
    });

  /** An advertiser who has paid with the card and is in the free month. */
  async function subscriber(planType?: PlanType, card?: Card): Promise<Customer> {
    const who = await newcomer();
    await stripe().pay(await checkout(who, planType), card);
    await becomes(who, 'trialing');
    await stripe().settleWebhooks();
    return who;
  }

  /** Logs in again when needed. */
  async function portal(who: Visitor) {
    await stateOf(who);
    const portalUrl = await who.user.openPortal();
    // Opening the portal is an event too; it must not report the next change.
    await stripe().settleWebhooks();
    return stripe().portal(portalUrl);
  }

  return Object.assign(suite, {
    ...{ stripe, stateOf, answerTo, checkout, customerOf, newcomer, readDue, becomes, subscriber, portal },
    subscriptionsOf: async (who: Visitor) => subscriptionsOf(await customerOf(who)),
    /** The subscriptions of a customer, even of a deleted one, that have not ended. */
    runningOf: async (customer: string) =>
      (await subscriptionsOf(customer)).filter(({ status }) => status !== 'canceled'),
    /** The answer to a click on a plan. */
    asking: (who: Visitor, planType = 'monthly') =>
      answerTo(who, '/api/stripe/create-checkout-session', { planType }),
    /** An advertiser whose free month is over and who has no subscription, signed in again. */
    former: async () => {
      const who = await subscriber();
      await (await portal(who)).cancel();
      await becomes(who, 'canceled');
      await suite.advance(31 * DAY_MS);
      await suite.until('its end', async () => !(await stateOf(who)).hasActiveSubscription);
      return who;
    },
    /** In cents, as Stripe charged the customer. */
    paidBy: async (customerId: string) => {
      const path = `invoices?customer=${customerId}&limit=100`;
      const { data } = await stripe().api<{ data: { amount_paid: number }[] }>('GET', path);
      return data.map((invoice) => invoice.amount_paid).filter((cents) => cents > 0);
    },
    /** Changes the user's row. */
    update: async ({ userId }: Visitor, fields: { roles?: string[]; email?: string }) => {
      const query = suite.product.app.db.updateTable('users').set(fields);
      await query.where('platformUserId', '=', userId).execute();
    },
    /** Sends a signed event. @returns the status */
    deliver: (event: object | string) => {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      const signature = signatureOf(body, { atMs: suite.product.clock.now() });
      return postWebhook(suite.product.url, body, signature);
    },
  });
}
