import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, StripeControlClient } from '../../scripts/outside/stripe.ts';
import { PRICE_MONTHLY } from './seed.ts';
import { startStripe } from './server.ts';
import { clientFor } from './stripe.fixture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smartpause-stripe-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the next run continues with the stored account, without its endpoints', async () => {
  const file = join(folder, 'deep', 'account');
  const first = await startStripe({ file });
  const control = new StripeControlClient(first.url);
  await control.registerEndpoint('http://127.0.0.1:9/webhooks');
  const { id: customer } = await clientFor(first.url).customers.create({ name: 'Maya' });
  const { id } = await control.plantSubscription({ customer, price: PRICE_MONTHLY, trialDays: 30 });
  await control.advance(10 * DAY_MS);
  await first.close();

  const second = await startStripe({ file });
  const stripe = clientFor(second.url);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ name: 'Maya' });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('trialing');
  expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
  await new StripeControlClient(second.url).advance(21 * DAY_MS);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  await second.close();
});

test('an unreadable file is ignored', async () => {
  const file = join(folder, 'broken');
  await writeFile(file, 'no account');
  const server = await startStripe({ file });
  expect((await clientFor(server.url).prices.list()).data).toHaveLength(2);
  await server.close();
});
