import Stripe from 'stripe';
import type { PlanType } from '#core/billing/subscription.ts';
import { TRIAL_DAYS } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { FailureKind } from './client.ts';
import { StripeFailure, createStripe, failureKind, isFailure, isRefused } from './client.ts';
import { priceFault } from './price.ts';
import type { Prices, StripeState } from './subscriptions.ts';
import { OUR_MARK, readSubscriptions } from './subscriptions.ts';
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

/** An open checkout page. */
export interface CheckoutPage {
  id: string;
  url: string;
  /** What it sells, as `offerOf` says. */
  offer: string;
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

const MOST = 100;

/** Failed calls are logged. */
type Log = Record<'warn' | 'error', (details: object, message: string) => void>;

/** Every call to Stripe. A failed one throws a StripeFailure. */
export class Billing {
  readonly #stripe: Stripe;
  readonly #config: StripeConfig;
  readonly #log: Log;

  /** @param httpClient instead of the SDK's own */
  constructor(config: StripeConfig, log: Log, httpClient?: Stripe.HttpClient) {
    this.#stripe = createStripe(config.secretKey, config.apiUrl, httpClient);
    this.#config = config;
    this.#log = log;
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

  /** Why the price of a plan cannot be sold; null: it can. */
  async faultOfPrice(planType: PlanType): Promise<string | null> {
    const id = this.#config.prices[planType];
    return priceFault(await this.#call('read price', () => this.#stripe.prices.retrieve(id)), planType);
  }

  /** All of them, also ended ones. */
  async readSubscriptions(customerId: string, now: Instant): Promise<StripeState> {
    const query = { customer: customerId, status: 'all', limit: MOST } as const;
    const list = () => this.#stripe.subscriptions.list({ ...query, expand: ['data.latest_invoice'] });
    const { data } = await this.#call('list subscriptions', list, customerId);
    return readSubscriptions(data, this.#config.prices, now);
  }

  /** Cancels at once; `isCredited` credits the unused time to the customer. Idempotent. */
  async cancelSubscription(id: string, { isCredited }: { isCredited: boolean }): Promise<void> {
    const cancel = () =>
      this.#stripe.subscriptions.cancel(id, { prorate: isCredited, invoice_now: isCredited });
    await this.#call('cancel subscription', cancel).catch(unless('missing'));
  }

  async listOpenCheckouts(customerId: string): Promise<CheckoutPage[]> {
    const query = { customer: customerId, status: 'open', limit: MOST } as const;
    const list = () => this.#stripe.checkout.sessions.list(query);
    const { data } = await this.#call('list checkouts', list, customerId);
    return data.map(toPage);
  }

  async createCheckout(order: CheckoutOrder): Promise<CheckoutPage> {
    const wanted = toOrder(order, this.#config.prices[order.planType], this.offerOf(order));
    const create = () => this.#stripe.checkout.sessions.create(wanted);
    return toPage(await this.#call('create checkout', create, order.customerId));
  }

  /** Names what a checkout sells. */
  offerOf({ planType, withTrial }: Pick<CheckoutOrder, 'planType' | 'withTrial'>): string {
    return `${this.#config.prices[planType]} ${withTrial ? 'with' : 'without'} trial`;
  }

  /** Idempotent, also for one that is paid. */
  async expireCheckout(sessionId: string): Promise<void> {
    const { sessions } = this.#stripe.checkout;
    await this.#call('expire checkout', async () => {
      try {
        await sessions.expire(sessionId);
      } catch (error) {
        if (!isRefused(error) || (await sessions.retrieve(sessionId)).status === 'open') throw error;
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

  /** Null: it has none. */
  async customerOfCharge(chargeId: string): Promise<string | null> {
    const read = () => this.#stripe.charges.retrieve(chargeId);
    const { customer } = await this.#call('read charge', read);
    return typeof customer === 'string' ? customer : (customer?.id ?? null);
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
      // Without secrets.
      const { code, type, param, requestId } = error;
      const details = { call: name, failure, code: code ?? type, param, requestId };
      this.#log[failure === 'misconfigured' ? 'error' : 'warn'](details, 'Stripe request failed');
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

function toOrder(order: CheckoutOrder, price: string, offer: string): Stripe.Checkout.SessionCreateParams {
  const { customerId, userId, withTrial, successUrl, cancelUrl } = order;
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: userId,
    // Other methods confirm a payment days later: until then a user could pay a second time.
    allowed_payment_method_types: ['card'],
    // The page names one price, in dollars.
    adaptive_pricing: { enabled: false },
    line_items: [{ price, quantity: 1 }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata: { ...OUR_MARK, offer },
    subscription_data: {
      metadata: OUR_MARK,
      ...(withTrial && {
        trial_period_days: TRIAL_DAYS,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
    },
  };
}

function toPage({ id, url, metadata, expires_at }: Stripe.Checkout.Session): CheckoutPage {
  return { id, url: url ?? '', offer: metadata?.['offer'] ?? '', expiresAt: seconds(expires_at) };
}
