import { describe, expect, test } from 'vitest';
import { signIn } from '../../../../scripts/outside/user.ts';
import { DAY_MS as DAY } from '../../../../scripts/outside/stripe.ts';
import type { Customer, Refused } from '../../../../test/support/billing-suite.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import { advanceTo } from '../../../../test/support/due.ts';

const HOUR = 3_600_000;

/** How a customer's subscription ends, and what must not be lost or charged then. */
describe('the end of a customer', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, former, stateOf, checkout, customerOf, advance, becomes } = suite;
  const { appoint, paidBy, apiErrorOf } = suite;

  const isGone = (who: Customer) =>
    suite.until('them to be gone', async () => {
      const row = await suite.rowOf(who);
      if (row === undefined) return true;
      await advanceTo(suite, row.leavingRetryAt ?? 0);
      await suite.product.app.runTask('leaving');
      return false;
    });
  const deletion = async (who: Customer) => {
    const answer = await who.user.call<Partial<Refused>>('POST', '/api/account/delete');
    return `${answer.status} ${answer.body.error?.code ?? 'ok'}`;
  };
  const runningOf = async (customer: string) => {
    const path = `subscriptions?customer=${customer}&status=all`;
    const { data } = await stripe().api<{ data: { status: string }[] }>('GET', path);
    return data.filter(({ status }) => status !== 'canceled');
  };
  async function lostAtStripe(who: Customer): Promise<void> {
    await stripe().dropWebhooks({ times: 0 });
    await stripe().api('DELETE', `customers/${await customerOf(who)}`);
    await stripe().settleWebhooks();
  }
  const cancelled = async (who: Customer) => {
    await (await suite.portal(who)).cancel();
    await becomes(who, 'canceled');
    return who;
  };

  test.each(['trialing', 'past_due'])(
    '33: the portal is opened first after a customer (%s) was deleted at Stripe: no access, and a new checkout works',
    async (status) => {
      const who = await subscriber('monthly', 'fails_at_renewal');
      if (status === 'past_due') await advance(30 * DAY + 2 * HOUR);
      await becomes(who, status);
      await lostAtStripe(who);
      expect(await apiErrorOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
      await stripe().ask('DELETE', '/faults');
      expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, hasPortal: false });
      await stripe().pay(await checkout(who));
      await becomes(who, 'active');
    },
  );

  test('[SET-11] 32: Stripe cannot delete the customer: the deletion waits and finishes later', async () => {
    const who = await cancelled(await subscriber());
    const customer = await customerOf(who);
    await stripe().fault({ kind: 'error', http: 503, times: 0, path: 'customers/', method: 'DELETE' });
    expect(await deletion(who)).toBe('502 ACCOUNT_DELETE_FAILED');
    expect(await runningOf(customer)).toHaveLength(1);
    await stripe().ask('DELETE', '/faults');
    await isGone(who);
    expect(await runningOf(customer)).toEqual([]);
    expect(await stripe().api('GET', `customers/${customer}`)).toMatchObject({ deleted: true });
    // Late events about a deleted user.
    await stripe().settleWebhooks();
    const refused = (await stripe().deliveries()).filter(({ attempts }) =>
      attempts.some(({ status }) => status !== 200),
    );
    expect(refused).toEqual([]);
  });

  test.each(['past_due', 'unpaid'])('32: deleting with a subscription that is %s ends it', async (status) => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    const customer = await customerOf(who);
    await advance(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    if (status === 'unpaid') await advance(8 * DAY);
    await becomes(who, status);
    expect(await deletion(who)).toBe('200 ok');
    expect(await runningOf(customer)).toEqual([]);
  });

  test.each([
    ['alone', newcomer],
    ['beside a canceled subscription', async () => cancelled(await subscriber())],
  ])('[SET-11] an admin grant %s blocks the deletion until it is cleared', async (_title, begin) => {
    const who = await begin();
    await appoint(who);
    await who.user.post('/api/admin/grant-subscription');
    expect((await stateOf(who)).subscription?.planType).toBe('yearly');
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await who.user.post('/api/admin/clear-stripe-data');
    expect(await deletion(who)).toBe('200 ok');
  });

  test('32: no payment is possible while a deletion is running', async () => {
    const who = await former();
    who.user = await signIn(suite.product.url, who.userId);
    const page = await checkout(who, 'yearly');
    const customer = await customerOf(who);
    await suite.simulators.graph.fault({
      kind: 'html',
      times: 0,
      match: { method: 'DELETE', user: who.userId },
    });
    expect(await deletion(who)).toBe('502 ACCOUNT_DELETE_FAILED');
    // A user who logs in again keeps the account.
    expect(await stripe().api('GET', `customers/${customer}`)).not.toHaveProperty('deleted');
    await stripe().pay(page);
    who.user.token = '';
    await suite.simulators.graph.ask('DELETE', '/faults');
    await isGone(who);
    expect(await paidBy(customer)).toEqual([]);
  });

  test('32: the deletion does not begin while an open page cannot be closed', async () => {
    const who = await former();
    who.user = await signIn(suite.product.url, who.userId);
    await checkout(who, 'yearly');
    await stripe().fault({ kind: 'error', http: 429, times: 0, path: 'expire' });
    expect(await deletion(who)).toBe('502 BILLING_UNAVAILABLE');
    await stripe().ask('DELETE', '/faults');
    expect(await deletion(who)).toBe('200 ok');
  });

  test('32: a renewing subscription blocks the deletion even if its next period is reported late', async () => {
    const who = await former();
    who.user = await signIn(suite.product.url, who.userId);
    await stripe().pay(await checkout(who));
    const end = Date.parse((await becomes(who, 'active')).subscription?.currentPeriodEnd ?? '');
    await stripe().settleWebhooks();
    suite.product.clock.advance(end - suite.product.clock.now() + 60_000);
    await stateOf(who);
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await advance(0);
  });

  test('32: a payment just before the deletion refuses it', async () => {
    const who = await former();
    who.user = await signIn(suite.product.url, who.userId);
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who, 'yearly'));
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await stripe().releaseWebhooks();
    await becomes(who, 'active');
  });

  test('[SUB-01] 18: a deletion on Meta before the first webhook still uses the trial', async () => {
    await advance(0);
    const who = await newcomer();
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who));
    const url = `${suite.product.url}/auth/facebook/data-deletion`;
    await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + 2000 });
    await suite.simulators.graph.post('/callbacks', { userId: who.userId, url, removeApp: true });
    await isGone(who);
    await stripe().releaseWebhooks();
    await advance(0);
    who.user = await signIn(suite.product.url, who.userId);
    expect((await stateOf(who)).isTrialAvailable).toBe(false);
  });

  test('[ADMIN-04] 18: clearing before the first webhook still uses the trial', async () => {
    const who = await newcomer();
    await appoint(who);
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who));
    await who.user.post('/api/admin/clear-stripe-data');
    await stripe().releaseWebhooks();
    expect(await stateOf(who)).toMatchObject({ subscription: null, isTrialAvailable: false });
  });

  test('[ADMIN-04] clearing during many webhooks: no call fails, and no subscription returns', async () => {
    for (let pass = 0; pass < 4; pass += 1) {
      const who = await subscriber();
      await appoint(who);
      const object = { object: 'invoice', customer: await customerOf(who) };
      const deliveries = Array.from({ length: 12 }, (_, index) =>
        suite.deliver(
          { id: `evt_${who.userId}_${index % 4}`, type: 'invoice.paid', data: { object } },
          { atMs: suite.product.clock.now() - index * 1000 },
        ),
      );
      const statuses = await Promise.all([
        ...deliveries,
        who.user.call('POST', '/api/admin/clear-stripe-data').then(({ status }) => status),
        who.user.call('POST', '/api/stripe/refresh-subscription').then(({ status }) => status),
      ]);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      await stripe().settleWebhooks();
      expect((await stateOf(who)).subscription).toBeNull();
    }
  });

  test('a key of another Stripe account by mistake changes no subscription', async () => {
    const who = await subscriber('yearly');
    const before = await stateOf(who);
    await stripe().reset();
    await advance(2 * DAY);
    await suite.until('a read from Stripe to fail', async () => {
      await suite.readDue();
      const calls = await stripe().calls();
      return calls.some(({ name, status }) => name === 'GET /v1/customers/:id' && status === 404) || null;
    });
    expect(await stateOf(who)).toEqual(before);
    expect(await apiErrorOf(who, 'create-portal-session', {})).toBe('502 BILLING_MISCONFIGURED');
  });
});
