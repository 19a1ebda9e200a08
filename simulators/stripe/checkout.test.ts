import { describe, expect, test } from 'vitest';
import { PRICE_MONTHLY, PRICE_YEARLY } from './seed.ts';
import { DAY, SECRET, useReceiver, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const receiver = useReceiver();

const URLS = {
  success_url: 'http://localhost:3000/checkout/success?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:3000/pricing?canceled=1',
};

function openSession(more: object = {}) {
  return sim.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: PRICE_MONTHLY, quantity: 1 }],
    client_reference_id: 'person-1',
    customer_email: 'ann@example.test',
    ...URLS,
    ...more,
  });
}

describe('checkout', () => {
  test('with a trial: nothing is paid, and everybody hears of it', async () => {
    await sim.door.registerEndpoint(receiver.url);
    const session = await openSession({
      subscription_data: {
        trial_period_days: 30,
        metadata: { person: '1' },
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    });
    expect(session).toMatchObject({ status: 'open', payment_status: 'no_payment_required', amount_total: 0 });
    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('Subscribe to SmartPause');
    expect(page).toContain('then $29.00 per month');

    const paid = await sim.door.pay(session.url ?? '');
    expect(paid.status).toBe(303);
    expect(paid.location).toBe(URLS.success_url.replace('{CHECKOUT_SESSION_ID}', session.id));

    const done = await sim.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'customer', 'line_items'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      url: null,
      client_reference_id: 'person-1',
      customer: { email: 'ann@example.test' },
      subscription: {
        status: 'trialing',
        metadata: { person: '1' },
        billing_mode: { type: 'flexible' },
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    });
    const { created } = done;
    const subscription = done.subscription as unknown as {
      trial_end: number;
      items: { data: { current_period_end: number }[] };
    };
    expect(subscription.trial_end - created).toBeGreaterThanOrEqual(30 * DAY);
    expect(subscription.items.data[0]?.current_period_end).toBe(subscription.trial_end);

    await sim.door.settleWebhooks();
    expect(receiver.types()).toEqual([
      'customer.created',
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'invoice.payment_succeeded',
      'checkout.session.completed',
    ]);
    for (const { body, signature } of receiver.received) {
      const event = sim.stripe.webhooks.constructEvent(body, signature, SECRET);
      expect(event.api_version).toBe('2026-10-28.endive');
    }
  });

  test('without a trial: the first period is paid at once', async () => {
    const session = await openSession({ line_items: [{ price: PRICE_YEARLY, quantity: 1 }] });
    expect(session).toMatchObject({ payment_status: 'unpaid', amount_total: 27_800 });
    await sim.door.pay(session.url ?? '');
    const done = await sim.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.latest_invoice'],
    });
    expect(done).toMatchObject({
      payment_status: 'paid',
      subscription: { status: 'active', latest_invoice: { status: 'paid', amount_paid: 27_800 } },
    });
  });

  test('with a card that is declined: the page says so, and nothing has happened', async () => {
    const session = await openSession();
    const declined = await sim.door.pay(session.url ?? '', 'declined');
    expect(declined).toMatchObject({ status: 200, location: null });
    expect(declined.text).toContain('role="alert">Your card was declined.');
    expect((await sim.stripe.customers.list()).data).toEqual([]);
    expect((await sim.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    expect((await sim.door.pay(session.url ?? '')).status).toBe(303);
    expect(await (await fetch(session.url ?? '')).text()).toContain('all done here');
  });

  test('for a customer who is known, with the way back', async () => {
    const { id } = await sim.stripe.customers.create({ email: 'bo@example.test' });
    const session = await openSession({ customer: id, customer_email: undefined });
    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('bo@example.test');
    expect(page).toContain('href="http://localhost:3000/pricing?canceled=1"');
    await sim.door.pay(session.url ?? '');
    expect((await sim.stripe.customers.list()).data).toHaveLength(1);
    const { data } = await sim.stripe.checkout.sessions.list({ customer: id, status: 'complete' });
    expect(data.map((one) => one.id)).toEqual([session.id]);
  });

  test('without a card only where it was allowed to', async () => {
    const trial = { subscription_data: { trial_period_days: 30 } };
    const strict = await openSession(trial);
    expect((await sim.door.pay(strict.url ?? '', 'none')).location).toBeNull();
    const lenient = await openSession({ ...trial, payment_method_collection: 'if_required' });
    expect((await sim.door.pay(lenient.url ?? '', 'none')).status).toBe(303);
    expect((await sim.stripe.subscriptions.list()).data).toMatchObject([
      { status: 'trialing', default_payment_method: null },
    ]);
  });

  test('of a price that was withdrawn meanwhile ends on an error page', async () => {
    const session = await openSession();
    await sim.stripe.prices.update(PRICE_MONTHLY, { active: false });
    expect((await fetch(session.url ?? '')).status).toBe(400);
    await expect(openSession()).rejects.toThrow('The price specified is inactive.');
  });
});
