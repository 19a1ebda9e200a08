import { describe, expect, test } from 'vitest';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import type { Customer, Refused, State } from '../../../../test/support/billing-suite.ts';
import { allMailTo } from '../../../../test/support/mail.ts';
import { signIn } from '../../../../scripts/outside/user.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The numbers name known failure cases of Stripe integrations. */
describe('checkout and subscription lifecycle', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, stateOf, checkout, portal, customerOf, advance, becomes } = suite;
  const { apiErrorOf, subscriptionsOf, paidBy } = suite;

  const again = (who: Customer) => apiErrorOf(who, 'create-checkout-session', { planType: 'monthly' });

  test('[API-14, SUB-03] a login creates no subscription, and the first subscription has a trial', async () => {
    const who = await newcomer();
    const none: State = {
      hasActiveSubscription: false,
      subscription: null,
      isTrialAvailable: true,
      hasPortal: false,
    };
    expect(await stateOf(who)).toEqual(none);
    expect(await apiErrorOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
  });

  test.each([
    ['monthly', 2900],
    ['yearly', 27_800],
  ])(
    '[API-15, SUB-01] 1, 14: paid for the %s plan, it is active when the user returns',
    async (plan, amount) => {
      await stripe().holdWebhooks();
      const who = await newcomer();
      const page = await stripe().pay(await checkout(who, plan));
      expect(page.location).toMatch(new RegExp(`^${suite.product.url}/billing/success\\?session_id=cs_`));
      const state = await who.user.post<State>('/api/stripe/refresh-subscription');
      expect(state).toMatchObject({ hasActiveSubscription: true, isTrialAvailable: false, hasPortal: true });
      expect(state.subscription).toMatchObject({ status: 'trialing', planType: plan, canceledAt: null });
      const days = (Date.parse(state.subscription?.trialEnd ?? '') - suite.product.clock.now()) / DAY;
      expect(days).toBeGreaterThan(29.9);
      expect(days).toBeLessThanOrEqual(30);
      await stripe().releaseWebhooks();
      await advance(30 * DAY + 2 * HOUR);
      await becomes(who, 'active');
      const invoices = (await stripe().events()).filter(({ type }) => type === 'invoice.paid');
      expect(JSON.stringify(invoices.at(-1))).toContain(`"amount_paid":${amount}`);
    },
  );

  test('[API-15] 11, 13: a double click and a later second click lead to the same page', async () => {
    const who = await newcomer();
    const [one, two] = await Promise.all([checkout(who), checkout(who)]);
    expect(one).toBe(two);
    expect(await checkout(who)).toBe(one);
    const yearly = await checkout(who, 'yearly');
    expect(yearly).not.toBe(one);
    // The other plan's page is closed, so that the user cannot pay for both.
    await stripe().pay(one);
    await stripe().pay(yearly);
    expect((await becomes(who, 'trialing')).subscription?.planType).toBe('yearly');
  });

  test('[PRICE-04, API-15] 12: a subscribed user cannot subscribe again, even after a cancellation until its end', async () => {
    const who = await subscriber();
    expect(await again(who)).toBe('409 ALREADY_SUBSCRIBED');
    await (await portal(who)).cancel();
    await becomes(who, 'canceled');
    expect(await again(who)).toBe('409 ALREADY_SUBSCRIBED');
  });

  test('[SUB-01] 18: one trial per user: not after cancelling, not after deleting and returning', async () => {
    const who = await subscriber();
    await (await portal(who)).cancel();
    await advance(31 * DAY);
    await becomes(who, 'canceled');
    expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, isTrialAvailable: false });
    await stripe().pay(await checkout(who, 'yearly'));
    expect((await becomes(who, 'active')).subscription?.trialEnd).toBeNull();
    await (await portal(who)).cancel();
    await becomes(who, 'canceled');
    await who.user.post('/api/account/delete');
    who.user = await signIn(suite.product.url, who.userId);
    expect(await stateOf(who)).toMatchObject({ subscription: null, isTrialAvailable: false });
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
  });

  test('[SET-08] 21, 23: a cancellation in the portal runs to its end and can be renewed', async () => {
    const who = await subscriber();
    for (let pass = 0; pass < 2; pass += 1) {
      await (await portal(who)).cancel();
      const state = await becomes(who, 'canceled');
      expect(state.hasActiveSubscription).toBe(true);
      expect(state.subscription?.currentPeriodEnd).toBe(state.subscription?.trialEnd);
      expect(state.subscription?.canceledAt).not.toBeNull();
      await (await portal(who)).renew();
      expect((await becomes(who, 'trialing')).subscription?.canceledAt).toBeNull();
    }
  });

  test('22: a plan switch in the trial continues the trial and charges nothing', async () => {
    const who = await subscriber();
    const before = (await stateOf(who)).subscription?.trialEnd;
    await (await portal(who)).switchTo('price_smartpause_yearly');
    const state = await suite.until('the plan to be switched', async () => {
      const found = await stateOf(who);
      return found.subscription?.planType === 'yearly' ? found : null;
    });
    expect(state.subscription).toMatchObject({ status: 'trialing', trialEnd: before });
    expect(await paidBy(await customerOf(who))).toEqual([]);
    // 18: the trial of the other plan counts as used.
    expect(state.isTrialAvailable).toBe(false);
  });

  test('[SET-08] 26: a card that fails: past due, unpaid, and active again with another one', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await advance(30 * DAY + 2 * HOUR);
    expect((await becomes(who, 'past_due')).hasActiveSubscription).toBe(false);
    expect(await again(who)).toBe('409 PAYMENT_DUE');
    await advance(8 * DAY);
    expect((await becomes(who, 'unpaid')).hasActiveSubscription).toBe(false);
    expect(await again(who)).toBe('409 PAYMENT_DUE');
    const page = await portal(who);
    await page.changeCard('good');
    await page.payOpen();
    expect((await becomes(who, 'active')).hasActiveSubscription).toBe(true);
    // Stripe sends the emails about billing.
    expect(await allMailTo(suite, who.email)).toEqual([]);
  });

  test('20: ended at once in the trial, it gives no access', async () => {
    const who = await subscriber();
    const [one] = await subscriptionsOf(who);
    await stripe().api('DELETE', `subscriptions/${one?.id ?? ''}`);
    expect(await becomes(who, 'canceled')).toMatchObject({ hasActiveSubscription: false });
  });

  test.each([
    ['incomplete', null, false],
    ['incomplete_expired', 'canceled', false],
    ['paused', 'unknown', false],
    ['resting_in_the_future', 'unknown', false],
  ])('[SUB-03, SET-08] 28: %s at Stripe is shown as %s', async (status, shown, isActive) => {
    const who = await subscriber();
    const [one] = await subscriptionsOf(who);
    await stripe().setStatus(one?.id ?? '', status);
    const state = await who.user.post<State>('/api/stripe/refresh-subscription');
    expect(state.subscription?.status ?? null).toBe(shown);
    expect(state.hasActiveSubscription).toBe(isActive);
  });

  test('[PRICE-04] 28: no checkout starts beside a subscription whose status is unknown', async () => {
    const who = await subscriber();
    const [one] = await subscriptionsOf(who);
    await stripe().setStatus(one?.id ?? '', 'paused');
    expect(await again(who)).toBe('409 ALREADY_SUBSCRIBED');
    expect(await subscriptionsOf(who)).toHaveLength(1);
  });

  test('[SET-11] 32: while Stripe is unavailable no account can be deleted, and nothing is lost', async () => {
    const who = await subscriber();
    await (await portal(who)).cancel();
    await becomes(who, 'canceled');
    await stripe().fault({ kind: 'error', http: 503, times: 0 });
    const refused = await who.user.call<Refused>('POST', '/api/account/delete');
    expect([refused.status, refused.body.error.code]).toEqual([502, 'BILLING_UNAVAILABLE']);
    expect((await who.user.call('GET', '/api/me')).status).toBe(200);
    expect((await stateOf(who)).hasActiveSubscription).toBe(true);
  });

  test('33: a customer who was deleted at Stripe has no access, and the next checkout creates a new one', async () => {
    const who = await subscriber();
    const customer = await customerOf(who);
    await stripe().api('DELETE', `customers/${customer}`);
    await becomes(who, 'canceled');
    expect(await apiErrorOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    expect(await customerOf(who)).not.toBe(customer);
  });

  test('[ADMIN-04] the grant is local, gives access beside any other subscription, and clearing ends all of them', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await suite.appoint(who);
    await advance(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await who.user.post('/api/admin/grant-subscription');
    expect(await stateOf(who)).toMatchObject({
      hasActiveSubscription: true,
      subscription: { status: 'active', planType: 'yearly' },
    });
    await who.user.post('/api/admin/clear-stripe-data');
    expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, subscription: null });
  });
});
