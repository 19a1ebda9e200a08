import type Stripe from 'stripe';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import { PLAN_TYPES, TRIAL_DAYS } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { StripeResult, StripeFault } from './client.ts';
import { callStripe, createStripe, isAbout, isRefused } from './client.ts';
import type { Prices } from './subscriptions.ts';
import { OUR_MARK, readPrice, readSubscription } from './subscriptions.ts';
import type { StripeEvent } from './webhooks.ts';
import { readEvent } from './webhooks.ts';

export interface StripeConfig {
  secretKey: string;
  /** Several during a rotation. */
  webhookSecrets: string[];
  prices: Prices;
  /** The configuration of the customer portal. */
  portalConfiguration: string;
  /** Null: the real Stripe. */
  apiUrl: string | null;
}

export interface CheckoutSession {
  id: string;
  /** Null once the session is complete or expired. */
  url: string | null;
  /** Null: a price that is no longer ours. */
  planType: PlanType | null;
  hasTrial: boolean;
  isOpen: boolean;
  expiresAt: Instant;
}

export interface CheckoutOrder {
  customerId: string;
  /** Stored in the session, for lookups in Stripe's dashboard. */
  userId: string;
  planType: PlanType;
  withTrial: boolean;
  successUrl: string;
  cancelUrl: string;
  /** Identical concurrent orders create one session. */
  idempotencyKey: string;
}

export interface NewCustomer {
  userId: string;
  name: string;
  email: string | null;
  idempotencyKey: string;
}

const CHECKOUTS_SEEN = 20;
const SUBSCRIPTIONS_SEEN = 100;

/** Every call to Stripe. Failures are data. */
export class Billing {
  readonly #stripe: Stripe;
  readonly #config: StripeConfig;
  readonly #onFailure: (details: StripeFault & { call: string }) => void;

  /**
   * @param onFailure called for every failed call, without secrets
   * @param httpClient instead of the SDK's own
   */
  constructor(
    config: StripeConfig,
    onFailure: (details: StripeFault & { call: string }) => void,
    httpClient?: Stripe.HttpClient,
  ) {
    this.#stripe = createStripe(config.secretKey, config.apiUrl, httpClient);
    this.#config = config;
    this.#onFailure = onFailure;
  }

  /**
   * Whether the customer still exists. Only a customer that Stripe reports as deleted is gone:
   * Stripe also says 'No such customer' when our key is for another account.
   */
  async readCustomer(customerId: string): Promise<StripeResult<true>> {
    const result = await this.#ask('read customer', () => this.#stripe.customers.retrieve(customerId));
    if (!result.ok) return goneIsOurFault(result);
    return result.value.deleted === true ? { ok: false, failure: 'gone' } : { ok: true, value: true };
  }

  /** The price of the plan according to Stripe. */
  async readPrice(planType: PlanType): Promise<StripeResult<StripePrice>> {
    const id = this.#config.prices[planType];
    const retrieve = async () => readPrice(await this.#stripe.prices.retrieve(id));
    return goneIsOurFault(await this.#ask('read price', retrieve));
  }

  createCustomer(customer: NewCustomer): Promise<StripeResult<string>> {
    return this.#ask('create customer', () => createCustomer(this.#stripe, customer));
  }

  /** Deletes the customer; Stripe cancels their subscriptions at once. Idempotent. */
  async deleteCustomer(customerId: string): Promise<StripeResult<true>> {
    const remove = () => this.#stripe.customers.del(customerId);
    return done(await this.#askAbout(customerId, 'delete customer', remove));
  }

  /** All of them, also ended ones. `gone`: the customer was deleted in Stripe. */
  listSubscriptions(customerId: string): Promise<StripeResult<StripeSubscription[]>> {
    return this.#askAbout(customerId, 'list subscriptions', async () => {
      const query = { customer: customerId, status: 'all', limit: SUBSCRIPTIONS_SEEN } as const;
      const { data } = await this.#stripe.subscriptions.list(query);
      return data.map((subscription) => readSubscription(subscription, this.#config.prices));
    });
  }

  /** Cancels at once; `isCredited` credits the unused time to the customer. Idempotent. */
  async cancelSubscription(
    subscriptionId: string,
    { isCredited }: { isCredited: boolean },
  ): Promise<StripeResult<true>> {
    const how = { prorate: isCredited, invoice_now: isCredited };
    const cancel = () => this.#stripe.subscriptions.cancel(subscriptionId, how);
    return done(await this.#ask('cancel subscription', cancel));
  }

  /** Newest first. */
  listCheckouts(customerId: string): Promise<StripeResult<CheckoutSession[]>> {
    return this.#askAbout(customerId, 'list checkouts', async () => {
      const query = { customer: customerId, limit: CHECKOUTS_SEEN };
      const { data } = await this.#stripe.checkout.sessions.list(query);
      return data.map((session) => toCheckout(session, this.#config.prices));
    });
  }

  createCheckout(order: CheckoutOrder): Promise<StripeResult<CheckoutSession>> {
    const { prices } = this.#config;
    const { customerId, idempotencyKey } = order;
    return this.#askAbout(customerId, 'create checkout', async () => {
      const created = this.#stripe.checkout.sessions.create(toOrder(order, prices), { idempotencyKey });
      return toCheckout(await created, prices);
    });
  }

  /** Idempotent; fails if the session has been paid. */
  async expireCheckout(sessionId: string): Promise<StripeResult<true>> {
    const result = await this.#ask('expire checkout', () => expireCheckout(this.#stripe, sessionId));
    // Paid at this moment: not an error, and nothing to close.
    if (result.ok && result.value === 'complete') return { ok: false, failure: 'unavailable' };
    return done(result);
  }

  /** Where the customer manages card, plan and cancellation. */
  openPortal({ customerId, returnUrl }: { customerId: string; returnUrl: string }) {
    return this.#askAbout(customerId, 'open portal', async () => {
      const { url } = await this.#stripe.billingPortal.sessions.create({
        customer: customerId,
        return_url: returnUrl,
        configuration: this.#config.portalConfiguration,
      });
      return url;
    });
  }

  /** Null: not from Stripe, or too old. */
  readEvent(rawBody: Uint8Array, signature: string, now: Instant): StripeEvent | null {
    return readEvent(this.#stripe, { rawBody, signature, secrets: this.#config.webhookSecrets }, now);
  }

  #ask<T>(name: string, call: () => Promise<T>): Promise<StripeResult<T>> {
    return callStripe(call, (details) => this.#onFailure({ ...details, call: name }));
  }

  async #askAbout<T>(customerId: string, name: string, call: () => Promise<T>): Promise<StripeResult<T>> {
    const result = await this.#ask(name, call);
    if (result.ok || result.failure !== 'gone') return result;
    const known = await this.readCustomer(customerId);
    return known.ok ? { ok: false, failure: 'unavailable' } : known;
  }
}

async function createCustomer(stripe: Stripe, customer: NewCustomer): Promise<string> {
  const { userId, name, email, idempotencyKey } = customer;
  const details = { name, metadata: { ...OUR_MARK, user: userId } };
  const address = email?.trim() ?? '';
  if (address === '') return (await stripe.customers.create(details, { idempotencyKey })).id;
  try {
    return (await stripe.customers.create({ ...details, email: address }, { idempotencyKey })).id;
  } catch (error) {
    if (!isAbout(error, 'email')) throw error;
    // Stripe rejects the email address; its checkout page asks for one.
    return (await stripe.customers.create(details, { idempotencyKey: `${idempotencyKey}-` })).id;
  }
}

/** Returns the status afterwards, also of a session that had already ended. */
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

/** Objects from the configuration or from Stripe exist, unless our key is for another account. */
function goneIsOurFault<T>(result: StripeResult<T>): StripeResult<T> {
  return !result.ok && result.failure === 'gone' ? { ok: false, failure: 'misconfigured' } : result;
}

/** Ending an object that no longer exists is a success. */
function done(result: StripeResult<unknown>): StripeResult<true> {
  return result.ok || result.failure === 'gone' ? { ok: true, value: true } : result;
}

function toOrder(order: CheckoutOrder, prices: Prices): Stripe.Checkout.SessionCreateParams {
  const { customerId, userId, planType, withTrial, successUrl, cancelUrl } = order;
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: userId,
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
