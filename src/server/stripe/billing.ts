import type Stripe from 'stripe';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import { PLAN_TYPES, TRIAL_DAYS } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { StripeAnswer, StripeFault } from './client.ts';
import { asking, createStripe, isAbout, isRefused } from './client.ts';
import type { Prices } from './subscriptions.ts';
import { OUR_MARK, readPrice, readSubscription } from './subscriptions.ts';
import type { StripeEvent } from './webhooks.ts';
import { readEvent } from './webhooks.ts';

export interface StripeConfig {
  secretKey: string;
  /** Several while one is being replaced. */
  webhookSecrets: string[];
  prices: Prices;
  /** What the portal offers. */
  portalConfiguration: string;
  /** Null: the real Stripe. */
  apiUrl: string | null;
}

export interface CheckoutSession {
  id: string;
  /** Null once it is over. */
  url: string | null;
  /** Null: for a price that is not ours any more. */
  planType: PlanType | null;
  hasTrial: boolean;
  isOpen: boolean;
  expiresAt: Instant;
}

export interface CheckoutOrder {
  customerId: string;
  /** Comes back with the session, for people who look at it in Stripe. */
  personId: string;
  planType: PlanType;
  withTrial: boolean;
  successUrl: string;
  cancelUrl: string;
  /** The same order asked for twice at once is one session. */
  idempotencyKey: string;
}

export interface NewCustomer {
  personId: string;
  name: string;
  email: string | null;
  idempotencyKey: string;
}

/** Everything that the product does with Stripe. */
export interface Billing {
  /** Whether Stripe still has the customer. */
  readCustomer(customerId: string): Promise<StripeAnswer<true>>;
  /** What the plan costs by Stripe. */
  readPrice(planType: PlanType): Promise<StripeAnswer<StripePrice>>;
  createCustomer(customer: NewCustomer): Promise<StripeAnswer<string>>;
  /** Deletes the customer; Stripe cancels at once what they still have. Done already is done. */
  deleteCustomer(customerId: string): Promise<StripeAnswer<true>>;
  /** All of them, also ended ones. `gone`: the customer was deleted in Stripe. */
  listSubscriptions(customerId: string): Promise<StripeAnswer<StripeSubscription[]>>;
  /** At once; what is paid for and not used yet is credited to the customer if asked. Ended already is done. */
  cancelSubscription(subscriptionId: string, options: { isCredited: boolean }): Promise<StripeAnswer<true>>;
  /** The newest first. */
  listCheckouts(customerId: string): Promise<StripeAnswer<CheckoutSession[]>>;
  createCheckout(order: CheckoutOrder): Promise<StripeAnswer<CheckoutSession>>;
  /** Done also when somebody else has closed it; not when it has been paid. */
  expireCheckout(sessionId: string): Promise<StripeAnswer<true>>;
  /** Where the customer manages card, plan and cancellation. */
  openPortal(given: { customerId: string; returnUrl: string }): Promise<StripeAnswer<string>>;
  /** Null: not from Stripe, or too old. */
  readEvent(rawBody: Uint8Array, signature: string, now: Instant): StripeEvent | null;
}

export interface FailedCall extends StripeFault {
  call: string;
}

const CHECKOUTS_SEEN = 20;
const SUBSCRIPTIONS_SEEN = 100;

/**
 * @param onFailure hears of every call that Stripe did not carry out, and why; nothing secret is in it
 * @param given.onAnswer hears of every call that Stripe did carry out
 * @param given.httpClient instead of the SDK's own
 */
export function createBilling(
  config: StripeConfig,
  onFailure: (details: FailedCall) => void,
  given: { onAnswer?: () => void; httpClient?: Stripe.HttpClient } = {},
): Billing {
  const stripe = createStripe(config.secretKey, config.apiUrl, given.httpClient);
  const calls = createCalls(stripe, onFailure, given.onAnswer);
  return {
    readCustomer: calls.readCustomer,
    readPrice: async (planType) =>
      goneIsOurFault(
        await calls.ask('read price', async () =>
          readPrice(await stripe.prices.retrieve(config.prices[planType])),
        ),
      ),
    ...customersAndSubscriptions(stripe, config, calls),
    ...checkouts(stripe, config, calls),
    openPortal: ({ customerId, returnUrl }) =>
      calls.askAbout(customerId, 'open portal', async () => {
        const { url } = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
          configuration: config.portalConfiguration,
        });
        return url;
      }),
    readEvent: (rawBody, signature, now) =>
      readEvent(stripe, { rawBody, signature, secrets: config.webhookSecrets }, now),
  };
}

type Calls = ReturnType<typeof createCalls>;

function createCalls(stripe: Stripe, onFailure: (details: FailedCall) => void, onAnswer?: () => void) {
  const ask = async <T>(name: string, call: () => Promise<T>): Promise<StripeAnswer<T>> => {
    const answer = await asking(call, (details) => onFailure({ ...details, call: name }));
    if (answer.ok) onAnswer?.();
    return answer;
  };

  /**
   * 'No such customer' is also what Stripe says when our key is for another account. Only a customer whom Stripe knows
   * as deleted is gone.
   */
  async function readCustomer(customerId: string): Promise<StripeAnswer<true>> {
    const answer = await ask('read customer', () => stripe.customers.retrieve(customerId));
    if (!answer.ok) return goneIsOurFault(answer);
    return answer.value.deleted === true ? { ok: false, failure: 'gone' } : { ok: true, value: true };
  }

  async function askAbout<T>(
    customerId: string,
    name: string,
    call: () => Promise<T>,
  ): Promise<StripeAnswer<T>> {
    const answer = await ask(name, call);
    if (answer.ok || answer.failure !== 'gone') return answer;
    const known = await readCustomer(customerId);
    return known.ok ? { ok: false, failure: 'unavailable' } : known;
  }

  return { ask, askAbout, readCustomer };
}

function customersAndSubscriptions(
  stripe: Stripe,
  { prices }: StripeConfig,
  { ask, askAbout }: Calls,
): Pick<Billing, 'createCustomer' | 'deleteCustomer' | 'listSubscriptions' | 'cancelSubscription'> {
  return {
    createCustomer: (customer) => ask('create customer', () => createCustomer(stripe, customer)),
    deleteCustomer: async (customerId) =>
      done(await askAbout(customerId, 'delete customer', () => stripe.customers.del(customerId))),
    listSubscriptions: (customerId) =>
      askAbout(customerId, 'list subscriptions', async () => {
        const query = { customer: customerId, status: 'all', limit: SUBSCRIPTIONS_SEEN } as const;
        const { data } = await stripe.subscriptions.list(query);
        return data.map((subscription) => readSubscription(subscription, prices));
      }),
    cancelSubscription: async (subscriptionId, { isCredited }) =>
      done(
        await ask('cancel subscription', () =>
          stripe.subscriptions.cancel(subscriptionId, { prorate: isCredited, invoice_now: isCredited }),
        ),
      ),
  };
}

function checkouts(
  stripe: Stripe,
  { prices }: StripeConfig,
  { ask, askAbout }: Calls,
): Pick<Billing, 'listCheckouts' | 'createCheckout' | 'expireCheckout'> {
  return {
    listCheckouts: (customerId) =>
      askAbout(customerId, 'list checkouts', async () => {
        const list = { customer: customerId, limit: CHECKOUTS_SEEN };
        const { data } = await stripe.checkout.sessions.list(list);
        return data.map((session) => toCheckout(session, prices));
      }),
    createCheckout: (order) =>
      askAbout(order.customerId, 'create checkout', async () =>
        toCheckout(
          await stripe.checkout.sessions.create(toOrder(order, prices), {
            idempotencyKey: order.idempotencyKey,
          }),
          prices,
        ),
      ),
    expireCheckout: async (sessionId) => {
      const answer = await ask('expire checkout', () => expireCheckout(stripe, sessionId));
      // Paid in this very moment: there is nothing wrong, and nothing to close.
      if (answer.ok && answer.value === 'complete') return { ok: false, failure: 'unavailable' };
      return done(answer);
    },
  };
}

async function createCustomer(stripe: Stripe, customer: NewCustomer): Promise<string> {
  const { personId, name, email, idempotencyKey } = customer;
  const details = { name, metadata: { ...OUR_MARK, person: personId } };
  const address = email?.trim() ?? '';
  if (address === '') return (await stripe.customers.create(details, { idempotencyKey })).id;
  try {
    return (await stripe.customers.create({ ...details, email: address }, { idempotencyKey })).id;
  } catch (error) {
    if (!isAbout(error, 'email')) throw error;
    // Stripe refuses the address; its checkout page asks for one.
    return (await stripe.customers.create(details, { idempotencyKey: `${idempotencyKey}-` })).id;
  }
}

/** The status afterwards: also of a session that had ended before. */
async function expireCheckout(
  stripe: Stripe,
  sessionId: string,
): Promise<Stripe.Checkout.Session.Status | null> {
  try {
    return (await stripe.checkout.sessions.expire(sessionId)).status;
  } catch (error) {
    if (!isRefused(error)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'open') throw error;
    return status;
  }
}

/** What the configuration names, or we were told of by Stripe, is there unless our key is for another account. */
function goneIsOurFault<T>(answer: StripeAnswer<T>): StripeAnswer<T> {
  return !answer.ok && answer.failure === 'gone' ? { ok: false, failure: 'misconfigured' } : answer;
}

/** What is gone need not be ended. */
function done(answer: StripeAnswer<unknown>): StripeAnswer<true> {
  return answer.ok || answer.failure === 'gone' ? { ok: true, value: true } : answer;
}

function toOrder(order: CheckoutOrder, prices: Prices): Stripe.Checkout.SessionCreateParams {
  const { customerId, personId, planType, withTrial, successUrl, cancelUrl } = order;
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: personId,
    line_items: [{ price: prices[planType], quantity: 1 }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata: { ...OUR_MARK, price: prices[planType], trial: withTrial ? 'yes' : 'no' },
    subscription_data: {
      metadata: OUR_MARK,
      ...(withTrial && {
        trial_period_days: TRIAL_DAYS,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
    },
  };
}

function toCheckout(session: Stripe.Checkout.Session, prices: Prices): CheckoutSession {
  return {
    id: session.id,
    url: session.url,
    planType: PLAN_TYPES.find((plan) => prices[plan] === session.metadata?.['price']) ?? null,
    hasTrial: session.metadata?.['trial'] === 'yes',
    isOpen: session.status === 'open',
    expiresAt: seconds(session.expires_at),
  };
}
