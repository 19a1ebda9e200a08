import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalSimulators } from '../../../test/support/simulators.ts';
import { startSimulators } from '../../../test/support/simulators.ts';
import { SIMULATED_STRIPE } from '../../../scripts/simulator-clients/stripe.ts';
import { ROOT } from '../../../scripts/run.ts';
import { createStripe } from './client.ts';

let simulators: LocalSimulators;
beforeAll(async () => {
  simulators = await startSimulators();
  await simulators.stripe.reset({ empty: true });
});
afterAll(() => simulators.stop());

async function run(over: Record<string, string> = {}): Promise<{ code: number; out: string }> {
  const env = {
    PATH: process.env['PATH'],
    STRIPE_SECRET_KEY: SIMULATED_STRIPE.STRIPE_SECRET_KEY,
    STRIPE_API_URL: simulators.urls.get('stripe') ?? '',
    PUBLIC_URL: 'https://smartpause.example',
    ...over,
  };
  return promisify(execFile)(process.execPath, ['scripts/stripe-setup.ts'], { cwd: ROOT, env }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: unknown) => {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, out: stderr };
    },
  );
}

test('[SUB-01] an empty account gets product, prices, portal and endpoint; a second run changes nothing', async () => {
  const { code, out } = await run();
  expect(out).toMatch(
    /^STRIPE_PRICE_MONTHLY=price_\S+\nSTRIPE_PRICE_YEARLY=price_\S+\nSTRIPE_PORTAL_CONFIGURATION=bpc_\S+\nSTRIPE_WEBHOOK_SECRET=whsec_\S+\n#/,
  );
  expect(code).toBe(0);
  // A settings file ignores the rest, which names the emails to turn on at Stripe.
  expect(
    out
      .trimEnd()
      .split('\n')
      .slice(4)
      .filter((line) => !line.startsWith('#')),
  ).toEqual([]);
  expect(out).toContain('settings/emails');
  const stripe = createStripe(SIMULATED_STRIPE.STRIPE_SECRET_KEY, simulators.urls.get('stripe') ?? '');
  const { data: prices } = await stripe.prices.list({ active: true });
  expect(
    prices.map(({ unit_amount, currency, recurring }) => [unit_amount, currency, recurring?.interval]).sort(),
  ).toEqual([
    [27_800, 'usd', 'year'],
    [2900, 'usd', 'month'],
  ]);
  const { data: portals } = await stripe.billingPortal.configurations.list({ active: true });
  expect(portals[0]?.features.subscription_update.trial_update_behavior).toBe('continue_trial');
  const { data: endpoints } = await stripe.webhookEndpoints.list();
  expect(endpoints.map(({ url }) => url)).toEqual(['https://smartpause.example/webhooks/stripe']);
  const again = await run();
  expect(again.out.split('\n').slice(0, 3)).toEqual(out.split('\n').slice(0, 3));
  expect(again.out).toContain('the endpoint was there already');
});

test('[FR-18] says so if the account takes no cards, which alone are offered', async () => {
  await simulators.stripe.post('/payment-methods', { cards: false });
  expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining('Cards are off') as string });
  await simulators.stripe.post('/payment-methods', { cards: true });
});

test('lists what is missing or wrong', async () => {
  const wrong = await run({ STRIPE_SECRET_KEY: 'pk_test_x', PUBLIC_URL: '' });
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain('STRIPE_SECRET_KEY: must be a secret or restricted key');
  expect(wrong.out).toContain('PUBLIC_URL: is missing');
  const live = await run({ STRIPE_SECRET_KEY: 'sk_live_x' });
  expect(live.out).toContain('STRIPE_API_URL: must not be set with a live key');
});
