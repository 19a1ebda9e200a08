import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { signIn } from '../../../../scripts/outside/user.ts';
import { DAY_MS as DAY, SIMULATED_STRIPE } from '../../../../scripts/outside/stripe.ts';
import type { Customer } from '../../../../test/support/billing-suite.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import { Billing } from '../../stripe/billing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MONTHLY = SIMULATED_STRIPE.STRIPE_PRICE_MONTHLY;
const YEARLY = SIMULATED_STRIPE.STRIPE_PRICE_YEARLY;

/** Concurrency and failures during a checkout: the user is subscribed and pays once. */
describe('a checkout with concurrent changes and failures', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, former, stateOf, checkout, customerOf, advance, becomes } = suite;
  const { paidBy, subscriptionsOf } = suite;

  const asking = async (who: Customer, planType = 'monthly'): Promise<string> => {
    const path = '/api/stripe/create-checkout-session';
    const answer = await who.user.call<{ error?: { code: string } }>('POST', path, { planType });
    return `${answer.status} ${answer.body.error?.code ?? 'ok'}`;
  };
  const sessionOf = (url: string) => {
    const id = String(/cs_[A-Za-z0-9_]+/.exec(url));
    return stripe().api<{ customer: string; status: string }>('GET', `checkout/sessions/${id}`);
  };
  const openPages = async (who: Customer) => {
    const path = `checkout/sessions?customer=${await customerOf(who)}&status=open`;
    return (await stripe().api<{ data: { id: string }[] }>('GET', path)).data;
  };
  /** Holds the next such request of SmartPause at Stripe. */
  const holdNext = (path: string) =>
    stripe().fault({ kind: 'hang_before', times: 1, path, method: 'POST', applyOnRelease: true });
  const isHeld = (fault: number) =>
    suite.amid('the request to be held', async () => (await stripe().parked(fault)) === 1);

  test('three parallel checkouts after the customer was deleted at Stripe share one new customer', async () => {
    const who = await subscriber();
    await stripe().dropWebhooks({ times: 0 });
    await stripe().api('DELETE', `customers/${await customerOf(who)}`);
    await stripe().ask('DELETE', '/faults');
    const urls = await Promise.all([checkout(who), checkout(who), checkout(who)]);
    expect(new Set(urls).size).toBe(1);
    const known = await customerOf(who);
    expect(await sessionOf(urls[0])).toMatchObject({ customer: known, status: 'open' });
    await stripe().pay(urls[0]);
    await becomes(who, 'active');
    expect(await paidBy(known)).toEqual([2900]);
  });

  test('refuses a user with a grant and no Stripe customer, and writes nothing', async () => {
    const who = await newcomer();
    await suite.appoint(who);
    await who.user.post('/api/admin/grant-subscription');
    expect(await asking(who)).toBe('409 ALREADY_SUBSCRIBED');
    const rows = await suite.product.app.db
      .selectFrom('stripeCustomers')
      .innerJoin('users', 'users.id', 'stripeCustomers.userId')
      .select('customerId')
      .where('platformUserId', '=', who.userId)
      .execute();
    expect(rows).toEqual([]);
  });

  test('both plans clicked at once and both pages paid: one is charged', async () => {
    const who = await former();
    const [one, other] = await Promise.all([checkout(who, 'monthly'), checkout(who, 'yearly')]);
    await stripe().pay(one);
    await stripe().pay(other);
    await becomes(who, 'active');
    expect(await paidBy(await customerOf(who))).toHaveLength(1);
  });

  test('a page that expires in less than half an hour is not given again', async () => {
    const who = await newcomer();
    const first = await checkout(who);
    await advance(DAY - 31 * MINUTE);
    expect(await checkout(who)).toBe(first);
    await advance(2 * MINUTE);
    expect(await checkout(who)).not.toBe(first);
    expect(await openPages(who)).toHaveLength(1);
  });

  test('the other plan is requested while the user pays on the first page', async () => {
    const who = await newcomer();
    const page = await checkout(who);
    const closing = await holdNext('expire');
    const other = asking(who, 'yearly');
    await isHeld(closing);
    await stripe().pay(page);
    await stripe().ask('DELETE', '/faults');
    expect(await other).toBe('409 ALREADY_SUBSCRIBED');
    await becomes(who, 'trialing');
  });

  test.each(['x@com', ' spaces@example.com '])(
    'an email address that Stripe rejects blocks no checkout: %s',
    async (email) => {
      const who = await newcomer();
      await suite.product.app.db
        .updateTable('users')
        .set({ email })
        .where('platformUserId', '=', who.userId)
        .execute();
      expect(await asking(who)).toBe('200 ok');
    },
  );

  test('sells no second subscription while Stripe is late with the renewal', async () => {
    const who = await former();
    await stripe().pay(await checkout(who));
    const end = Date.parse((await becomes(who, 'active')).subscription?.currentPeriodEnd ?? '');
    await stripe().settleWebhooks();
    suite.product.clock.advance(end - suite.product.clock.now() + 60_000);
    await stateOf(who);
    expect(await asking(who)).toBe('409 ALREADY_SUBSCRIBED');
    await advance(2 * HOUR);
    await suite.until('the new period', async () => (await stateOf(who)).hasActiveSubscription || null);
    expect(await paidBy(await customerOf(who))).toEqual([2900, 2900]);
  });

  test.each([
    ['customers', 'applied_but_error'],
    ['checkout/sessions', 'applied_but_error'],
    ['customers', 'error'],
    ['checkout/sessions', 'error'],
  ])('a failure at %s that Stripe stores (%s) does not block the next checkout', async (path, kind) => {
    const who = await newcomer();
    await stripe().fault({ kind, http: 500, times: 2, path: `${path}$`, method: 'POST' });
    await asking(who);
    await stripe().ask('DELETE', '/faults');
    expect(await asking(who, 'yearly')).toBe('200 ok');
  });

  test('no response to the creation of the customer, and another email address at the retry', async () => {
    const who = await newcomer();
    await stripe().fault({ kind: 'reset_after', times: 2, path: 'customers$', method: 'POST' });
    expect(await asking(who)).toBe('502 BILLING_UNAVAILABLE');
    await stripe().ask('DELETE', '/faults');
    await suite.product.app.db
      .updateTable('users')
      .set({ email: 'another@example.com' })
      .where('platformUserId', '=', who.userId)
      .execute();
    expect(await asking(who)).toBe('200 ok');
  });

  test.each([
    ['an error of its own', { kind: 'error', http: 500 }, 'BILLING_UNAVAILABLE'],
    ['not now', { kind: 'error', http: 503 }, 'BILLING_UNAVAILABLE'],
    ['too many calls', { kind: 'error', http: 429 }, 'BILLING_UNAVAILABLE'],
    ['another key', { kind: 'error', http: 401 }, 'BILLING_MISCONFIGURED'],
    ['not allowed', { kind: 'error', http: 403 }, 'BILLING_MISCONFIGURED'],
    ['a page of HTML', { kind: 'html' }, 'BILLING_UNAVAILABLE'],
    ['half an answer', { kind: 'truncated' }, 'BILLING_UNAVAILABLE'],
    ['a cut connection', { kind: 'reset' }, 'BILLING_UNAVAILABLE'],
  ])('[API-15, API-16] 34: %s: each call reports it, with no partial change', async (_title, fault, code) => {
    const who = await subscriber();
    const other = await newcomer();
    await stripe().fault({ ...fault, times: 0 });
    const refusal = `502 ${code}`;
    expect(await asking(other)).toBe(refusal);
    expect(await suite.apiErrorOf(who, 'create-portal-session', {})).toBe(refusal);
    expect(await suite.apiErrorOf(who, 'refresh-subscription', {})).toBe(refusal);
    expect((await stateOf(who)).hasActiveSubscription).toBe(true);
    await stripe().ask('DELETE', '/faults');
    await stripe().pay(await checkout(other));
    await becomes(other, 'trialing');
    expect(await subscriptionsOf(other)).toHaveLength(1);
  });

  test('29: the payment for a second subscription is credited', async () => {
    const who = await former();
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    const customer = await customerOf(who);
    await advance(1000);
    const { id } = await stripe().plantSubscription({ customer, price: 'price_smartpause_yearly' });
    await stripe().api('POST', `subscriptions/${id}`, { 'metadata[smartpause]': 'subscription' });
    who.user = await signIn(suite.product.url, who.userId);
    await who.user.post('/api/stripe/refresh-subscription');
    await suite.until('the credit', async () => {
      await suite.readDue();
      const { balance } = await stripe().api<{ balance: number }>('GET', `customers/${customer}`);
      return balance < -2800 || null;
    });
    expect((await stateOf(who)).subscription?.planType).toBe('yearly');
    const running = (await subscriptionsOf(who)).filter(({ status }) => status !== 'canceled');
    expect(running).toHaveLength(1);
  });

  test('[SUB-01] a trial of another product in the same Stripe account leaves our trial available', async () => {
    const who = await newcomer();
    await checkout(who);
    const { id: price } = await stripe().api<{ id: string }>('POST', 'prices', {
      ...{ currency: 'usd', unit_amount: '500', product: 'prod_smartpause' },
      'recurring[interval]': 'month',
    });
    await stripe().plantSubscription({ customer: await customerOf(who), price, trialDays: 30 });
    const state = await who.user.post('/api/stripe/refresh-subscription');
    expect(state).toMatchObject({ subscription: null, isTrialAvailable: true, hasPortal: false });
  });

  /** Our own client of Stripe, and the failures that it reports. */
  function ownBilling() {
    const { STRIPE_API_URL: apiUrl = '', STRIPE_SECRET_KEY: secretKey = '' } = suite.simulators.environment;
    const prices = { monthly: MONTHLY, yearly: YEARLY };
    const config = { secretKey, apiUrl, prices, webhookSecrets: [], portalConfiguration: 'bpc_smartpause' };
    const failures: object[] = [];
    return { billing: new Billing(config, (details) => failures.push(details)), failures };
  }

  test('31: cancelling an ended subscription again succeeds', async () => {
    const who = await subscriber();
    const { billing } = ownBilling();
    const id = (await subscriptionsOf(who))[0]?.id ?? '';
    await billing.cancelSubscription(id, { isCredited: false });
    await billing.cancelSubscription(id, { isCredited: false });
    expect(await who.user.post('/api/stripe/refresh-subscription')).toMatchObject({
      hasActiveSubscription: false,
    });
  });

  test('closing a closed page succeeds, closing a paid one fails, and neither is logged as a failure', async () => {
    const { billing, failures } = ownBilling();
    const pageOf = (url: string) => String(/cs_[A-Za-z0-9_]+/.exec(url));
    const closed = pageOf(await checkout(await newcomer()));
    expect(await billing.expireCheckout(closed)).toBe(false);
    expect(await billing.expireCheckout(closed)).toBe(false);
    const url = await checkout(await newcomer());
    await stripe().pay(url);
    expect(await billing.expireCheckout(pageOf(url))).toBe(true);
    expect(failures).toEqual([]);
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
