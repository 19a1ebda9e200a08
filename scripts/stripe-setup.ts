import { readStripeSetupConfig } from '../src/server/config.ts';
import { createStripe } from '../src/server/stripe/client.ts';
import { setUpStripe } from '../src/server/stripe/setup.ts';
import { takeNoArguments } from './arguments.ts';
import { fail } from './command.ts';

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
