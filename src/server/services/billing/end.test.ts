import { describe, expect, test } from 'vitest';
import { DAY_MS as DAY } from '../../../../scripts/simulator-clients/stripe.ts';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';
import type { Customer } from '../../../../test/support/billing-suite.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import { advanceTo } from '../../../../test/support/due.ts';

const HOUR = 3_600_000;

/** How a customer's subscription ends, and what must not be lost or charged then. The numbers name known failures. */
describe('the end of a customer', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, former, stateOf, checkout, customerOf, advance, becomes } = suite;
  const { paidBy, answerTo, runningOf } = suite;

  const deletion = (who: Customer) => answerTo(who, '/api/account/delete');
  const openPortal = (who: Customer) => answerTo(who, '/api/stripe/create-portal-session');
  const isGone = (who: Customer) =>
    suite.until('them to be gone', async () => {
      const row = await suite.rowOf(who);
      if (row === undefined) return true;
      await advanceTo(suite, row.leavingRetryAt ?? 0);
      await suite.product.app.runTask('leaving');
      return false;
    });
  const cancelled = async () => {
    const who = await subscriber();
    await (await suite.portal(who)).cancel();
    await becomes(who, 'canceled');
    return who;
  };
  test('33: deleted at Stripe, they have no access, and the next checkout creates a new one', async () => {
    const who = await subscriber();
    const customer = await customerOf(who);
    await stripe().api('DELETE', `customers/${customer}`);
    await becomes(who, 'canceled');
    expect(await openPortal(who)).toBe('409 NO_BILLING');
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
    expect(await customerOf(who)).not.toBe(customer);
  });

  test('33: deleted at Stripe while past due, and the webhook is lost: the portal finds it', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await advance(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await stripe().dropWebhooks({ times: 0 });
    await stripe().api('DELETE', `customers/${await customerOf(who)}`);
    expect(await openPortal(who)).toBe('409 NO_BILLING');
    expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, hasPortal: false });
    await stripe().ask('DELETE', '/faults');
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
  });

  test('[SET-11] 32: while Stripe is unavailable no account can be deleted, and nothing is lost', async () => {
    const who = await cancelled();
    await stripe().fault({ kind: 'error', http: 503, times: 0 });
    expect(await deletion(who)).toBe('502 BILLING_UNAVAILABLE');
    expect((await who.user.call('GET', '/api/me')).status).toBe(200);
    expect((await stateOf(who)).hasActiveSubscription).toBe(true);
  });

  test('[SET-11] 32: a deletion that Stripe refuses waits and finishes later', async () => {
    const who = await cancelled();
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
    const statuses = (await stripe().deliveries()).flatMap(({ attempts }) => attempts);
    expect(statuses.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test.each([
    ['past_due', 0],
    ['unpaid', 8 * DAY],
  ])('32: deleting with a subscription that is %s ends it', async (status, laterMs) => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    const customer = await customerOf(who);
    await advance(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await advance(laterMs);
    await becomes(who, status);
    expect(await deletion(who)).toBe('200 ok');
    expect(await runningOf(customer)).toEqual([]);
  });

  test.each([
    ['alone', newcomer],
    ['beside a canceled subscription', cancelled],
  ])('[SET-11] an admin grant %s blocks the deletion until it is cleared', async (_title, begin) => {
    const who = await begin();
    await suite.update(who, { roles: ['developers'] });
    await who.user.post('/api/admin/grant-subscription');
    expect((await stateOf(who)).subscription?.planType).toBe('yearly');
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await who.user.post('/api/admin/clear-stripe-data');
    expect(await deletion(who)).toBe('200 ok');
  });

  test('32: no payment is possible while a deletion is running', async () => {
    const who = await former();
    const page = await checkout(who, 'yearly');
    const customer = await customerOf(who);
    const match = { method: 'DELETE', user: who.userId };
    await suite.simulators.graph.fault({ kind: 'html', times: 0, match });
    expect(await deletion(who)).toBe('502 ACCOUNT_DELETE_FAILED');
    // A user who logs in again keeps the account.
    expect(await stripe().api('GET', `customers/${customer}`)).not.toHaveProperty('deleted');
    expect(await suite.asking(who)).toBe('409 ACCOUNT_LEAVING');
    await stripe().pay(page);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await isGone(who);
    expect(await paidBy(customer)).toEqual([]);
  });

  test('32: a payment just before the deletion refuses it', async () => {
    const who = await former();
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

  test('[ADMIN-04] a page from before the clearing cannot be paid during it', async () => {
    const who = await former();
    await suite.update(who, { roles: ['developers'] });
    const page = await checkout(who);
    const customer = await customerOf(who);
    const match = { times: 1, path: 'customers/', method: 'DELETE' };
    const fault = await stripe().fault({ kind: 'hang_before', applyOnRelease: true, ...match });
    const clearing = answerTo(who, '/api/admin/clear-stripe-data');
    await suite.amid('the deletion', async () => (await stripe().parked(fault)) === 1);
    await stripe().pay(page);
    await stripe().ask('DELETE', '/faults');
    expect(await clearing).toBe('200 ok');
    expect(await paidBy(customer)).toEqual([]);
  });

  test('[ADMIN-04] a page that is opened during the clearing can be paid', async () => {
    const who = await subscriber();
    await suite.update(who, { roles: ['developers'] });
    const match = { times: 1, path: 'customers/', method: 'DELETE' };
    const fault = await stripe().fault({ kind: 'hang_after', ...match });
    const clearing = answerTo(who, '/api/admin/clear-stripe-data');
    await suite.amid('the deleted customer', async () => (await stripe().parked(fault)) === 1);
    const page = await checkout(who);
    await stripe().ask('DELETE', '/faults');
    expect(await clearing).toBe('200 ok');
    await stripe().pay(page);
    await becomes(who, 'active');
  });

  test('[ADMIN-04] clearing during many webhooks: no call fails, and no subscription returns', async () => {
    const who = await subscriber();
    await suite.update(who, { roles: ['developers'] });
    const object = { object: 'invoice', customer: await customerOf(who) };
    const event = { id: 'evt_1', type: 'invoice.paid', data: { object } };
    const deliveries = Array.from({ length: 12 }, () => suite.deliver(event));
    const statuses = await Promise.all([
      ...deliveries,
      answerTo(who, '/api/admin/clear-stripe-data'),
      answerTo(who, '/api/stripe/refresh-subscription'),
    ]);
    expect(new Set(statuses)).toEqual(new Set([200, '200 ok']));
    await stripe().settleWebhooks();
    expect((await stateOf(who)).subscription).toBeNull();
  });

  test('a key of another Stripe account by mistake changes no subscription', async () => {
    const who = await subscriber('yearly');
    const before = await stateOf(who);
    await stripe().reset();
    await advance(2 * DAY);
    await suite.readDue();
    const calls = await stripe().calls();
    expect(calls.some(({ name, status }) => name === 'GET /v1/customers/:id' && status === 404)).toBe(true);
    expect(await stateOf(who)).toEqual(before);
    expect(await openPortal(who)).toBe('502 BILLING_MISCONFIGURED');
  });
});
