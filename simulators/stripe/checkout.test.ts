import { expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { PRICE_MONTHLY, PRICE_YEARLY } from './seed.ts';
import { DAY, useReceiver, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const receiver = useReceiver();

const SUCCESS = 'http://localhost:3000/billing/success?session_id=';
const TRIAL = {
  trial_period_days: 30,
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
};

async function openSession(price = PRICE_MONTHLY, data: object = {}, idempotencyKey?: string) {
  const { id } = await sim.stripe.customers.create({ email: 'bo@example.test' });
  return sim.stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: id,
      line_items: [{ price, quantity: 1 }],
      client_reference_id: 'user-1',
      success_url: `${SUCCESS}{CHECKOUT_SESSION_ID}`,
      cancel_url: 'http://localhost:3000/billing/canceled',
      subscription_data: { metadata: { user: '1' }, ...data },
    },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
}

test('a checkout with a trial costs nothing today, and emits its events in order', async () => {
  const session = await openSession(PRICE_MONTHLY, TRIAL);
  expect(session).toMatchObject({ status: 'open', payment_status: 'no_payment_required', amount_total: 0 });
  expect(session.expires_at - session.created).toBe(DAY);
  const page = await (await fetch(session.url ?? '')).text();
  for (const words of [
    'Subscribe to SmartPause',
    'then $29.00 per month',
    'bo@example.test',
    'Cancel and go back',
  ])
    expect(page).toContain(words);
  await sim.control.registerEndpoint(receiver.url);
  expect(await sim.control.pay(session.url ?? '')).toMatchObject({
    status: 303,
    location: SUCCESS + session.id,
  });
  const done = await sim.stripe.checkout.sessions.retrieve(session.id);
  expect(done).toMatchObject({ status: 'complete', payment_status: 'no_payment_required', url: null });
  const subscription = await sim.stripe.subscriptions.retrieve(done.subscription as string);
  expect(subscription).toMatchObject({
    status: 'trialing',
    metadata: { user: '1' },
    billing_mode: { type: 'flexible' },
    billing_cycle_anchor: subscription.trial_end,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  });
  expect((subscription.trial_end ?? 0) - (subscription.trial_start ?? 0)).toBe(30 * DAY);
  expect(subscription.items.data[0]?.current_period_end).toBe(subscription.trial_end);
  expect(receiver.types()).toEqual([
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'checkout.session.completed',
  ]);
  expect(await (await fetch(session.url ?? `${sim.url}/c/pay/${session.id}`)).text()).toContain(
    'all done here',
  );
});

test('a checkout without a trial charges the first period; a declined card changes nothing', async () => {
  const session = await openSession(PRICE_YEARLY);
  expect(session).toMatchObject({ payment_status: 'unpaid', amount_total: 27_800 });
  const declined = await sim.control.pay(session.url ?? '', 'declined');
  expect(declined).toMatchObject({ status: 200, location: null });
  expect(declined.text).toContain('role="alert">Your card was declined.');
  const customer = session.customer as string;
  expect((await sim.stripe.subscriptions.list({ customer })).data).toEqual([]);
  await sim.control.pay(session.url ?? '');
  expect((await sim.stripe.subscriptions.list({ customer })).data).toMatchObject([{ status: 'active' }]);
  const [invoice] = (await sim.stripe.invoices.list({ customer })).data;
  expect(invoice).toMatchObject({
    status: 'paid',
    amount_paid: 27_800,
    billing_reason: 'subscription_create',
  });
});

test('a session is listed while it is open, expires once by a call and after a day by itself', async () => {
  const [first, second] = [await openSession(), await openSession()];
  const listed = async (customer: string) =>
    (await sim.stripe.checkout.sessions.list({ customer, status: 'open' })).data.map(({ id }) => id);
  expect(await listed(first.customer as string)).toEqual([first.id]);
  expect(await sim.stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null });
  expect(await listed(first.customer as string)).toEqual([]);
  await expect(sim.stripe.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 });
  await sim.control.advance(DAY_MS + 1000);
  expect((await sim.stripe.checkout.sessions.retrieve(second.id)).status).toBe('expired');
  expect((await sim.control.pay(second.url ?? '')).status).toBe(410);
});

test('a session of a customer who was deleted since cannot be paid', async () => {
  const session = await openSession();
  await sim.stripe.customers.del(session.customer as string);
  expect((await sim.control.pay(session.url ?? '')).status).toBe(400);
});
