import { describe, expect, test } from 'vitest';
import { SIMULATED_STRIPE } from '../../../../scripts/simulator-clients/stripe.ts';
import type { Customer } from '../../../../test/support/billing-suite.ts';
import { billingSuite, postWebhook, signatureOf } from '../../../../test/support/billing-suite.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SECRET = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET;

/** An event only says that something has changed: lost, doubled and reordered ones lead to what Stripe says. */
describe('Stripe webhooks', () => {
  const environment = { STRIPE_WEBHOOK_SECRET: `whsec_new, ${SECRET}` };
  const suite = billingSuite({ environment });
  const { stripe, newcomer, subscriber, stateOf, checkout, portal, customerOf, advance, becomes } = suite;

  const statusOf = async (who: Customer) => (await stateOf(who)).subscription?.status;
  const payloadOf = (object: object, more: object = {}) =>
    JSON.stringify({ id: 'evt_1', type: 'customer.subscription.updated', data: { object }, ...more });

  test('6: are refused without any change if forged, altered, old or unsigned', async () => {
    const who = await subscriber();
    await stripe().dropWebhooks({ times: 0 });
    await (await portal(who)).cancel();
    const now = suite.product.clock.now();
    const payload = payloadOf({ object: 'invoice', customer: await customerOf(who) });
    const attempts: [string, string | null][] = [
      [payload, null],
      [payload, 't=1,v1=00'],
      [payload, signatureOf(payload, { secret: 'whsec_of_another_endpoint', atMs: now })],
      [payload, signatureOf(payload, { atMs: now - 301_000 })],
      [`${payload} `, signatureOf(payload, { atMs: now })],
      ['{"id":"evt_1"}', signatureOf('{"id":"evt_1"}', { atMs: now })],
      ['no json', signatureOf('no json', { atMs: now })],
    ];
    for (const [body, signature] of attempts)
      expect(await postWebhook(suite.product.url, body, signature)).toBe(400);
    expect(await statusOf(who)).toBe('trialing');
    // Both secrets are good while one replaces the other.
    for (const secret of ['whsec_new', SECRET]) {
      const signature = signatureOf(payload, { secret, atMs: now });
      expect(await postWebhook(suite.product.url, payload, signature)).toBe(200);
    }
    expect(await statusOf(who)).toBe('canceled');
  });

  test('4, 5: newest first, doubled, many at once and again after days', async () => {
    const who = await newcomer();
    const page = await checkout(who);
    await stripe().doubleWebhooks({ times: 0 });
    await stripe().holdWebhooks();
    await stripe().pay(page);
    await stripe().releaseWebhooks('newest_first');
    const state = await becomes(who, 'trialing');
    const event = (await stripe().events()).at(-1);
    const deliveries = Array.from({ length: 8 }, () => suite.deliver(event ?? {}));
    expect(new Set(await Promise.all(deliveries))).toEqual(new Set([200]));
    await advance(3 * DAY);
    await stripe().deliverAgain(event?.id ?? '');
    expect(await stateOf(who)).toEqual(state);
    expect(await suite.subscriptionsOf(who)).toHaveLength(1);
  });

  test('of a refund in full and of a chargeback are an activity for the admins, once', async () => {
    const who = await subscriber();
    await advance(32 * DAY);
    await becomes(who, 'active');
    const customer = await customerOf(who);
    const path = `invoices?customer=${customer}&limit=100`;
    const { data } = await stripe().api<{ data: { id: string; amount_paid: number }[] }>('GET', path);
    const charge = `ch_${data.find(({ amount_paid }) => amount_paid > 0)?.id ?? ''}`;
    const refund = (refunded: boolean) =>
      payloadOf({ object: 'charge', id: charge, customer, refunded }, { type: 'charge.refunded' });
    const dispute = payloadOf(
      { object: 'dispute', id: 'du_1', charge },
      { id: 'evt_2', type: 'charge.dispute.created' },
    );
    const messages = async () => {
      const query = suite.product.app.db.selectFrom('activities').select('message').orderBy('id');
      return (await query.where('event', 'like', 'payment_%').execute()).map(({ message }) => message);
    };
    expect(await suite.deliver(refund(false))).toBe(200);
    expect(await messages()).toEqual([]);
    for (const event of [refund(true), dispute, refund(true), dispute])
      expect(await suite.deliver(event)).toBe(200);
    expect(await messages()).toEqual([
      'A payment of Some Body was refunded in full.',
      'A payment of Some Body was charged back.',
    ]);
    expect(await statusOf(who)).toBe('active');
  });

  test('8: are accepted and ignored if of an unknown type or customer', async () => {
    const objects = [
      { object: 'thing' },
      { object: 'subscription', customer: 'cus_unknown' },
      { object: 'customer', id: 'cus_unknown' },
    ];
    for (const object of objects) expect(await suite.deliver(payloadOf(object))).toBe(200);
  });

  test('3: a lost one is made up for within a day', async () => {
    const who = await subscriber();
    const page = await portal(who);
    await stripe().dropWebhooks({ times: 0 });
    await page.cancel();
    await advance(DAY - MINUTE);
    await suite.readDue();
    expect(await statusOf(who)).toBe('trialing');
    await advance(2 * MINUTE);
    await suite.readDue();
    expect(await statusOf(who)).toBe('canceled');
  });

  test('3: a lost one about a late renewal is made up for within a minute', async () => {
    const who = await subscriber();
    await stripe().dropWebhooks({ times: 0 });
    const end = Date.parse((await stateOf(who)).subscription?.trialEnd ?? '');
    // Stripe's own clock comes later.
    suite.product.clock.advance(end - suite.product.clock.now() + 1000);
    await suite.readDue();
    expect(await statusOf(who)).toBe('trialing');
    await advance(MINUTE);
    await suite.readDue();
    expect(await statusOf(who)).toBe('active');
  });

  test.each([429, 500])(
    '[FR-19] while Stripe answers the read with %i, the change is not lost',
    async (http) => {
      const who = await subscriber();
      const page = await portal(who);
      await stripe().fault({ kind: 'error', http, times: 0, path: 'subscriptions' });
      await page.cancel();
      await stripe().settleWebhooks();
      expect((await stripe().deliveries()).at(-1)).toMatchObject({ attempts: [{ status: 502 }] });
      await stripe().ask('DELETE', '/faults');
      expect(await statusOf(who)).toBe('trialing');
      await suite.readDue();
      expect(await statusOf(who)).toBe('trialing');
      suite.product.clock.advance(MINUTE);
      // Without the event's repetition, which comes as well.
      await suite.readDue();
      expect(await statusOf(who)).toBe('canceled');
    },
  );

  test('7: a failed transaction changes nothing, and Stripe’s retry completes it', async () => {
    const who = await subscriber();
    const { db } = suite.product.app;
    await db.schema.alterTable('usedTrials').renameTo('used_trials_away').execute();
    await (await portal(who)).cancel();
    await stripe().settleWebhooks();
    expect((await stripe().deliveries()).at(-1)?.state).toBe('waiting');
    await db.schema.alterTable('used_trials_away').renameTo('usedTrials').execute();
    expect(await statusOf(who)).toBe('trialing');
    await stripe().retryWebhooks();
    expect(await statusOf(who)).toBe('canceled');
  });
});
