import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { PRICE_MONTHLY, PRICE_YEARLY } from './seed.ts';
import { DAY, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const HOUR_MS = DAY_MS / 24;
const retrieve = (id: string) => sim.stripe.subscriptions.retrieve(id);
const invoices = async (customer: string) => (await sim.stripe.invoices.list({ customer })).data;
const types = async () => (await sim.control.events()).map(({ type }) => type);

describe('a renewal', () => {
  test('begins the next period at its end, and charges it an hour later', async () => {
    const [customer, { id, trial_end: end }] = await sim.subscribed({ trialDays: 10 });
    await sim.control.advance(10 * DAY_MS);
    expect(await retrieve(id)).toMatchObject({
      status: 'active',
      items: { data: [{ current_period_start: end }] },
    });
    expect((await invoices(customer)).map(({ status }) => status)).toEqual(['draft', 'paid']);
    await sim.control.advance(2 * HOUR_MS);
    expect(await invoices(customer)).toMatchObject([{ status: 'paid', amount_paid: 2900 }, { total: 0 }]);
    const renewed = JSON.stringify(await retrieve(id));
    await sim.control.setClock(0);
    expect(JSON.stringify(await retrieve(id))).toBe(renewed);
  });

  test.each([
    ['unpaid', 'unpaid'],
    ['cancel', 'canceled'],
  ] as const)(
    'that fails is retried three times, then the setting %s applies',
    async (afterRetries, status) => {
      await sim.control.settings({ afterRetries });
      const [customer, { id }] = await sim.subscribed({ trialDays: 10, card: 'fails_at_renewal' });
      await sim.control.advance(10 * DAY_MS + 2 * HOUR_MS);
      for (const [attempts, days] of [
        [1, 3],
        [2, 2],
        [3, 2],
      ] as const) {
        expect((await retrieve(id)).status).toBe('past_due');
        expect((await invoices(customer))[0]).toMatchObject({ status: 'open', attempt_count: attempts });
        await sim.control.advance(days * DAY_MS);
      }
      expect((await retrieve(id)).status).toBe(status);
      expect((await invoices(customer))[0]).toMatchObject({ attempt_count: 4, next_payment_attempt: null });
      expect((await types()).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4);
    },
  );

  test('of an unpaid subscription leaves a draft that is not charged', async () => {
    const [customer, { id }] = await sim.subscribed({ card: 'fails_at_renewal' });
    await sim.control.advance(70 * DAY_MS);
    expect((await retrieve(id)).status).toBe('unpaid');
    expect((await invoices(customer)).map(({ status }) => status)).toEqual(['draft', 'open', 'paid']);
  });

  test.each([
    ['past_due', 33],
    ['unpaid', 70],
  ])('that failed is paid with a new card: %s becomes active', async (status, days) => {
    const [customer, { id }] = await sim.subscribed({ card: 'fails_at_renewal' });
    await sim.control.advance(days * DAY_MS);
    expect((await retrieve(id)).status).toBe(status);
    const portal = await sim.openPortal(customer);
    expect((await portal.changeCard('declined')).text).toContain('Your card was declined.');
    await portal.changeCard('good');
    expect((await retrieve(id)).status).toBe('active');
    expect((await invoices(customer)).filter((invoice) => invoice.status === 'open')).toEqual([]);
  });

  test('a trial without a card ends as configured in Checkout', async () => {
    const [, { id }] = await sim.subscribed({ trialDays: 3, card: null });
    const [, { id: other }] = await sim.subscribed({
      trialDays: 3,
      card: null,
      missingPaymentMethod: 'create_invoice',
    });
    await sim.control.advance(4 * DAY_MS);
    expect([(await retrieve(id)).status, (await retrieve(other)).status]).toEqual(['canceled', 'past_due']);
  });
});

describe('the end of a subscription', () => {
  test('by cancel_at_period_end, which can be taken back', async () => {
    const [, { id, items }] = await sim.subscribed();
    const marked = await sim.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(marked).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: null });
    const cleared = await sim.stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(cleared).toMatchObject({ cancel_at_period_end: false, canceled_at: null });
    const { canceled_at: asked } = await sim.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await sim.control.advance(32 * DAY_MS);
    const ended_at = items.data[0]?.current_period_end;
    expect(await retrieve(id)).toMatchObject({ status: 'canceled', ended_at, canceled_at: asked });
    expect((await types()).at(-1)).toBe('customer.subscription.deleted');
  });

  test('by the portal sets cancel_at, as flexible billing does', async () => {
    const [customer, { id, trial_end: end }] = await sim.subscribed({ trialDays: 30 });
    const portal = await sim.openPortal(customer);
    expect(await portal.cancel()).toMatchObject({ status: 303 });
    const reason = 'cancellation_requested';
    const stopped = { status: 'trialing', cancel_at_period_end: false, cancel_at: end };
    expect(await retrieve(id)).toMatchObject({ ...stopped, cancellation_details: { reason } });
    expect((await portal.page()).text).toContain('Cancels on');
    await portal.renew();
    expect(await retrieve(id)).toMatchObject({ cancel_at: null, canceled_at: null });
    await portal.cancel();
    await sim.control.advance(31 * DAY_MS);
    expect(await retrieve(id)).toMatchObject({ status: 'canceled', ended_at: end });
    expect((await portal.page()).text).toContain('There is no subscription.');
    expect((await portal.cancel(id)).text).toContain('This subscription has ended.');
  });

  test('at once credits the unused time on request, and is final', async () => {
    const [customer, { id }] = await sim.subscribed();
    const ended = await sim.stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
    expect(ended).toMatchObject({ status: 'canceled', cancel_at: null });
    expect(await sim.stripe.customers.retrieve(customer)).toMatchObject({ balance: -2900 });
    const listed = async (more: object) =>
      (await sim.stripe.subscriptions.list({ customer, ...more })).data.map((one) => one.id);
    expect([await listed({}), await listed({ status: 'all' })]).toEqual([[], [id]]);
    const update = sim.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await expect(update).rejects.toMatchObject({ code: 'invalid_canceled_subscription_fields' });
    const again = sim.stripe.subscriptions.cancel(id);
    await expect(again).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
  });

  test('of the customer ends their subscriptions and the portal', async () => {
    const [customer, { id }] = await sim.subscribed();
    const portal = await sim.openPortal(customer);
    const gone = { id: customer, object: 'customer', deleted: true };
    expect(await sim.stripe.customers.del(customer)).toEqual(gone);
    expect(await sim.stripe.customers.retrieve(customer)).toMatchObject(gone);
    expect(await retrieve(id)).toMatchObject({ status: 'canceled', customer });
    expect((await sim.stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
    expect((await types()).slice(-2)).toEqual(['customer.subscription.deleted', 'customer.deleted']);
    expect((await portal.page()).status).toBe(404);
    await expect(sim.openPortal(customer)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('a change of plan', () => {
  test('during the trial keeps the trial and costs nothing yet', async () => {
    const [customer, { id, trial_end: end }] = await sim.subscribed({ trialDays: 30 });
    await (await sim.openPortal(customer)).switchTo(PRICE_YEARLY);
    const items = { data: [{ price: { id: PRICE_YEARLY } }] };
    expect(await retrieve(id)).toMatchObject({ status: 'trialing', trial_end: end, items });
    expect(await invoices(customer)).toHaveLength(1);
    await sim.control.advance(31 * DAY_MS);
    expect((await invoices(customer))[0]).toMatchObject({ amount_paid: 27_800 });
  });

  test('of a paid subscription begins now, and credits the unused time', async () => {
    const [customer, { id }] = await sim.subscribed();
    await sim.control.advance(15 * DAY_MS);
    const portal = await sim.openPortal(customer);
    await portal.switchTo(PRICE_YEARLY);
    const [invoice] = await invoices(customer);
    const [credit, full] = (invoice?.lines.data ?? []).map(({ amount }) => amount);
    expect(full).toBe(27_800);
    expect(credit).toBeLessThan(-1000);
    expect(credit).toBeGreaterThan(-1600);
    expect(invoice).toMatchObject({
      billing_reason: 'subscription_update',
      amount_paid: 27_800 + (credit ?? 0),
    });
    const { items, billing_cycle_anchor: anchor } = await retrieve(id);
    const [{ current_period_start: start, current_period_end: end }] = items.data as [(typeof items.data)[0]];
    expect([start, Math.floor((end - start) / DAY)]).toEqual([anchor, 365]);

    await portal.switchTo(PRICE_MONTHLY);
    const { balance } = (await sim.stripe.customers.retrieve(customer)) as { balance: number };
    expect(balance).toBeLessThan(-24_000);
    await sim.control.advance(32 * DAY_MS);
    const credited = { amount_due: 0, starting_balance: balance, ending_balance: balance + 2900 };
    expect((await invoices(customer))[0]).toMatchObject({ status: 'paid', total: 2900, ...credited });
  });
});

test('the portal shows the subscription, the card, the invoices and a return link', async () => {
  const [customer] = await sim.subscribed();
  const portal = await sim.openPortal(customer);
  const { text } = await portal.page();
  for (const words of [
    '$29.00 per month',
    'Renews on',
    'Switch to $278.00',
    'Cancel subscription',
    'paid',
    '4242',
  ])
    expect(text).toContain(words);
  expect(text).toContain('href="http://localhost:3000/settings"');
  expect((await portal.switchTo('price_x')).text).toContain('This plan is not available.');
});
