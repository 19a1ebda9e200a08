import { describe, expect, test } from 'vitest';
import { signIn } from '../../../../scripts/outside/person.ts';
import { DAY_MS as DAY, SIMULATED_STRIPE } from '../../../../scripts/outside/stripe.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import type { Customer, Refused, State } from '../../../../test/support/billing-suite.ts';
import { billingSuite } from '../../../../test/support/billing-suite.ts';
import { allMailTo } from '../../../../test/support/mail.ts';
import Stripe from 'stripe';

const HOUR = 3_600_000;

/** How what somebody has at Stripe ends, and what must not be lost or charged meanwhile. */
describe('the end of a customer', () => {
  const suite = billingSuite();
  const { stripe, newcomer, subscriber, former, stateOf, checkout, customerOf, later, becomes } = suite;
  const { appoint, atStripe, paidBy, refusalOf } = suite;

  const isGone = (who: Customer) =>
    waitFor('them to be gone', async () => {
      suite.product.clock.advance(5000);
      const row = await suite.product.app.db
        .selectFrom('person')
        .select('id')
        .where('platform_user_id', '=', who.userId)
        .executeTakeFirst();
      return row === undefined;
    });
  const deletion = async (who: Customer) => {
    const answer = await who.person.call<Partial<Refused>>('POST', '/api/account/delete');
    return `${answer.status} ${answer.body.error?.code ?? 'ok'}`;
  };
  const runningOf = async (customer: string) => {
    const path = `subscriptions?customer=${customer}&status=all`;
    const { data } = await atStripe<{ data: { status: string }[] }>('GET', path);
    return data.filter(({ status }) => status !== 'canceled');
  };
  async function lostAtStripe(who: Customer): Promise<void> {
    await stripe().dropWebhooks({ times: 0 });
    await atStripe('DELETE', `customers/${await customerOf(who)}`);
    await stripe().settleWebhooks();
  }
  const cancelled = async (who: Customer) => {
    await (await suite.portal(who)).cancel();
    await becomes(who, 'canceled');
    return who;
  };

  test.each(['monthly', 'yearly'])(
    '33: the portal is opened first after a customer was deleted at Stripe (%s): no access, and a way on',
    async (plan) => {
      const who = await subscriber(plan);
      await lostAtStripe(who);
      expect(await refusalOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
      await stripe().ask('DELETE', '/faults');
      expect(await stateOf(who)).toMatchObject({ hasActiveSubscription: false, hasPortal: false });
      await stripe().pay(await checkout(who));
      await becomes(who, 'active');
    },
  );

  test('33: past due with a customer who was deleted at Stripe: nothing is due any more', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await later(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await lostAtStripe(who);
    expect(await refusalOf(who, 'create-portal-session', {})).toBe('409 NO_BILLING');
    await stripe().ask('DELETE', '/faults');
    await stripe().pay(await checkout(who));
    await becomes(who, 'active');
  });

  test('[SET-11] 32: Stripe cannot delete the customer: the deletion waits, and is finished later', async () => {
    const who = await cancelled(await subscriber());
    const customer = await customerOf(who);
    await stripe().fault({ kind: 'error', http: 503, times: 0, path: 'customers/', method: 'DELETE' });
    expect(await deletion(who)).toBe('502 ACCOUNT_DELETE_FAILED');
    expect(await runningOf(customer)).toHaveLength(1);
    await stripe().ask('DELETE', '/faults');
    await isGone(who);
    expect(await runningOf(customer)).toEqual([]);
    expect(await atStripe('GET', `customers/${customer}`)).toMatchObject({ deleted: true });
    // Late news of somebody who is gone.
    await stripe().settleWebhooks();
    const refused = (await stripe().deliveries()).filter(({ attempts }) =>
      attempts.some(({ status }) => status !== 200),
    );
    expect(refused).toEqual([]);
  });

  test.each(['past_due', 'unpaid'])('32: deleting with a subscription that is %s ends it', async (status) => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    const customer = await customerOf(who);
    await later(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    if (status === 'unpaid') await later(8 * DAY);
    await becomes(who, status);
    expect(await deletion(who)).toBe('200 ok');
    expect(await runningOf(customer)).toEqual([]);
  });

  test('[SET-11] an admin grant blocks the deletion until it is cleared', async () => {
    const who = await newcomer();
    await appoint(who);
    await who.person.post('/api/admin/grant-subscription');
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await who.person.post('/api/admin/clear-stripe-data');
    expect(await deletion(who)).toBe('200 ok');
  });

  test('[SET-11] an admin grant blocks the deletion beside a subscription that is cancelled', async () => {
    const who = await subscriber();
    await appoint(who);
    await who.person.post('/api/admin/grant-subscription');
    await (await suite.portal(who)).cancel();
    await waitFor('the grant to count', async () =>
      (await stateOf(who)).subscription?.planType === 'yearly' ? true : null,
    );
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
  });

  test('32: while a deletion is under way nothing can be paid', async () => {
    const who = await former();
    who.person = await signIn(suite.product.url, who.userId);
    const page = await checkout(who, 'yearly');
    const customer = await customerOf(who);
    await suite.simulators.graph.fault({
      kind: 'html',
      times: 0,
      match: { method: 'DELETE', user: who.userId },
    });
    expect(await deletion(who)).toBe('502 ACCOUNT_DELETE_FAILED');
    await stripe().pay(page);
    who.person.token = '';
    await suite.simulators.graph.ask('DELETE', '/faults');
    await isGone(who);
    expect(await paidBy(customer)).toEqual([]);
  });

  test('32: while an open page cannot be closed the deletion does not begin', async () => {
    const who = await former();
    who.person = await signIn(suite.product.url, who.userId);
    await checkout(who, 'yearly');
    await stripe().fault({ kind: 'error', http: 429, times: 0, path: 'expire' });
    expect(await deletion(who)).toBe('502 BILLING_UNAVAILABLE');
    await stripe().ask('DELETE', '/faults');
    expect(await deletion(who)).toBe('200 ok');
  });

  test('32: what renews blocks the deletion also when the news of its next period is late', async () => {
    const who = await former();
    who.person = await signIn(suite.product.url, who.userId);
    await stripe().pay(await checkout(who));
    const end = Date.parse((await becomes(who, 'active')).subscription?.currentPeriodEnd ?? '');
    await stripe().settleWebhooks();
    suite.product.clock.advance(end - suite.product.clock.now() + 60_000);
    await stateOf(who);
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await later(0);
  });

  test('32: paid in the moment before deleting: the deletion is refused', async () => {
    const who = await former();
    who.person = await signIn(suite.product.url, who.userId);
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who, 'yearly'));
    expect(await deletion(who)).toBe('409 SUBSCRIPTION_ACTIVE');
    await stripe().releaseWebhooks();
    await becomes(who, 'active');
  });

  test('[SUB-01] 18: deleted on Meta before any webhook was heard: the trial is used all the same', async () => {
    await later(0);
    const who = await newcomer();
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who));
    const url = `${suite.product.url}/auth/facebook/data-deletion`;
    await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + 2000 });
    await suite.simulators.graph.post('/callbacks', { userId: who.userId, url, removeApp: true });
    await isGone(who);
    await stripe().releaseWebhooks();
    await later(0);
    who.person = await signIn(suite.product.url, who.userId);
    expect((await stateOf(who)).isTrialAvailable).toBe(false);
  });

  test('[ADMIN-04] 18: cleared before any webhook was heard: the trial is used all the same', async () => {
    const who = await newcomer();
    await appoint(who);
    await stripe().holdWebhooks();
    await stripe().pay(await checkout(who));
    await who.person.post('/api/admin/clear-stripe-data');
    await stripe().releaseWebhooks();
    expect(await stateOf(who)).toMatchObject({ subscription: null, isTrialAvailable: false });
  });

  test('[ADMIN-04] clearing amid a storm of webhooks: nothing fails, and nothing comes back', async () => {
    const deliver = async (body: string, atMs: number): Promise<number> => {
      const given = {
        payload: body,
        secret: SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET,
        timestamp: Math.floor(atMs / 1000),
      };
      const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString(given);
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const url = `${suite.product.url}/webhooks/stripe`;
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    for (let round = 0; round < 4; round += 1) {
      const who = await subscriber();
      await appoint(who);
      const object = { object: 'invoice', customer: await customerOf(who) };
      const events = Array.from({ length: 12 }, (_, index) =>
        JSON.stringify({ id: `evt_${who.userId}_${index % 4}`, type: 'invoice.paid', data: { object } }),
      );
      const statuses = await Promise.all([
        ...events.map((body, index) => deliver(body, suite.product.clock.now() - index * 1000)),
        who.person.call('POST', '/api/admin/clear-stripe-data').then(({ status }) => status),
        who.person.call('POST', '/api/stripe/refresh-subscription').then(({ status }) => status),
      ]);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      await stripe().settleWebhooks();
      expect((await stateOf(who)).subscription).toBeNull();
    }
  });

  test('our key is for another account by mistake: nobody loses anything, and nobody is written to', async () => {
    const who = await subscriber('yearly');
    const before = await stateOf(who);
    await stripe().reset();
    await later(2 * DAY);
    await waitFor('Stripe to be asked in vain', async () => {
      suite.product.clock.advance(11_000);
      const calls = await stripe().calls();
      return calls.some(({ name, status }) => name === 'GET /v1/customers/:id' && status === 404) || null;
    });
    expect(await stateOf(who)).toEqual(before);
    expect(await refusalOf(who, 'create-portal-session', {})).toBe('502 BILLING_MISCONFIGURED');
    expect(await allMailTo(suite, who.email)).toEqual([]);
  });
});

describe('what is written to somebody about their subscription', () => {
  const suite = billingSuite();
  const { stripe, subscriber, former, stateOf, becomes, later, swept, subscriptionsOf } = suite;
  const idOf = async (who: Customer) => (await subscriptionsOf(who))[0]?.id ?? '';
  async function read(who: Customer): Promise<State> {
    await stateOf(who);
    return who.person.post<State>('/api/stripe/refresh-subscription');
  }

  test('whoever left long ago is not written to again', async () => {
    const who = await former();
    const ends = async () =>
      (await allMailTo(suite, who.email)).filter((subject) => subject.includes('has ended'));
    await waitFor('the mail', async () => (await ends()).length > 0 || null);
    for (let round = 0; round < 5; round += 1) {
      await swept(100 * DAY);
    }
    expect(await ends()).toHaveLength(1);
  });

  test('unpaid for months: told once', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await later(30 * DAY + 2 * HOUR);
    await becomes(who, 'past_due');
    await later(8 * DAY);
    await becomes(who, 'unpaid');
    for (let round = 0; round < 3; round += 1) {
      await swept(31 * DAY);
    }
    const subjects = await allMailTo(suite, who.email);
    expect(subjects.filter((subject) => subject.includes('suspended'))).toHaveLength(1);
  });

  test.each(['paused', 'resting_in_the_future'])(
    '28: %s: nobody is told that a payment failed',
    async (status) => {
      const who = await subscriber();
      await stripe().setStatus(await idOf(who), status);
      expect((await read(who)).hasActiveSubscription).toBe(false);
      expect(await allMailTo(suite, who.email)).toEqual([]);
    },
  );

  test('26: failed, put right, and failed again in one period: told twice', async () => {
    const who = await subscriber();
    await later(31 * DAY);
    await becomes(who, 'active');
    for (const status of ['past_due', 'active', 'past_due']) {
      await stripe().setStatus(await idOf(who), status);
      expect((await read(who)).subscription?.status).toBe(status);
      await allMailTo(suite, who.email);
    }
    const subjects = await allMailTo(suite, who.email);
    expect(subjects.filter((subject) => subject.startsWith('Your payment failed'))).toHaveLength(2);
  });

  test('[ADMIN-04] whoever has a grant is not told that nothing new is paused', async () => {
    const who = await subscriber('monthly', 'fails_at_renewal');
    await suite.appoint(who);
    await who.person.post('/api/admin/grant-subscription');
    await swept(30 * DAY + 2 * HOUR);
    await stateOf(who);
    expect((await read(who)).hasActiveSubscription).toBe(true);
    expect((await allMailTo(suite, who.email)).filter((subject) => subject.includes('payment'))).toEqual([]);
  });
});
