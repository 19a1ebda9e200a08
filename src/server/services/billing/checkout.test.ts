import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import { DAY_MS as DAY, SIMULATED_STRIPE } from '../../../../scripts/simulator-clients/stripe.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import { Billing } from '../../stripe/billing.ts';

const MINUTE = 60_000;
const MONTHLY = SIMULATED_STRIPE.STRIPE_PRICE_MONTHLY;
const YEARLY = SIMULATED_STRIPE.STRIPE_PRICE_YEARLY;
const SUBSCRIBED = '409 ALREADY_SUBSCRIBED';

/** Concurrency and failures during a checkout: the user is subscribed and pays once. The numbers name known failures. */
describe('a checkout', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, former, stateOf, checkout, customerOf, advance, becomes } = suite;
  const { paidBy, subscriptionsOf, asking, answerTo } = suite;

  const idOf = (url: string) => String(/cs_[A-Za-z0-9_]+/.exec(url));
  const openPages = async (customer: string) => {
    const path = `checkout/sessions?customer=${customer}&status=open`;
    return (await stripe().api<{ data: { id: string }[] }>('GET', path)).data;
  };
  /** Holds the next such request of SmartPause at Stripe. */
  const holdNext = async (method: string, path: string) => {
    const fault = await stripe().fault({ kind: 'hang_before', times: 1, path, method, applyOnRelease: true });
    return () => suite.amid('the request to be held', async () => (await stripe().parked(fault)) === 1);
  };
  const goesOn = () => stripe().ask('DELETE', '/faults');
  test('[API-15] 11, 13: two clicks and a later third one lead to the same page', async () => {
    const who = await newcomer();
    const [one, two] = await Promise.all([checkout(who), checkout(who)]);
    expect(one).toBe(two);
    expect(await checkout(who)).toBe(one);
    expect(await openPages(await customerOf(who))).toHaveLength(1);
  });

  test('many clicks of one user while Stripe is slow delay no other user', async () => {
    const [who, other] = [await newcomer(), await newcomer()];
    const isHeld = await holdNext('POST', 'checkout/sessions$');
    let answers = 0;
    const clicks = [1, 2, 3].map(() => asking(who).finally(() => (answers += 1)));
    await isHeld();
    expect([await asking(other), answers]).toEqual(['200 ok', 0]);
    await goesOn();
    expect(await Promise.all(clicks)).toEqual(['200 ok', '200 ok', '200 ok']);
  });

  test('both plans clicked at once in two tabs, and both pages paid: one is charged', async () => {
    const who = await former();
    const pages = await Promise.all([checkout(who, 'monthly'), checkout(who, 'yearly')]);
    for (const page of pages) await stripe().pay(page);
    await becomes(who, 'active');
    expect(await paidBy(await customerOf(who))).toHaveLength(1);
  });

  test('33: three parallel ones after the customer was deleted at Stripe share one new customer', async () => {
    const who = await subscriber();
    await stripe().dropWebhooks({ times: 0 });
    await stripe().api('DELETE', `customers/${await customerOf(who)}`);
    await goesOn();
    const urls = await Promise.all([checkout(who), checkout(who), checkout(who)]);
    expect(new Set(urls).size).toBe(1);
    await stripe().pay(urls[0]);
    await becomes(who, 'active');
    expect(await paidBy(await customerOf(who))).toEqual([2900]);
  });

  test('is refused to a user with a grant and no Stripe customer, and writes nothing', async () => {
    const who = await newcomer();
    await suite.update(who, { roles: ['developers'] });
    await who.user.post('/api/admin/grant-subscription');
    expect(await asking(who)).toBe(SUBSCRIBED);
    await expect(customerOf(who)).rejects.toThrow('no result');
  });

  test('does not give a page again that expires in less than half an hour', async () => {
    const who = await newcomer();
    const first = await checkout(who);
    await advance(DAY - 31 * MINUTE);
    expect(await checkout(who)).toBe(first);
    await advance(2 * MINUTE);
    expect(await checkout(who)).not.toBe(first);
    expect(await openPages(await customerOf(who))).toHaveLength(1);
  });

  test.each([
    ['its page is being closed', 'POST', 'expire'],
    ['its pages are being listed', 'GET', 'checkout/sessions$'],
  ])('of the other plan is refused when the user pays while %s', async (_title, method, path) => {
    const who = await newcomer();
    const page = await checkout(who);
    const isHeld = await holdNext(method, path);
    const other = asking(who, 'yearly');
    await isHeld();
    await stripe().pay(page);
    await goesOn();
    expect(await other).toBe(SUBSCRIBED);
    expect(await openPages(await customerOf(who))).toEqual([]);
  });

  test('a slow one delays no other request of the user', async () => {
    const who = await newcomer();
    const isHeld = await holdNext('POST', 'checkout/sessions$');
    let isOver = false;
    const slow = asking(who).finally(() => (isOver = true));
    await isHeld();
    // More than the pages have connections, which waiting requests would keep.
    await Promise.all(Array.from({ length: 6 }, () => answerTo(who, '/api/account/deauthorize')));
    expect(isOver).toBe(false);
    await goesOn();
    expect(await slow).toBe('200 ok');
  });

  test('32: a deletion during a checkout leaves no page that can be paid', async () => {
    const who = await former();
    const customer = await customerOf(who);
    const match = { method: 'DELETE', user: who.userId };
    await suite.simulators.graph.fault({ kind: 'html', times: 0, match });
    const isHeld = await holdNext('POST', 'checkout/sessions$');
    const slow = asking(who);
    await isHeld();
    expect(await answerTo(who, '/api/account/delete')).toBe('502 ACCOUNT_DELETE_FAILED');
    await goesOn();
    expect(await slow).toBe('409 ACCOUNT_LEAVING');
    await suite.simulators.graph.ask('DELETE', '/faults');
    expect(await answerTo(who, '/api/account/delete')).toBe('200 ok');
    expect(await openPages(customer)).toEqual([]);
  });

  test('32: a deletion during the first checkout leaves no customer at Stripe', async () => {
    const who = await newcomer();
    const isHeld = await holdNext('POST', 'customers$');
    const slow = asking(who);
    await isHeld();
    expect(await answerTo(who, '/api/account/delete')).toBe('200 ok');
    await goesOn();
    expect(await slow).toBe('409 ACCOUNT_LEAVING');
    const events = (await stripe().events()) as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(['customer.created', 'customer.deleted']);
  });

  test.each(['x@com', ' spaces@example.com '])(
    'starts for a user whose address Stripe rejects: "%s"',
    async (email) => {
      const who = await newcomer();
      await suite.update(who, { email });
      expect(await asking(who)).toBe('200 ok');
    },
  );

  test.each([
    ['customers', 'applied_but_error'],
    ['checkout/sessions', 'applied_but_error'],
    ['customers', 'reset_after'],
  ])('starts after a failure at %s that Stripe keeps for the same key (%s)', async (path, kind) => {
    const who = await newcomer();
    await stripe().fault({ kind, http: 500, times: 2, path: `${path}$`, method: 'POST' });
    expect(await asking(who)).toBe('502 BILLING_UNAVAILABLE');
    await goesOn();
    await suite.update(who, { email: 'another@example.com' });
    expect(await asking(who)).toBe('200 ok');
    expect(await openPages(await customerOf(who))).toHaveLength(1);
  });

  test.each([
    ['an error of its own', { kind: 'error', http: 500 }, 'BILLING_UNAVAILABLE'],
    ['too many calls', { kind: 'error', http: 429 }, 'BILLING_UNAVAILABLE'],
    ['another key', { kind: 'error', http: 401 }, 'BILLING_MISCONFIGURED'],
    ['half an answer', { kind: 'truncated' }, 'BILLING_UNAVAILABLE'],
    ['a cut connection', { kind: 'reset' }, 'BILLING_UNAVAILABLE'],
  ])('[API-15, API-16] 34: %s: each call reports it, with no partial change', async (_title, fault, code) => {
    const who = await subscriber();
    const other = await newcomer();
    await stripe().fault({ ...fault, times: 0 });
    const refusal = `502 ${code}`;
    expect(await asking(other)).toBe(refusal);
    expect(await answerTo(who, '/api/stripe/create-portal-session')).toBe(refusal);
    expect(await answerTo(who, '/api/stripe/refresh-subscription')).toBe(refusal);
    expect((await stateOf(who)).hasActiveSubscription).toBe(true);
    await goesOn();
    await stripe().pay(await checkout(other));
    await becomes(other, 'trialing');
    expect(await subscriptionsOf(other)).toHaveLength(1);
  });

  /** A former user has paid again, and has a second subscription of ours; webhooks of it are lost. */
  async function subscribedTwice() {
    const who = await former();
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    const customer = await customerOf(who);
    await advance(1000);
    await stripe().dropWebhooks({ times: 0 });
    const { id } = await stripe().plantSubscription({ customer, price: YEARLY });
    await stripe().api('POST', `subscriptions/${id}`, { 'metadata[smartpause]': 'subscription' });
    const event = { id: 'evt_1', type: 'invoice.paid', data: { object: { object: 'invoice', customer } } };
    return { who, customer, newer: id, hear: () => suite.deliver(event) };
  }

  test('29: a second subscription is cancelled, its payment credited, and that is recorded once', async () => {
    const { who, customer, hear } = await subscribedTwice();
    const match = { times: 2, path: 'subscriptions/', method: 'DELETE' };
    const ends = await stripe().fault({ kind: 'hang_before', applyOnRelease: true, ...match });
    const deliveries = [hear(), hear()];
    await suite.amid('both ends', async () => (await stripe().parked(ends)) === 2);
    await goesOn();
    expect(await Promise.all(deliveries)).toEqual([200, 200]);
    expect((await stateOf(who)).subscription?.planType).toBe('yearly');
    const { balance } = await stripe().api<{ balance: number }>('GET', `customers/${customer}`);
    expect(balance).toBeLessThan(-2800);
    expect(await suite.runningOf(customer)).toHaveLength(1);
    const recorded = suite.product.app.db.selectFrom('activities').select('id');
    expect(await recorded.where('event', '=', 'extra_subscription').execute()).toHaveLength(1);
  });

  test('29: a late answer about a second subscription that is over ends none', async () => {
    const { who, customer, newer, hear } = await subscribedTwice();
    const late = await stripe().fault({
      kind: 'hang_after',
      times: 1,
      path: 'subscriptions$',
      method: 'GET',
    });
    const first = hear();
    // Without a turn, which would read this customer or another one first.
    await waitFor('the late answer', async () => (await stripe().parked(late)) === 1);
    await stripe().api('DELETE', `subscriptions/${newer}`);
    expect(await hear()).toBe(200);
    await goesOn();
    expect(await first).toBe(200);
    expect(await suite.runningOf(customer)).toHaveLength(1);
    expect(await stateOf(who)).toMatchObject({
      hasActiveSubscription: true,
      subscription: { planType: 'monthly' },
    });
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

  test('[FR-18, FR-39] offers cards alone at one price, and an event about an unpaid one changes nothing', async () => {
    const who = await newcomer();
    const page = idOf(await checkout(who));
    const session = await stripe().api<object>('GET', `checkout/sessions/${page}`);
    expect(session).toMatchObject({
      allowed_payment_method_types: ['card'],
      adaptive_pricing: { enabled: false },
    });
    for (const type of ['completed', 'async_payment_failed']) {
      const object = { ...session, payment_status: 'unpaid' };
      const event = { id: `evt_${type}`, type: `checkout.session.${type}`, data: { object } };
      expect(await suite.deliver(event)).toBe(200);
      expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, subscription: null });
    }
  });

  test('31: what has ended can be ended again, and that is logged as no failure', async () => {
    const who = await subscriber();
    const { STRIPE_API_URL: apiUrl = '', STRIPE_SECRET_KEY: secretKey = '' } = suite.simulators.environment;
    const prices = { monthly: MONTHLY, yearly: YEARLY };
    const config = { secretKey, apiUrl, prices, webhookSecrets: [], portalConfiguration: 'bpc_smartpause' };
    const failures: object[] = [];
    const note = (details: object) => void failures.push(details);
    const billing = new Billing(config, { warn: note, error: note });
    const other = await newcomer();
    const closed = idOf(await checkout(other));
    for (let pass = 0; pass < 2; pass += 1) await billing.expireCheckout(closed);
    const paid = await checkout(other);
    await stripe().pay(paid);
    await billing.expireCheckout(idOf(paid));
    expect(failures).toEqual([]);
    const id = (await subscriptionsOf(who))[0]?.id ?? '';
    for (let pass = 0; pass < 2; pass += 1) await billing.cancelSubscription(id, { isCredited: false });
    const customer = await customerOf(who);
    for (let pass = 0; pass < 2; pass += 1) await billing.deleteCustomer(customer);
    await expect(billing.deleteCustomer('cus_of_another_account')).rejects.toThrow('on our side');
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

  test('[SUB-01] block checkouts, and are logged before the first customer', async () => {
    await suite.product.app.runTask('checking prices');
    expect(log.join('')).toContain('costs 27800 cents in usd, not 2900 in usd');
    expect(await suite.asking(await suite.newcomer())).toBe('502 BILLING_MISCONFIGURED');
    const calls = await suite.stripe().calls();
    expect(calls.filter(({ name }) => name === 'POST /v1/checkout/sessions')).toEqual([]);
  });
});
