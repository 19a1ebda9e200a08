import { Writable } from 'node:stream';
import Stripe from 'stripe';
import { afterAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { SIMULATED_STRIPE } from '../../../../scripts/outside/stripe.ts';
import { Conversation } from '../../../../simulators/stripe/conformance/conversation.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import type { Customer, State } from '../../../../test/support/billing-suite.ts';
import { allMailTo } from '../../../../test/support/mail.ts';
import { createBilling } from '../../stripe/billing.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONTHLY = SIMULATED_STRIPE.STRIPE_PRICE_MONTHLY;
const YEARLY = SIMULATED_STRIPE.STRIPE_PRICE_YEARLY;

/** More of the situations that integrations of Stripe get wrong, by their numbers. */
describe('what seldom happens to a subscription', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, stateOf, checkout, portal, customerOf, later, becomes } = suite;
  const { refusalOf, atStripe, subscriptionsOf } = suite;

  const refresh = (who: Customer) => who.person.post<State>('/api/stripe/refresh-subscription');
  const idOf = async (who: Customer) => (await subscriptionsOf(who))[0]?.id ?? '';
  const alive = async (who: Customer) =>
    (await subscriptionsOf(who)).filter(({ status }) => status !== 'canceled');
  const invoicesOf = async (who: Customer) => {
    const path = `invoices?customer=${await customerOf(who)}`;
    const { data } = await atStripe<{ data: { amount_paid: number; status: string }[] }>('GET', path);
    return data;
  };

  /** Brings an event as Stripe would, whatever it says. */
  async function deliver(event: object): Promise<number> {
    const payload = JSON.stringify(event);
    const timestamp = Math.floor(suite.product.clock.now() / 1000);
    const secret = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET;
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp,
    });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const url = `${suite.product.url}/webhooks/stripe`;
    return (await fetch(url, { method: 'POST', headers, body: payload })).status;
  }

  afterAll(async () => {
    const conversation = new Conversation();
    await conversation.record(stripe());
    expect(await conversation.check()).toEqual([]);
  });

  test('2: a webhook that overtakes our own note of the customer is made up for', async () => {
    const who = await newcomer();
    const page = await checkout(who);
    const customerId = await customerOf(who);
    const note = (customer_id: string | null) =>
      suite.product.app.db
        .updateTable('billing_customer')
        .set({ customer_id, sync_at: new Date(suite.product.clock.now()) })
        .where((eb) => eb.or([eb('customer_id', '=', customerId), eb('customer_id', 'is', null)]))
        .execute();
    await note(null);
    await stripe().pay(page);
    await stripe().settleWebhooks();
    expect((await stateOf(who)).subscription).toBeNull();
    await note(customerId);
    await becomes(who, 'trialing');
  });

  test('9: an event in the words of an old version is still understood, since it is only a sign to read', async () => {
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
    expect(
      await deliver({ id: `evt_old_${object.id}`, api_version: '2020-08-27', type, data: { object } }),
    ).toBe(200);
    const { subscription } = await becomes(who, 'canceled');
    expect(subscription?.currentPeriodEnd).toBe(before?.currentPeriodEnd);
  });

  test('10: the session of somebody else gives nobody anything', async () => {
    const who = await newcomer();
    const { location } = await stripe().pay(await checkout(who));
    const session = new URL(location ?? '').searchParams.get('session_id');
    expect(session).toMatch(/^cs_/);
    const other = await newcomer();
    const path = `/api/stripe/refresh-subscription?session_id=${session ?? ''}`;
    const answer = await other.person.call<State>('POST', path, { session_id: session });
    expect(answer.body.subscription ?? null).toBeNull();
    expect(await stateOf(other)).toMatchObject({ hasActiveSubscription: false, isTrialAvailable: true });
  });

  test('15: the first invoice of a free month is of nothing, and nobody is told that they paid', async () => {
    const who = await subscriber();
    expect(await invoicesOf(who)).toMatchObject([{ amount_paid: 0, status: 'paid' }]);
    expect((await stateOf(who)).subscription?.status).toBe('trialing');
    expect(await allMailTo(suite, who.email)).toEqual([]);
  });

  test('17: a year is a year of the calendar', async () => {
    const who = await subscriber('yearly');
    const trialEnd = new Date((await stateOf(who)).subscription?.trialEnd ?? '');
    await later(30 * DAY + 2 * HOUR);
    const { subscription } = await becomes(who, 'active');
    const next = new Date(trialEnd);
    next.setUTCFullYear(next.getUTCFullYear() + 1);
    expect(subscription?.currentPeriodEnd).toBe(next.toISOString());
  });

  test('19: a trial that ends without a card ends', async () => {
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
    await later(30 * DAY + 2 * HOUR);
    expect(await becomes(who, 'canceled')).toMatchObject({ hasActiveSubscription: false });
  });

  test('[SET-08] 24: what is cancelled for the period’s end from Stripe’s own pages runs to its end as well', async () => {
    const who = await subscriber();
    const one = `subscriptions/${await idOf(who)}`;
    await atStripe('POST', one, { cancel_at_period_end: 'true' });
    const { hasActiveSubscription, subscription } = await becomes(who, 'canceled');
    expect(hasActiveSubscription).toBe(true);
    expect(subscription?.currentPeriodEnd).toBe(subscription?.trialEnd);
    await atStripe('POST', one, { cancel_at_period_end: 'false' });
    await becomes(who, 'trialing');
  });

  test('25: who comes back has a new subscription, and late news of the old one change nothing', async () => {
    const who = await subscriber();
    await (await portal(who)).cancel();
    await later(31 * DAY);
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

  test('27: after an unpaid one that was given up there is one subscription, and one open bill at most', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await later(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await later(8 * DAY);
    await becomes(who, 'unpaid');
    expect(await refusalOf(who, 'create-checkout-session', { planType: 'monthly' })).toBe('409 PAYMENT_DUE');
    await atStripe('DELETE', `subscriptions/${await idOf(who)}`);
    await becomes(who, 'canceled');
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    expect(await alive(who)).toHaveLength(1);
    const unsettled = (await invoicesOf(who)).filter(({ status }) => status === 'draft' || status === 'open');
    expect(unsettled.length).toBeLessThanOrEqual(1);
  });

  test('30: a paid plan that is switched is charged at once, and its year begins', async () => {
    const who = await subscriber();
    await later(30 * DAY + 2 * HOUR);
    await becomes(who, 'active');
    await (await portal(who)).switchTo(YEARLY);
    const { subscription } = await waitFor('the year', async () => {
      const found = await stateOf(who);
      return found.subscription?.planType === 'yearly' ? found : null;
    });
    const days = (Date.parse(subscription?.currentPeriodEnd ?? '') - suite.product.clock.now()) / DAY;
    expect(Math.round(days)).toBeGreaterThanOrEqual(365);
    const paid = (await invoicesOf(who)).map(({ amount_paid: cents }) => cents);
    // What is left of the month counts towards the year.
    expect(Math.max(...paid)).toBeGreaterThan(27_800 - 2900);
    expect(Math.max(...paid)).toBeLessThan(27_800);
  });

  test('31: cancelling once more what has ended is done already', async () => {
    const who = await subscriber();
    const { STRIPE_API_URL: apiUrl = '', STRIPE_SECRET_KEY: secretKey = '' } = suite.simulators.environment;
    const prices = { monthly: MONTHLY, yearly: YEARLY };
    const config = { secretKey, apiUrl, prices, webhookSecrets: [], portalConfiguration: 'bpc_smartpause' };
    const billing = createBilling(config, () => undefined);
    const id = await idOf(who);
    expect(await billing.cancelSubscription(id, { isCredited: false })).toEqual({ ok: true, value: true });
    expect(await billing.cancelSubscription(id, { isCredited: false })).toEqual({ ok: true, value: true });
    expect(await refresh(who)).toMatchObject({ hasActiveSubscription: false });
  });

  test('a page that somebody else has closed meanwhile is closed, one that is paid is not, and neither is our fault', async () => {
    const { STRIPE_API_URL: apiUrl = '', STRIPE_SECRET_KEY: secretKey = '' } = suite.simulators.environment;
    const prices = { monthly: MONTHLY, yearly: YEARLY };
    const config = { secretKey, apiUrl, prices, webhookSecrets: [], portalConfiguration: 'bpc_smartpause' };
    const failures: object[] = [];
    const billing = createBilling(config, (details) => failures.push(details));
    const pageOf = (url: string) => String(/cs_[A-Za-z0-9_]+/.exec(url));
    const closed = pageOf(await checkout(await newcomer()));
    expect(await billing.expireCheckout(closed)).toEqual({ ok: true, value: true });
    expect(await billing.expireCheckout(closed)).toEqual({ ok: true, value: true });
    const url = await checkout(await newcomer());
    await stripe().pay(url);
    expect((await billing.expireCheckout(pageOf(url))).ok).toBe(false);
    expect(failures).toEqual([]);
  });

  test('[API-16] 35: there is no portal for whoever never was a customer', async () => {
    const who = await newcomer();
    expect(await refusalOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
    await checkout(who);
    expect((await stateOf(who)).hasPortal).toBe(false);
  });
});

describe('16: prices that are not what the pages say', () => {
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

  test('[SUB-01] nobody is sold them, and whoever runs this hears of it before the first customer', async () => {
    await waitFor('the log to say it', () =>
      Promise.resolve(log.some((line) => line.includes('costs 27800 cents in usd, not 2900 in usd')) || null),
    );
    const who = await suite.newcomer();
    expect(await suite.refusalOf(who, 'create-checkout-session', order)).toBe('502 BILLING_MISCONFIGURED');
    expect(
      (await suite.stripe().calls()).filter(({ name }) => name === 'POST /v1/checkout/sessions'),
    ).toEqual([]);
  });
});
