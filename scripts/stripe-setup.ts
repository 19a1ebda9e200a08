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
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

takeNoArguments(
  'npm run stripe:setup    prepares the account of STRIPE_SECRET_KEY for PUBLIC_URL, and prints the other settings',
);
main().catch(fail);
