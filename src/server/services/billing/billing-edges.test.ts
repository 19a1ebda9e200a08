import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { SIMULATED_STRIPE } from '../../../../scripts/outside/stripe.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import type { Customer, State } from '../../../../test/support/billing-suite.ts';
import { Billing } from '../../stripe/billing.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONTHLY = SIMULATED_STRIPE.STRIPE_PRICE_MONTHLY;
const YEARLY = SIMULATED_STRIPE.STRIPE_PRICE_YEARLY;

/** Rare cases of Stripe integrations; the numbers name the situation. */
describe('rare changes of a subscription', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, stateOf, checkout, portal, customerOf, advance, becomes } = suite;
  const { apiErrorOf, subscriptionsOf, deliver } = suite;

  const refresh = (who: Customer) => who.user.post<State>('/api/stripe/refresh-subscription');
  const idOf = async (who: Customer) => (await subscriptionsOf(who))[0]?.id ?? '';
  const alive = async (who: Customer) =>
    (await subscriptionsOf(who)).filter(({ status }) => status !== 'canceled');
  const invoicesOf = async (who: Customer) => {
    const path = `invoices?customer=${await customerOf(who)}`;
    const { data } = await stripe().api<{ data: { amount_paid: number; status: string }[] }>('GET', path);
    return data;
  };

  /** Our own client of Stripe, and the failures that it reports. */
  function ownBilling() {
    const { STRIPE_API_URL: apiUrl = '', STRIPE_SECRET_KEY: secretKey = '' } = suite.simulators.environment;
    const prices = { monthly: MONTHLY, yearly: YEARLY };
    const config = { secretKey, apiUrl, prices, webhookSecrets: [], portalConfiguration: 'bpc_smartpause' };
    const failures: object[] = [];
    return { billing: new Billing(config, (details) => failures.push(details)), failures };
  }

  test('2: a webhook that arrives before we store the customer is recovered later', async () => {
    const who = await newcomer();
    const page = await checkout(who);
    const customerId = await customerOf(who);
    const note = (stored: string | null) =>
      suite.product.app.db
        .updateTable('stripeCustomers')
        .set({ customerId: stored, syncAt: new Date(suite.product.clock.now()) })
        .where((eb) => eb.or([eb('customerId', '=', customerId), eb('customerId', 'is', null)]))
        .execute();
    await note(null);
    await stripe().pay(page);
    await stripe().settleWebhooks();
    expect((await stateOf(who)).subscription).toBeNull();
    await note(customerId);
    await becomes(who, 'trialing');
  });

  test('9: an event of an old API version works, since it only triggers a read', async () => {
    const who = await subscriber();
    const before = (await stateOf(who)).subscription;
    await stripe().dropWebhooks({ times: 0 });
    await (await portal(who)).cancel();
    const object = {
      id: await idOf(who),
      object: 'subscription',
      customer: await customerOf(who),
      status: 'past_due',
      current_period_end: 1,
    };
    const type = 'customer.subscription.updated';
    const event = { id: `evt_old_${object.id}`, api_version: '2020-08-27', type, data: { object } };
    expect(await deliver(event)).toBe(200);
    const { subscription } = await becomes(who, 'canceled');
    expect(subscription?.currentPeriodEnd).toBe(before?.currentPeriodEnd);
  });

  test('10: the checkout session of another user gives no access', async () => {
    const who = await newcomer();
    const { location } = await stripe().pay(await checkout(who));
    const session = new URL(location ?? '').searchParams.get('session_id');
    expect(session).toMatch(/^cs_/);
    const other = await newcomer();
    const path = `/api/stripe/refresh-subscription?session_id=${session ?? ''}`;
    const answer = await other.user.call<State>('POST', path, { session_id: session });
    expect(answer.body.subscription ?? null).toBeNull();
    expect(await stateOf(other)).toMatchObject({ hasActiveSubscription: false, isTrialAvailable: true });
  });

  test('[SUB-01] a trial of another product in the same Stripe account leaves our trial available', async () => {
    const who = await newcomer();
    await checkout(who);
    const { id: price } = await stripe().api<{ id: string }>('POST', 'prices', {
      ...{ currency: 'usd', unit_amount: '500', product: 'prod_smartpause' },
      'recurring[interval]': 'month',
    });
    await stripe().plantSubscription({ customer: await customerOf(who), price, trialDays: 30 });
    expect(await refresh(who)).toMatchObject({ subscription: null, isTrialAvailable: true });
  });

  test('15: the first invoice of a free month is zero', async () => {
    const who = await subscriber();
    expect(await invoicesOf(who)).toMatchObject([{ amount_paid: 0, status: 'paid' }]);
    expect((await stateOf(who)).subscription?.status).toBe('trialing');
  });

  test('17: a year is a calendar year', async () => {
    const who = await subscriber('yearly');
    const trialEnd = new Date((await stateOf(who)).subscription?.trialEnd ?? '');
    await advance(30 * DAY + 2 * HOUR);
    const { subscription } = await becomes(who, 'active');
    const next = new Date(trialEnd);
    next.setUTCFullYear(next.getUTCFullYear() + 1);
    expect(subscription?.currentPeriodEnd).toBe(next.toISOString());
  });

  test('19: a trial without a card ends at its end', async () => {
    const who = await newcomer();
    await checkout(who);
    const customer = await customerOf(who);
    await stripe().plantSubscription({
      customer,
      price: MONTHLY,
      card: null,
      trialDays: 30,
      missingPaymentMethod: 'cancel',
    });
    await becomes(who, 'trialing');
    await advance(30 * DAY + 2 * HOUR);
    expect(await becomes(who, 'canceled')).toMatchObject({ hasActiveSubscription: false });
  });

  test('[SET-08] 24: a cancellation for the period end in Stripe’s dashboard also runs to its end', async () => {
    const who = await subscriber();
    const one = `subscriptions/${await idOf(who)}`;
    await stripe().api('POST', one, { cancel_at_period_end: 'true' });
    const { hasActiveSubscription, subscription } = await becomes(who, 'canceled');
    expect(hasActiveSubscription).toBe(true);
    expect(subscription?.currentPeriodEnd).toBe(subscription?.trialEnd);
    await stripe().api('POST', one, { cancel_at_period_end: 'false' });
    await becomes(who, 'trialing');
  });

  test('25: a returning user gets a new subscription, and late events of the old one change nothing', async () => {
    const who = await subscriber();
    await (await portal(who)).cancel();
    await advance(31 * DAY);
    await becomes(who, 'canceled');
    const old = await idOf(who);
    await stripe().pay(await checkout(who));
    const state = await becomes(who, 'active');
    await stripe().settleWebhooks();
    expect((await alive(who))[0]?.id).not.toBe(old);
    const events = (await stripe().events()).filter((event) => JSON.stringify(event).includes(old));
    expect(events.length).toBeGreaterThan(3);
    for (const event of events) expect(await deliver({ ...event, id: `${event.id}_late` })).toBe(200);
    expect(await stateOf(who)).toEqual(state);
  });

  test('27: after a canceled unpaid one there is one subscription, and at most one open invoice', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await advance(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await advance(8 * DAY);
    await becomes(who, 'unpaid');
    expect(await apiErrorOf(who, 'create-checkout-session', { planType: 'monthly' })).toBe('409 PAYMENT_DUE');
    await stripe().api('DELETE', `subscriptions/${await idOf(who)}`);
    await becomes(who, 'canceled');
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    expect(await alive(who)).toHaveLength(1);
    const unsettled = (await invoicesOf(who)).filter(({ status }) => status === 'draft' || status === 'open');
    expect(unsettled.length).toBeLessThanOrEqual(1);
  });

  test('30: a switch of a paid plan is charged at once, and its year begins', async () => {
    const who = await subscriber();
    await advance(30 * DAY + 2 * HOUR);
    await becomes(who, 'active');
    await (await portal(who)).switchTo(YEARLY);
    const { subscription } = await suite.until('the year', async () => {
      const found = await stateOf(who);
      return found.subscription?.planType === 'yearly' ? found : null;
    });
    const days = (Date.parse(subscription?.currentPeriodEnd ?? '') - suite.product.clock.now()) / DAY;
    expect(days).toBeGreaterThan(364.5);
    const paid = (await invoicesOf(who)).map(({ amount_paid: cents }) => cents);
    expect(Math.max(...paid)).toBe(27_800);
  });

  test('31: cancelling an ended subscription again succeeds', async () => {
    const who = await subscriber();
    const { billing } = ownBilling();
    const id = await idOf(who);
    expect(await billing.cancelSubscription(id, { isCredited: false })).toEqual({ ok: true, value: true });
    expect(await billing.cancelSubscription(id, { isCredited: false })).toEqual({ ok: true, value: true });
    expect(await refresh(who)).toMatchObject({ hasActiveSubscription: false });
  });

  test('closing a closed page succeeds, closing a paid one fails, and neither is logged as a failure', async () => {
    const { billing, failures } = ownBilling();
    const pageOf = (url: string) => String(/cs_[A-Za-z0-9_]+/.exec(url));
    const closed = pageOf(await checkout(await newcomer()));
    expect(await billing.expireCheckout(closed)).toEqual({ ok: true, value: true });
    expect(await billing.expireCheckout(closed)).toEqual({ ok: true, value: true });
    const url = await checkout(await newcomer());
    await stripe().pay(url);
    expect((await billing.expireCheckout(pageOf(url))).ok).toBe(false);
    expect(failures).toEqual([]);
  });

  test('[API-16] 35: a user who never was a customer has no portal', async () => {
    const who = await newcomer();
    expect(await apiErrorOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
    await checkout(who);
    expect((await stateOf(who)).hasPortal).toBe(false);
  });
});

describe('16: prices that differ from the pricing page', () => {
  const log: string[] = [];
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const swapped = { STRIPE_PRICE_MONTHLY: YEARLY, STRIPE_PRICE_YEARLY: MONTHLY };
  const suite = billingSuite({ environment: { ...swapped, LOG_LEVEL: 'error' }, logTo });
  const order = { planType: 'monthly' };

  test('[SUB-01] blocks checkouts and logs an error before the first customer', async () => {
    await suite.product.app.runTask('checking prices');
    expect(log.join('')).toContain('costs 27800 cents in usd, not 2900 in usd');
    const who = await suite.newcomer();
    expect(await suite.apiErrorOf(who, 'create-checkout-session', order)).toBe('502 BILLING_MISCONFIGURED');
    expect(
      (await suite.stripe().calls()).filter(({ name }) => name === 'POST /v1/checkout/sessions'),
    ).toEqual([]);
  });
});
