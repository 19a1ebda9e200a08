import Stripe from 'stripe';
import type { PlanType } from '../src/core/billing/subscription.ts';
import { PLAN_TYPES } from '../src/core/billing/subscription.ts';
import { readStripeSetupConfig } from '../src/server/config/read-config.ts';
import { createStripe } from '../src/server/stripe/client.ts';
import { INTERVALS, centsOf, priceFault } from '../src/server/stripe/price.ts';
import { OUR_MARK } from '../src/server/stripe/subscriptions.ts';
import { WEBHOOK_EVENTS } from '../src/server/stripe/webhooks.ts';
import { takeNoArguments } from './arguments.ts';
import { fail } from './command.ts';

const PRODUCT = {
  name: 'SmartPause',
  description: "Pauses advertising campaigns during Meta's outages and resumes them afterwards.",
  metadata: OUR_MARK,
};

const lookupKey = (plan: PlanType): string => `smartpause_${plan}`;

/** Creates product, prices, portal and webhook endpoint in a Stripe account. Reuses existing objects. */
async function main(): Promise<void> {
  const { secretKey, apiUrl, publicUrl } = readStripeSetupConfig(process.env);
  const stripe = createStripe(secretKey, apiUrl);
  await requireCards(stripe);
  const lookup_keys = PLAN_TYPES.map(lookupKey);
  const { data: known } = await stripe.prices.list({ lookup_keys, active: true });
  const given = known[0]?.product ?? (await stripe.products.create(PRODUCT));
  const product = typeof given === 'string' ? given : given.id;
  const monthly = await ensurePrice(stripe, known, product, 'monthly');
  const yearly = await ensurePrice(stripe, known, product, 'yearly');
  const portal = await ensurePortal(stripe, { product, prices: [monthly, yearly] }, publicUrl);
  const secret = await ensureWebhook(stripe, `${publicUrl}/webhooks/stripe`);
  // Comments, so that the output can be appended to a settings file. Stripe's API cannot turn its emails on.
  process.stdout.write(`STRIPE_PRICE_MONTHLY=${monthly}
STRIPE_PRICE_YEARLY=${yearly}
STRIPE_PORTAL_CONFIGURATION=${portal}
${
  secret === null
    ? '# STRIPE_WEBHOOK_SECRET: the endpoint was there already. Keep the secret you have, or roll it in the dashboard.'
    : `STRIPE_WEBHOOK_SECRET=${secret}`
}
# SmartPause sends no emails about billing: Stripe does. Turn them on in the dashboard, in live mode:
# Settings > Billing > Subscriptions and emails: https://dashboard.stripe.com/settings/billing/automatic
# - emails when a trial ends, a card expires, a payment fails, and a payment needs confirmation (3D Secure)
# - link in these emails to your own page: ${publicUrl}/settings/billing
# Settings > Customer emails: https://dashboard.stripe.com/settings/emails
# - receipts for successful payments, and refunds
`);
}

/** The checkout offers cards alone: other methods confirm a payment days later. */
async function requireCards(stripe: Stripe): Promise<void> {
  const { data } = await stripe.paymentMethodConfigurations.list();
  const used = data.find(({ is_default }) => is_default);
  if (used !== undefined && used.card?.available !== true)
    throw new Error('Cards are off. Turn them on: https://dashboard.stripe.com/settings/payment_methods');
}

/** A price is immutable: the lookup key moves to a new price with the right amount. */
async function ensurePrice(
  stripe: Stripe,
  known: readonly Stripe.Price[],
  product: string,
  plan: PlanType,
): Promise<string> {
  const same = known.find(
    (price) => price.lookup_key === lookupKey(plan) && priceFault(price, plan) === null,
  );
  if (same !== undefined) return same.id;
  const created = await stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: centsOf(plan),
    recurring: { interval: INTERVALS[plan] },
    lookup_key: lookupKey(plan),
    transfer_lookup_key: true,
  });
  return created.id;
}

async function ensurePortal(
  stripe: Stripe,
  sold: { product: string; prices: string[] },
  publicUrl: string,
): Promise<string> {
  const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
    customer_update: { enabled: true, allowed_updates: ['email', 'address', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      products: [sold],
      proration_behavior: 'create_prorations',
      // Changing the plan in the free month must not end it.
      trial_update_behavior: 'continue_trial',
    },
  };
  const wanted = { features, default_return_url: `${publicUrl}/settings`, metadata: OUR_MARK };
  const { configurations } = stripe.billingPortal;
  const { data } = await configurations.list({ active: true, limit: 100 });
  const known = data.find(({ metadata }) => metadata?.['smartpause'] === OUR_MARK.smartpause);
  const one =
    known === undefined ? await configurations.create(wanted) : await configurations.update(known.id, wanted);
  return one.id;
}

/** Null: the endpoint existed, and Stripe shows its secret only once. */
async function ensureWebhook(stripe: Stripe, url: string): Promise<string | null> {
  const enabled_events = [...WEBHOOK_EVENTS];
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  const known = data.find((endpoint) => endpoint.url === url);
  if (known !== undefined) {
    await stripe.webhookEndpoints.update(known.id, { enabled_events, disabled: false });
    return null;
  }
  const wanted = { url, enabled_events, api_version: Stripe.API_VERSION };
  return (await stripe.webhookEndpoints.create(wanted)).secret ?? null;
}

takeNoArguments(
  'npm run stripe:setup    prepares the account of STRIPE_SECRET_KEY for PUBLIC_URL, and prints the other settings',
);
main().catch(fail);
