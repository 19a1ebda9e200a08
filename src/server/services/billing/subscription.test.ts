import { describe, expect, test } from 'vitest';
import type { SubscriptionState } from '#contract/shapes.ts';
import { DAY_MS as DAY, SIMULATED_STRIPE } from '../../../../scripts/simulator-clients/stripe.ts';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';
import type { Customer } from '../../../../test/support/billing-suite.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import { allMailTo } from '../../../../test/support/mail.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEARLY = SIMULATED_STRIPE.STRIPE_PRICE_YEARLY;
/** A trial is over and its first payment has been tried. */
const TRIAL = 30 * DAY + 2 * HOUR;

/** The life of a subscription. The numbers name known failure cases of Stripe integrations. */
describe('a subscription', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, former, stateOf, checkout, portal, customerOf, advance, becomes } =
    suite;
  const { asking, answerTo, subscriptionsOf, paidBy } = suite;

  const refresh = (who: Customer) => who.user.post<SubscriptionState>('/api/stripe/refresh-subscription');

  test('[API-14, SUB-03] does not come with a login, and the first one has a trial', async () => {
    const who = await newcomer();
    const none = {
      hasActiveSubscription: false,
      subscription: null,
      isTrialAvailable: true,
      hasPortal: false,
    };
    expect(await stateOf(who)).toEqual(none);
    expect(await answerTo(who, '/api/stripe/create-portal-session')).toBe('409 NO_BILLING');
  });

  test.each([
    ['monthly', 2900],
    ['yearly', 27_800],
  ] as const)(
    '[API-15, SUB-01] 1, 14: is there when a user returns who paid the %s plan',
    async (plan, cents) => {
      await stripe().holdWebhooks();
      const who = await newcomer();
      const page = await stripe().pay(await checkout(who, plan));
      expect(page.location).toMatch(new RegExp(`^${suite.product.url}/billing/success\\?session_id=cs_`));
      const state = await refresh(who);
      expect(state).toMatchObject({ hasActiveSubscription: true, isTrialAvailable: false, hasPortal: true });
      expect(state.subscription).toMatchObject({ status: 'trialing', planType: plan, canceledAt: null });
      const trialMs = Date.parse(state.subscription?.trialEnd ?? '') - suite.product.clock.now();
      expect(Math.round(trialMs / HOUR)).toBe(30 * 24);
      await stripe().releaseWebhooks();
      await advance(TRIAL);
      await becomes(who, 'active');
      expect(await paidBy(await customerOf(who))).toEqual([cents]);
    },
  );

  test('[PRICE-04, API-15] 12: admits no second one, also after a cancellation until its end', async () => {
    const who = await subscriber();
    expect(await asking(who)).toBe('409 ALREADY_SUBSCRIBED');
    await (await portal(who)).cancel();
    await becomes(who, 'canceled');
    expect(await asking(who)).toBe('409 ALREADY_SUBSCRIBED');
  });

  test('[SUB-01] 18: has a trial once per user: not after cancelling, not after deleting and returning', async () => {
    const who = await former();
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

  test('[FR-17, SET-08] 21, 23: cancelled and kept again within a second, it does not end', async () => {
    const who = await subscriber();
    await (await portal(who)).cancel();
    const state = await becomes(who, 'canceled');
    expect(state.hasActiveSubscription).toBe(true);
    expect(state.subscription?.currentPeriodEnd).toBe(state.subscription?.trialEnd);
    await (await portal(who)).renew();
    expect((await becomes(who, 'trialing')).subscription?.canceledAt).toBeNull();
    const page = await portal(who);
    await stripe().holdWebhooks();
    await page.cancel();
    await page.renew();
    await stripe().releaseWebhooks('newest_first');
    expect((await stateOf(who)).subscription).toMatchObject({ status: 'trialing', canceledAt: null });
    await advance(TRIAL);
    expect(await becomes(who, 'active')).toMatchObject({ hasActiveSubscription: true });
  });

  test('22: switched in the trial, it continues the trial and charges nothing', async () => {
    const who = await subscriber();
    const before = (await stateOf(who)).subscription?.trialEnd;
    await (await portal(who)).switchTo(YEARLY);
    const { subscription } = await refresh(who);
    expect(subscription).toMatchObject({ status: 'trialing', planType: 'yearly', trialEnd: before });
    expect(await paidBy(await customerOf(who))).toEqual([]);
  });

  test('[SET-08] 26: with a card that fails, it is past due, unpaid, and active again with another one', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await advance(TRIAL);
    expect((await becomes(who, 'past_due')).hasActiveSubscription).toBe(false);
    expect(await asking(who)).toBe('409 PAYMENT_DUE');
    await advance(8 * DAY);
    expect((await becomes(who, 'unpaid')).hasActiveSubscription).toBe(false);
    expect(await asking(who)).toBe('409 PAYMENT_DUE');
    const page = await portal(who);
    await page.changeCard('good');
    expect((await becomes(who, 'active')).hasActiveSubscription).toBe(true);
    // Stripe sends the emails about billing.
    expect(await allMailTo(suite, who.email)).toEqual([]);
  });

  test('[PRICE-04] 26: past due and cancelled, it must be paid until it ends, and then a new one can begin', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await advance(TRIAL);
    await becomes(who, 'past_due');
    await (await portal(who)).cancel();
    const { subscription } = await refresh(who);
    expect(subscription).toMatchObject({ status: 'past_due', canceledAt: expect.any(String) as string });
    expect(await asking(who)).toBe('409 PAYMENT_DUE');
    await advance(31 * DAY);
    expect((await becomes(who, 'canceled')).hasActiveSubscription).toBe(false);
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    expect(await paidBy(await customerOf(who))).toEqual([2900]);
  });

  test('[SET-08] whose collection is paused gives no access until it goes on', async () => {
    const who = await subscriber();
    const id = (await subscriptionsOf(who))[0]?.id ?? '';
    await stripe().api('POST', `subscriptions/${id}`, { 'pause_collection[behavior]': 'void' });
    const state = await becomes(who, 'unknown');
    expect(state).toMatchObject({
      hasActiveSubscription: false,
      hasPortal: true,
      subscription: { isPaused: true },
    });
    expect(await asking(who)).toBe('409 ALREADY_SUBSCRIBED');
    await stripe().api('POST', `subscriptions/${id}`, { pause_collection: '' });
    expect(await becomes(who, 'trialing')).toMatchObject({ subscription: { isPaused: false } });
  });

  test('[ADMIN-04] as a grant is local, gives access beside any other, and clearing ends all of them', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await suite.update(who, { roles: ['developers'] });
    await advance(TRIAL);
    await becomes(who, 'past_due');
    await who.user.post('/api/admin/grant-subscription');
    expect(await stateOf(who)).toMatchObject({
      hasActiveSubscription: true,
      subscription: { status: 'active', planType: 'yearly' },
    });
    await who.user.post('/api/admin/clear-stripe-data');
    expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, subscription: null });
  });

  const ACTIVE = ['ACTIVE'] as const;
  const PAUSED = ['PAUSED'] as const;
  const outage = () => suite.report('High disruptions', 'HIGH_DISRUPTION');
  const recovery = () => suite.report('Resolved', 'UP');

  /** An advertiser whose trial has ended with a payment that waits for the user's confirmation. */
  async function unconfirmed(isHeld: boolean) {
    const who = await suite.advertiser({ campaigns: [...ACTIVE], renews: true });
    await (await portal(who)).changeCard('needs_confirmation');
    if (isHeld) {
      await outage();
      await suite.become(who, PAUSED);
    }
    await advance(30 * DAY + MINUTE);
    expect(await becomes(who, 'active')).toMatchObject({ hasActiveSubscription: true });
    await advance(HOUR);
    const { hasActiveSubscription, subscription } = await becomes(who, 'past_due');
    expect(hasActiveSubscription).toBe(false);
    return { who, invoice: subscription?.openInvoiceUrl ?? '' };
  }

  test('[FR-16] whose payment needs a confirmation protects again as soon as it is confirmed', async () => {
    const { who, invoice } = await unconfirmed(false);
    await outage();
    await suite.turn();
    await suite.become(who, ACTIVE);
    await stripe().confirm(invoice);
    expect((await becomes(who, 'active')).subscription?.openInvoiceUrl).toBeNull();
    await suite.become(who, PAUSED);
    await recovery();
    await suite.become(who, ACTIVE);
  });

  test('[FR-16] that ends unconfirmed lets held campaigns resume, and pauses none again', async () => {
    const { who } = await unconfirmed(true);
    const [subscription] = await subscriptionsOf(who);
    await stripe().api('DELETE', `subscriptions/${subscription?.id ?? ''}`);
    await becomes(who, 'canceled');
    await suite.become(who, PAUSED);
    await recovery();
    await suite.become(who, ACTIVE);
    await outage();
    await suite.turn();
    await suite.become(who, ACTIVE);
    await recovery();
  });

  test('[FR-20] whose renewal Stripe reports late protects for three hours', async () => {
    const who = await suite.advertiser({ campaigns: [...ACTIVE], renews: true });
    const end = Date.parse((await stateOf(who)).subscription?.currentPeriodEnd ?? '');
    await stripe().fault({ kind: 'error', http: 503, times: 0, path: 'subscriptions' });
    await advance(end - suite.product.clock.now() + 3 * HOUR - MINUTE);
    await outage();
    await suite.become(who, PAUSED);
    await recovery();
    await suite.become(who, ACTIVE);
    await advance(2 * MINUTE);
    await outage();
    await suite.turn();
    await suite.become(who, ACTIVE);
    await recovery();
  });
});
