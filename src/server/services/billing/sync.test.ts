import { describe, expect, test } from 'vitest';
import { billingSuite, postWebhook, signatureOf } from '../../../../test/support/billing-suite.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { SIMULATED_STRIPE } from '../../../../scripts/outside/stripe.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECRET = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET;

describe('Stripe webhooks', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, stateOf, checkout, portal, customerOf, advance, becomes } = suite;

  const rows = async () =>
    JSON.stringify([
      await suite.product.app.db.selectFrom('subscriptions').selectAll().orderBy('userId').execute(),
      await suite.product.app.db
        .selectFrom('stripeCustomers')
        .select(['userId', 'customerId', 'syncedFrom'])
        .orderBy('userId')
        .execute(),
    ]);

  test('6: refuses forged, altered, old and unsigned webhooks without any change', async () => {
    await subscriber();
    await stripe().settleWebhooks();
    const now = suite.product.clock.now();
    const payload = JSON.stringify((await stripe().events()).at(-1));
    const before = await rows();
    const { url } = suite.product;
    const attempts: [string, string | null][] = [
      [payload, null],
      [payload, ''],
      [payload, 't=1,v1=00'],
      [payload, signatureOf(payload, { secret: 'whsec_of_another_endpoint', atMs: now })],
      [payload, signatureOf(payload, { atMs: now - 301_000 })],
      [`${payload} `, signatureOf(payload, { atMs: now })],
      ['', signatureOf('', { atMs: now })],
      ['{"id":"evt_1"}', signatureOf('{"id":"evt_1"}', { atMs: now })],
      ['no json', signatureOf('no json', { atMs: now })],
    ];
    for (const [body, signature] of attempts) expect(await postWebhook(url, body, signature)).toBe(400);
    expect(await rows()).toBe(before);
  });

  test('4: handles the same event many times at once and again after days', async () => {
    const who = await newcomer();
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who));
    const customer = await customerOf(who);
    const event = (await stripe().events()).findLast((one) => JSON.stringify(one).includes(customer));
    const payload = JSON.stringify(event);
    const now = suite.product.clock.now();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => suite.deliver(payload, { atMs: now - index * 1000 })),
    );
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
    const state = await becomes(who, 'trialing');
    await stripe().releaseWebhooks();
    await advance(3 * DAY);
    await stripe().deliverAgain(event?.id ?? '');
    await stripe().settleWebhooks();
    expect(await stateOf(who)).toEqual(state);
    expect(await suite.subscriptionsOf(who)).toHaveLength(1);
  });

  test('7: a failed transaction leaves the event unprocessed and the row unchanged', async () => {
    const who = await subscriber();
    const { db } = suite.product.app;
    await db.schema.alterTable('usedTrials').renameTo('used_trials_away').execute();
    const page = await portal(who);
    await page.cancel();
    await stripe().settleWebhooks();
    expect((await stripe().deliveries()).at(-1)?.state).toBe('waiting');
    await db.schema.alterTable('used_trials_away').renameTo('usedTrials').execute();
    expect((await stateOf(who)).subscription?.status).toBe('trialing');
    await stripe().retryWebhooks();
    await becomes(who, 'canceled');
  });

  test('8: accepts and ignores unknown event types and unknown customers', async () => {
    const bodies = [
      { id: 'evt_a', type: 'something.of.the.future', data: { object: { object: 'thing' } } },
      {
        id: 'evt_b',
        type: 'customer.subscription.updated',
        data: { object: { object: 'subscription', id: 'sub_x', customer: 'cus_unknown' } },
      },
      { id: 'evt_c', type: 'customer.deleted', data: { object: { object: 'customer', id: 'cus_unknown' } } },
    ];
    for (const body of bodies) expect(await suite.deliver(body)).toBe(200);
  });

  test('3: a lost webhook is recovered within a day', async () => {
    const who = await subscriber();
    const page = await portal(who);
    await stripe().dropWebhooks({ times: 0 });
    await page.cancel();
    await stripe().settleWebhooks();
    expect((await stateOf(who)).subscription?.status).toBe('trialing');
    await advance(DAY + HOUR);
    await becomes(who, 'canceled');
  });

  test('7: while Stripe cannot be read the event stays open, and Stripe’s retry completes it', async () => {
    const who = await subscriber();
    const page = await portal(who);
    await stripe().fault({ kind: 'error', http: 500, times: 0, path: 'subscriptions' });
    await page.cancel();
    await stripe().settleWebhooks();
    expect((await stateOf(who)).subscription?.status).toBe('trialing');
    await stripe().ask('DELETE', '/faults');
    await stripe().retryWebhooks();
    await becomes(who, 'canceled');
  });

  test('5: newest first, doubled and all in one second: the row matches Stripe', async () => {
    const who = await newcomer();
    const page = await checkout(who);
    await stripe().holdWebhooks();
    await stripe().pay(page);
    await stripe().doubleWebhooks({ times: 0 });
    await stripe().releaseWebhooks('newest_first');
    expect((await becomes(who, 'trialing')).hasActiveSubscription).toBe(true);
  });

  test('9: an event of an old API version works, since it only triggers a read', async () => {
    const who = await subscriber();
    const before = (await stateOf(who)).subscription;
    await stripe().dropWebhooks({ times: 0 });
    await (await portal(who)).cancel();
    const object = {
      id: (await suite.subscriptionsOf(who))[0]?.id ?? '',
      object: 'subscription',
      customer: await customerOf(who),
      status: 'past_due',
      current_period_end: 1,
    };
    const type = 'customer.subscription.updated';
    const event = { id: `evt_old_${object.id}`, api_version: '2020-08-27', type, data: { object } };
    expect(await suite.deliver(event)).toBe(200);
    const { subscription } = await becomes(who, 'canceled');
    expect(subscription?.currentPeriodEnd).toBe(before?.currentPeriodEnd);
  });
});

describe('replacing a webhook secret', () => {
  const suite = startSuite({ environment: { STRIPE_WEBHOOK_SECRET: `whsec_new, ${SECRET}` } });

  test('6: accepts signatures of both secrets', async () => {
    const statusFor = (secret: string) => {
      const data = { object: { object: 'thing' } };
      const payload = JSON.stringify({ id: `evt_${secret}`, type: 'x', data });
      const signature = signatureOf(payload, { secret, atMs: Date.now() });
      return postWebhook(suite.product.url, payload, signature);
    };
    expect(await statusFor('whsec_new')).toBe(200);
    expect(await statusFor(SECRET)).toBe(200);
    expect(await statusFor('whsec_none')).toBe(400);
  });
});
