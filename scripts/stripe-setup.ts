import Stripe from 'stripe';
import { INTERVALS, centsOf, priceFault } from '../src/core/billing/stripe-price.ts';
import type { PlanType } from '../src/core/billing/subscription.ts';
import { PLAN_TYPES } from '../src/core/billing/subscription.ts';
import { readStripeSetupConfig } from '../src/server/config.ts';
import { createStripe } from '../src/server/stripe/client.ts';
import { OUR_MARK, readPrice } from '../src/server/stripe/subscriptions.ts';
import { WEBHOOK_EVENTS } from '../src/server/stripe/webhooks.ts';
import { takeNoArguments } from './arguments.ts';
import { fail } from './command.ts';

/** The objects that an account needs, and which of them existed. */
interface SetUp {
  prices: Record<PlanType, string>;
  portalConfiguration: string;
  /** Null: the endpoint existed, and Stripe shows its secret only once. */
  webhookSecret: string | null;
}

const NAME = 'SmartPause';

/**
 * Creates product, prices, portal and webhook endpoint in a Stripe account. Reuses existing objects.
 * @param publicUrl where Stripe reaches this installation
 * @throws Stripe's errors
 */
async function setUpStripe(stripe: Stripe, publicUrl: string): Promise<SetUp> {
  const lookup_keys = PLAN_TYPES.map(lookupKey);
  const { data: known } = await stripe.prices.list({ lookup_keys, active: true });
  const product = known[0] === undefined ? await createProduct(stripe) : productOf(known[0]);
  const prices = {
    monthly: await ensurePrice(stripe, known, { product, plan: 'monthly' }),
    yearly: await ensurePrice(stripe, known, { product, plan: 'yearly' }),
  };
  return {
    prices,
    portalConfiguration: await ensurePortal(stripe, { product, prices: Object.values(prices), publicUrl }),
    webhookSecret: await ensureWebhook(stripe, `${publicUrl}/webhooks/stripe`),
  };
}

function lookupKey(plan: PlanType): string {
  return `smartpause_${plan}`;
}

function productOf({ product }: Stripe.Price): string {
  return typeof product === 'string' ? product : product.id;
}

async function createProduct(stripe: Stripe): Promise<string> {
  const description = "Pauses advertising campaigns during Meta's outages and resumes them afterwards.";
  return (await stripe.products.create({ name: NAME, description, metadata: OUR_MARK })).id;
}

/** A price is immutable: the lookup key moves to a new price with the right amount. */
async function ensurePrice(
  stripe: Stripe,
  known: readonly Stripe.Price[],
  { product, plan }: { product: string; plan: PlanType },
): Promise<string> {
  const same = known.find(
    (price) => price.lookup_key === lookupKey(plan) && priceFault(readPrice(price), plan) === null,
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
  { product, prices, publicUrl }: { product: string; prices: string[]; publicUrl: string },
): Promise<string> {
  const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
    customer_update: { enabled: true, allowed_updates: ['email', 'address', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      products: [{ product, prices }],
      proration_behavior: 'create_prorations',
      // Changing the plan in the free month must not end it.
      trial_update_behavior: 'continue_trial',
    },
  };
  const wanted = { features, default_return_url: `${publicUrl}/settings`, metadata: OUR_MARK };
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const known = data.find(({ metadata }) => metadata?.['smartpause'] === OUR_MARK.smartpause);
  const configurations = stripe.billingPortal.configurations;
  const one =
    known === undefined ? await configurations.create(wanted) : await configurations.update(known.id, wanted);
  return one.id;
}

async function ensureWebhook(stripe: Stripe, url: string): Promise<string | null> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  const known = data.find((endpoint) => endpoint.url === url);
  if (known !== undefined) {
    await stripe.webhookEndpoints.update(known.id, { enabled_events: [...WEBHOOK_EVENTS], disabled: false });
    return null;
  }
  const wanted = { url, enabled_events: [...WEBHOOK_EVENTS], api_version: Stripe.API_VERSION };
  const created = await stripe.webhookEndpoints.create(wanted);
  return created.secret ?? null;
}

async function main(): Promise<void> {
  const { secretKey, apiUrl, publicUrl } = readStripeSetupConfig(process.env);
  const { prices, portalConfiguration, webhookSecret } = await setUpStripe(
    createStripe(secretKey, apiUrl),
    publicUrl,
  );
  const lines = [
    `STRIPE_PRICE_MONTHLY=${prices.monthly}`,
    `STRIPE_PRICE_YEARLY=${prices.yearly}`,
    `STRIPE_PORTAL_CONFIGURATION=${portalConfiguration}`,
    webhookSecret === null
      ? '# STRIPE_WEBHOOK_SECRET: the endpoint was there already. Keep the secret you have, or roll it in the dashboard.'
      : `STRIPE_WEBHOOK_SECRET=${webhookSecret}`,
    ...emailHint(publicUrl),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Stripe's API cannot turn its emails on. Comments, so that the output can be appended to a settings file. */
function emailHint(publicUrl: string): string[] {
  return [
    '# SmartPause sends no emails about billing: Stripe does. Turn them on in the dashboard, in live mode:',
    '# Settings > Billing > Subscriptions and emails: https://dashboard.stripe.com/settings/billing/automatic',
    '# - emails when a trial ends, a card expires, a payment fails, and a payment needs confirmation (3D Secure)',
    `# - link in these emails to your own page: ${publicUrl}/settings`,
    '# Settings > Customer emails: https://dashboard.stripe.com/settings/emails',
    '# - receipts for successful payments, and refunds',
  ];
}

takeNoArguments(
  'npm run stripe:setup    prepares the account of STRIPE_SECRET_KEY for PUBLIC_URL, and prints the other settings',
);
main().catch(fail);
