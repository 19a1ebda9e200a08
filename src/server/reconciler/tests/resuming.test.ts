import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { minutes } from '../../../core/time.ts';
import { nextDayIn } from '../../../core/time-zone.ts';

const IN_10_MINUTES = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };

const suite = engineSuite();
const { advertiser, changesOf, eventsOf, expire, heldAdvertiser, holdsOf, lastHold, later } = suite;
const { outage, recovery, statuses } = suite;
const graph = () => suite.simulators.graph;
const now = () => suite.product.clock.now();

const resumeAtOf = async (who: Advertiser) => Date.parse((await suite.statusOf(who)).resumeAt ?? '');
const isUnreadable = () => suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });

describe('the time of a resume', () => {
  test('[ENG-07, ENG-09] a delay postpones it, and a new match cancels it', async () => {
    const who = await heldAdvertiser({ resume: IN_10_MINUTES });
    await recovery();
    expect((await resumeAtOf(who)) - now()).toBeGreaterThan(minutes(9));
    await later(minutes(8));
    await suite.report('Medium disruptions', 'MEDIUM_DISRUPTION');
    expect(await resumeAtOf(who)).toBeNaN();
    await later(minutes(5));
    await recovery();
    await later(minutes(9));
    expect(await statuses(who)).toEqual(['PAUSED']);
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('[SPEND-06] the next day begins at midnight of each ad account, and the first one is named', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], resume: { mode: 'next_day', zone: 'account' } });
    const zones = ['Asia/Tokyo', 'Pacific/Honolulu'];
    const accounts = zones.map((zone, index) => ({
      ...{ id: `${who.accountId}${index}`, name: zone, currency: 'USD', timezone_name: zone },
      campaigns: [{ id: `${who.campaignIds[0] ?? ''}${index}`, name: 'Shoes', status: 'ACTIVE' }],
    }));
    await suite.hasAccounts(who, accounts);
    suite.product.clock.advance(minutes(1));
    await suite.accountsOf(who);
    for (const { id, campaigns } of accounts) {
      await suite.campaignsOf({ ...who, accountId: id });
      await who.user.setSmartPause(id, campaigns[0]?.id ?? '', true);
    }
    await outage();
    await recovery();
    const [first, second] = zones
      .map((zone) => ({ zone, at: nextDayIn(zone, now()) }))
      .toSorted((a, b) => a.at - b.at);
    const { resumeAt, heldAccounts } = await suite.statusOf(who);
    expect(Date.parse(resumeAt ?? '')).toBe(first?.at);
    const isLater = heldAccounts?.flatMap((one) =>
      one.resumeAt === undefined ? [] : [[one.name, Date.parse(one.resumeAt)]],
    );
    expect(isLater).toEqual([[second?.zone, second?.at]]);
    const running = async () => {
      const all = { ...who, campaignIds: accounts.flatMap(({ campaigns }) => campaigns.map(({ id }) => id)) };
      const found = await statuses(all);
      return zones.filter((_zone, index) => found[index] === 'ACTIVE');
    };
    for (const [due, expected] of [
      [first, []],
      [second, [first?.zone]],
    ] as const) {
      await later((due?.at ?? NaN) - now() - minutes(1));
      expect(await running()).toEqual(expected);
      await later(minutes(2));
    }
    expect(await running()).toEqual(zones);
  });

  test('a delay that is saved just before the write postpones it', async () => {
    const who = await heldAdvertiser();
    await suite.reportOnce('Resolved');
    const go = await suite.stopTurnAt({ user: who.userId, method: 'GET', path: 'campaigns' });
    const settings = { resumeSettings: IN_10_MINUTES, outageThreshold: 'MEDIUM', email: who.email };
    await who.user.post('/api/user/settings', settings);
    await go();
    expect(await statuses(who)).toEqual(['PAUSED']);
    await later(minutes(11));
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });
});

describe('a status page that is not understood', () => {
  test('[ENG-10] starts no pause and no resume', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    await outage();
    await isUnreadable();
    await suite.report('Resolved', 'UNKNOWN');
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    await suite.simulators.status.ask('DELETE', '/faults');
    await suite.known('UP');
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  });
});

describe('a resume while a copy of a write may still be carried out', () => {
  test('[ENG-13, ENG-15] after a lost resume a new match waits, and the hold continues', async () => {
    const who = await heldAdvertiser();
    await suite.lose(who, 'null_entry', 0);
    await recovery();
    // While the fault lasts, no repeated resume can succeed before the new match is read.
    await outage();
    await graph().ask('DELETE', '/faults');
    expect(await lastHold(who)).toMatchObject({ state: 'resuming' });
    const { dueAt } = await suite.workItemOf(who.accountId);
    const { unansweredUntil = 0 } = (await suite.writeOf(who)) ?? {};
    expect(dueAt).toBeLessThanOrEqual((unansweredUntil ?? 0) + 1000);
    await expire();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await eventsOf(who)).toEqual(['paused']);
    expect(await holdsOf(who.accountId)).toMatchObject([{ state: 'paused' }]);
    expect(await suite.writeOf(who)).toMatchObject({ unansweredUntil: null });
  });
});

test('[SUB-03] a lapsed subscription: held campaigns are resumed, and none is paused again', async () => {
  const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
  const { customerId } = await suite.product.app.db
    .selectFrom('stripeCustomers')
    .select('customerId')
    .executeTakeFirstOrThrow();
  const { stripe, environment } = suite.simulators;
  const headers = { authorization: `Bearer ${environment['STRIPE_SECRET_KEY'] ?? ''}` };
  await stripe.fetch(`${stripe.url}/v1/customers/${customerId}`, { method: 'DELETE', headers });
  await stripe.settleWebhooks();
  await suite.until('the subscription to be over', async () => {
    const path = '/api/stripe/subscription';
    return !(await who.user.get<{ hasActiveSubscription: boolean }>(path)).hasActiveSubscription;
  });
  expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
  await recovery();
  expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  expect((await holdsOf(who.accountId)).map(({ outcome }) => outcome)).toEqual(['resumed', 'resumed']);
  await outage();
  for (const index of [0, 1]) expect(await changesOf(who, index)).toEqual(['PAUSED', 'ACTIVE']);
});

test('[FR-01] a held campaign that has ended is not resumed, unless its end date was moved', async () => {
  const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
  const endsAt = (ms: number) => ({ stop_time: new Date(now() + ms).toISOString() });
  for (const index of [0, 1]) await suite.edit(who, endsAt(-1000), index);
  await later(minutes(6));
  await suite.edit(who, endsAt(minutes(90)), 1);
  await recovery();
  await suite.eventually('the hold to end', who, async () => (await eventsOf(who)).length === 2);
  expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(who)).toEqual(['PAUSED']);
  expect((await suite.activitiesOf(who))[1]).toEqual({
    event: 'released',
    message: 'Did not resume "Campaign 0": it ended while it was paused; it stays as it is.',
  });
});

test('a resume of one user at the rate limit of the ad account stops the resumes of the other users', async () => {
  const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'], on: 0 });
  const colleague = await suite.colleagueOf(who);
  const [first = '', theirs = '', last = ''] = who.campaignIds;
  for (const id of [first, last]) await who.user.setSmartPause(who.accountId, id, true);
  await colleague.user.setSmartPause(who.accountId, theirs, true);
  await outage();
  await suite.reportOnce('Resolved');
  const goOn = await suite.stopTurnAt({ user: who.userId, method: 'GET', path: 'campaigns' });
  const match = { user: who.userId, method: 'POST', op: 'inner' };
  await graph().fault({ kind: 'error', code: 80004, subcode: 2446079, times: 0, match });
  // Its hold ends in the same pass, which then loads the settings again.
  await who.user.setSmartPause(who.accountId, first, false);
  await goOn();
  expect(await suite.reasonsOf(who)).toContain('smartpause_off');
  expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);
});

test('[HIST-01] a campaign that ran when SmartPause was turned off for it was not kept paused', async () => {
  const who = await heldAdvertiser({ resume: { mode: 'next_day' } });
  await suite.edit(who, { status: 'ACTIVE' });
  const before = now();
  await later(minutes(10));
  const [outageOfIt] = (await who.user.get<{ outages: { id: string }[] }>('/api/outages')).outages;
  const page = () =>
    who.user.get<{ outage: object; campaigns: { resumedAt: string }[] }>(
      `/api/outages/${outageOfIt?.id ?? ''}`,
    );
  expect(await page()).toMatchObject({ campaigns: [{ result: 'being_checked' }] });
  await suite.setSmartPause(who, false);
  await suite.turn();
  expect(await suite.reasonsOf(who)).toEqual(['smartpause_off']);
  const seen = await page();
  expect(seen).toMatchObject({
    outage: { counts: { paused: 1, resumedOutside: 1, keptPaused: 0 } },
    campaigns: [{ result: 'resumed_outside' }],
  });
  expect(Date.parse(seen.campaigns[0]?.resumedAt ?? '')).toBeGreaterThan(before);
});
