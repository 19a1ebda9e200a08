import Stripe from 'stripe';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import { PLAN_TYPES, TRIAL_DAYS } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { FailureKind } from './client.ts';
import { StripeFailure, createStripe, failureKind, isFailure, isRefused } from './client.ts';
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
  /** Null: complete or expired. */
  url: string | null;
  /** Null: a price that is no longer ours. */
  planType: PlanType | null;
  hasTrial: boolean;
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
}

/** A failed call without secrets, for the log. */
export interface StripeFault {
  call: string;
  failure: FailureKind;
  code: string;
  /** The parameter that Stripe rejected. */
  param: string | null;
  /** Identifies the request at Stripe. */
  requestId: string | null;
}

const CHECKOUTS_SEEN = 20;
const SUBSCRIPTIONS_SEEN = 100;

/** Every call to Stripe. A failed one throws a StripeFailure. */
export class Billing {
  readonly #stripe: Stripe;
  readonly #config: StripeConfig;
  readonly #onFailure: (details: StripeFault) => void;

  /**
   * @param onFailure called for every failed call
   * @param httpClient instead of the SDK's own
   */
  constructor(
    config: StripeConfig,
    onFailure: (details: StripeFault) => void,
    httpClient?: Stripe.HttpClient,
  ) {
    this.#stripe = createStripe(config.secretKey, config.apiUrl, httpClient);
    this.#config = config;
    this.#onFailure = onFailure;
  }

  /** False: deleted at Stripe. A customer that the account never had is a failure: our key is of another one. */
  async hasCustomer(customerId: string): Promise<boolean> {
    const customer = await this.#call('read customer', () => this.#stripe.customers.retrieve(customerId));
    return customer.deleted !== true;
  }

  createCustomer(user: { id: string; name: string; email: string | null }): Promise<string> {
    const { customers } = this.#stripe;
    const details = { name: user.name, metadata: { ...OUR_MARK, user: user.id } };
    const email = user.email?.trim() ?? '';
    return this.#call('create customer', async () => {
      if (email === '') return (await customers.create(details)).id;
      try {
        return (await customers.create({ ...details, email })).id;
      } catch (error) {
        // Stripe's checkout page asks for an address.
        if (isRefused(error, 'email')) return (await customers.create(details)).id;
        throw error;
      }
    });
  }

  /** Stripe cancels the customer's subscriptions at once. Idempotent. */
  async deleteCustomer(customerId: string): Promise<void> {
    const remove = () => this.#stripe.customers.del(customerId);
    await this.#call('delete customer', remove, customerId).catch(unless('gone'));
  }

  async readPrice(planType: PlanType): Promise<StripePrice> {
    const id = this.#config.prices[planType];
    return readPrice(await this.#call('read price', () => this.#stripe.prices.retrieve(id)));
  }

  /** All of them, also ended ones. */
  async listSubscriptions(customerId: string): Promise<StripeSubscription[]> {
    const query = { customer: customerId, status: 'all', limit: SUBSCRIPTIONS_SEEN } as const;
    const list = () => this.#stripe.subscriptions.list({ ...query, expand: ['data.latest_invoice'] });
    const { data } = await this.#call('list subscriptions', list, customerId);
    return data.map((subscription) => readSubscription(subscription, this.#config.prices));
  }

  /** Cancels at once; `isCredited` credits the unused time to the customer. Idempotent. */
  async cancelSubscription(id: string, { isCredited }: { isCredited: boolean }): Promise<void> {
    const cancel = () =>
      this.#stripe.subscriptions.cancel(id, { prorate: isCredited, invoice_now: isCredited });
    await this.#call('cancel subscription', cancel).catch(unless('missing'));
  }

  /** Newest first. */
  async listCheckouts(customerId: string): Promise<CheckoutSession[]> {
    const query = { customer: customerId, limit: CHECKOUTS_SEEN };
    const list = () => this.#stripe.checkout.sessions.list(query);
    const { data } = await this.#call('list checkouts', list, customerId);
    return data.map((session) => toCheckout(session, this.#config.prices));
  }

  async createCheckout(order: CheckoutOrder): Promise<CheckoutSession> {
    const { prices } = this.#config;
    const create = () => this.#stripe.checkout.sessions.create(toOrder(order, prices));
    return toCheckout(await this.#call('create checkout', create, order.customerId), prices);
  }

  /** Idempotent. @returns whether the session was paid before */
  expireCheckout(sessionId: string): Promise<boolean> {
    const { sessions } = this.#stripe.checkout;
    return this.#call('expire checkout', async () => {
      try {
        await sessions.expire(sessionId);
        return false;
      } catch (error) {
        if (!isRefused(error)) throw error;
        const { status } = await sessions.retrieve(sessionId);
        if (status === 'open') throw error;
        return status === 'complete';
      }
    });
  }

  /** Where the customer manages card, plan and cancellation. */
  async openPortal(customerId: string, returnUrl: string): Promise<string> {
    const wanted = {
      customer: customerId,
      return_url: returnUrl,
      configuration: this.#config.portalConfiguration,
    };
    const open = () => this.#stripe.billingPortal.sessions.create(wanted);
    return (await this.#call('open portal', open, customerId)).url;
  }

  /** Null: not from Stripe, or too old. */
  readEvent(rawBody: Uint8Array, signature: string, now: Instant): StripeEvent | null {
    return readEvent(this.#stripe, { rawBody, signature, secrets: this.#config.webhookSecrets }, now);
  }

  /** @param customerId the customer that the call names: deleted if Stripe says so, whatever the failed call says */
  async #call<T>(name: string, call: () => Promise<T>, customerId?: string): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      let failure = failureKind(error);
      const { code, type, param = null, requestId = null } = error;
      this.#onFailure({ call: name, failure, code: code ?? type, param, requestId });
      if (failure === 'missing' && customerId !== undefined)
        failure = (await this.hasCustomer(customerId)) ? 'misconfigured' : 'gone';
      throw new StripeFailure(failure);
    }
  }
}

/** What no longer exists needs no end. */
function unless(kind: FailureKind): (error: unknown) => void {
  return (error) => {
    if (!isFailure(error, kind)) throw error;
  };
}

function toOrder(order: CheckoutOrder, prices: Prices): Stripe.Checkout.SessionCreateParams {
  const { customerId, userId, planType, withTrial, successUrl, cancelUrl } = order;
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: userId,
    // Other methods confirm a payment days later: until then a user could pay a second time.
    allowed_payment_method_types: ['card'],
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
    url: session.status === 'open' ? session.url : null,
    planType: PLAN_TYPES.find((plan) => prices[plan] === session.metadata?.['price']) ?? null,
    hasTrial: session.metadata?.['trial'] === 'yes',
    expiresAt: seconds(session.expires_at),
  };
}
