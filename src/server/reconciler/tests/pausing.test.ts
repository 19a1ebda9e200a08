import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../../test/support/activity-words.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { statusesOf } from '../../../../test/support/product.ts';
import { API_ERRORS } from '../../../contract/errors.ts';
import { minutes } from '../../../core/time.ts';

const suite = engineSuite();
const { accountsOf, advertiser, campaignsOf, changesOf, edit, eventsOf, hasAccounts, holdsOf } = suite;
const { later, mend, outage, press, recovery, statuses, statusOf } = suite;
const graph = () => suite.simulators.graph;
const repeated = (status: 'ACTIVE' | 'PAUSED', times: number) => Array.from({ length: times }, () => status);

describe('pausing', () => {
  test('[ENG-04, ENG-05, ENG-06] pauses the ACTIVE campaigns with SmartPause, and resumes exactly those', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'], on: 3 });
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE']);
    await nextMailTo(suite, who.email, /paused 2 campaigns/);
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE']);
    expect(await suite.workItemOf(who.accountId)).toMatchObject({ dueAt: null });
    await nextMailTo(suite, who.email, /resumed 2 campaigns/);
    expect(await changesOf(who, 2)).toEqual([]);
    expect((await holdsOf(who.accountId)).map(({ outcome }) => outcome)).toEqual(['resumed', 'resumed']);
    for (const index of [0, 1]) expect(await eventsOf(who, index)).toEqual(['paused', 'resumed']);
    for (const index of [2, 3]) expect(await eventsOf(who, index)).toEqual([]);
  });

  test('[ENG-02] a level below the threshold pauses nothing', async () => {
    const low = await advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const high = await advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH' });
    await suite.report('Medium disruptions', 'MEDIUM_DISRUPTION');
    expect(await statuses(low)).toEqual(['PAUSED']);
    expect(await statuses(high)).toEqual(['ACTIVE']);
  });

  test('[ENG-17] turning SmartPause off during the call undoes the pause that it confirms', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    const goOn = await suite.stopTurnAt({ user: who.userId, method: 'POST' });
    await suite.setSmartPause(who, false);
    await goOn();
    await suite.eventually('the resume', who, async () => (await statuses(who))[0] === 'ACTIVE');
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });

  const LIST = ['GET', undefined];
  const BATCH = ['POST', 50];

  test.each([
    ['exactly one read and two batches', 0, [LIST, BATCH, ['POST', 10]]],
    ['another read after a batch that failed', 1, [LIST, BATCH, LIST]],
  ])('60 campaigns of one account cost %s', async (_title, times, expected) => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 60) });
    const match = { user: who.userId, method: 'POST', op: 'outer' };
    // The setup of the advertiser is worked through first.
    await suite.turn();
    if (times > 0) await graph().fault({ kind: 'error', code: 1, times, match });
    await graph().ask('DELETE', '/requests');
    await outage();
    if (times === 0) expect(await statuses(who)).toEqual(repeated('PAUSED', 60));
    const calls = (await graph().requests()).filter(
      ({ path, batch }) =>
        path.includes(who.accountId) || who.campaignIds.includes(batch?.[0]?.relative_url ?? ''),
    );
    expect(calls.slice(0, 3).map(({ method, batch }) => [method, batch?.length])).toEqual(expected);
    if (times === 0) expect(calls).toHaveLength(3);
    expect(calls.every(({ secretInQuery }) => !secretInQuery)).toBe(true);
  });

  test('Meta’s development tier: highest budgets first, and no call while blocked', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 30) });
    await graph().post('/limits', { tier: 'development_access' });
    await graph().ask('DELETE', '/requests');
    await outage();
    const first = await statuses(who);
    const paused = first.filter((status) => status === 'PAUSED').length;
    expect(paused).toBeGreaterThan(0);
    expect(paused).toBeLessThan(30);
    expect(first).toEqual([...repeated('ACTIVE', 30 - paused), ...repeated('PAUSED', paused)]);
    for (let minute = 0; minute < 12; minute += 1) await later(minutes(1));
    expect(await statuses(who)).toEqual(repeated('PAUSED', 30));
    const writes = (await graph().requests()).flatMap(({ batch }) => batch ?? []);
    expect(writes.filter(({ relative_url }) => who.campaignIds.includes(relative_url))).toHaveLength(30);
  });

  test('[ENG-12, API-13] turned on in an outage, it pauses; turned off, it only ends the hold', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await outage();
    await suite.setSmartPause(who, true);
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await press(who, 'resume')).toMatchObject({
      status: 409,
      body: { error: { code: 'SMARTPAUSE_ACTIVE' } },
    });
    await suite.setSmartPause(who, false);
    await suite.turn();
    expect(await suite.reasonsOf(who)).toEqual(['smartpause_off']);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect((await press(who, 'resume')).status).toBe(200);
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('[FR-01] an ended campaign is not paused, a scheduled one from its start date on', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
    const now = suite.product.clock.now();
    const [endedAt, startsAt] = [new Date(now), new Date(now + minutes(2))].map((at) => at.toISOString());
    await edit(who, { stop_time: endedAt });
    await edit(who, { start_time: startsAt }, 1);
    await outage();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
    const dueAt = (await suite.workItemOf(who.accountId)).dueAt ?? 0;
    expect(Math.abs(dueAt - Date.parse(startsAt ?? ''))).toBeLessThan(1000);
    expect(await accountsOf(who)).toMatchObject([{ protectedCampaigns: 1 }]);
    expect(await campaignsOf(who)).toMatchObject([
      { name: 'Campaign 0', undelivered: { why: 'ended', at: endedAt } },
      { name: 'Campaign 1', undelivered: { why: 'scheduled', at: startsAt } },
      { name: 'Campaign 2' },
    ]);
    const status = await statusOf(who);
    expect(status).toMatchObject({ heldCampaigns: 1, protectedRunning: 1 });
    expect(status).not.toHaveProperty('notYetPaused');
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED', 'PAUSED']);
  });

  test.each([
    ['[ENG-18] may only read', 273, { method: 'POST', op: 'inner' }],
    ['[ENG-18] has all calls of rejected', 100, {}],
    ['[FR-02] may not change until they confirm the account', 368, { method: 'POST', op: 'inner' }],
  ])('a colleague pauses and resumes what the first user %s', async (_title, code, call) => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.protectorOf(who);
    await graph().fault({ kind: 'error', code, times: 0, match: { user: who.userId, ...call } });
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED']);
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });
});

describe('[UX-09] SmartPause on for new campaigns', () => {
  type User = Pick<Advertiser, 'user' | 'accountId' | 'userId'>;

  const wants = async ({ user }: Pick<User, 'user'>, onForNewCampaigns?: boolean): Promise<boolean> => {
    const settings = {
      resumeSettings: { mode: 'instant' },
      outageThreshold: 'MEDIUM',
      email: 'new@example.com',
    };
    const body = onForNewCampaigns === undefined ? settings : { ...settings, onForNewCampaigns };
    const saved = await user.post<{ status: { onForNewCampaigns: boolean } }>('/api/user/settings', body);
    return saved.status.onForNewCampaigns;
  };

  let created = 0;
  /** Creates a campaign in the advertiser's account, as in Ads Manager. */
  async function create(who: User, name: string, over: object = {}): Promise<string> {
    const id = `99${who.userId}${(created += 1)}`;
    const campaign = { id, name, status: 'ACTIVE', daily_budget: '5000', ...over };
    await hasAccounts(who, [
      { id: who.accountId, name: 'An account', currency: 'USD', campaigns: [campaign] },
    ]);
    return id;
  }

  /** The settings by name, as soon as the list has the campaign. */
  async function settingsWith(who: User, awaited: string): Promise<Record<string, string>> {
    await suite.advance(31_000);
    return suite.until(`${awaited} to be listed`, async () => {
      const listed = (await campaignsOf(who)).map(({ name, smartPauseSetting }) => [name, smartPauseSetting]);
      return (
        listed.some(([name]) => name === awaited) && (Object.fromEntries(listed) as Record<string, string>)
      );
    });
  }

  const turnedOnFor = async ({ userId }: Pick<User, 'userId'>) => {
    const { rows } = await sql<Parameters<typeof textOf>[0]>`
      select event, message, detail, campaigns from activities join users u on u.id = user_id
      where platform_user_id = ${userId} and event = 'smartpause_on_new'`.execute(suite.product.app.db);
    return rows.map((row) => [textOf(row), ...Object.keys(row.campaigns ?? {})]);
  };

  test('is off by default; then campaigns get it that are new in a known list and can be paused', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 0 });
    await create(who, 'Before');
    const before = { 'Campaign 0': 'OFF', 'Campaign 1': 'OFF', Before: 'OFF' };
    expect(await settingsWith(who, 'Before')).toEqual(before);
    expect(await wants(who, true)).toBe(true);
    // A request without the field leaves the setting as it is.
    expect(await wants(who)).toBe(true);
    const id = await create(who, 'After', { status: 'PAUSED' });
    await create(who, 'Archived', { status: 'ARCHIVED' });
    await create(who, 'Legacy', { smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' });
    const after = { ...before, After: 'ON', Archived: 'OFF', Legacy: 'OFF' };
    expect(await settingsWith(who, 'Legacy')).toEqual(after);
    const text = 'SmartPause was turned on for “After”: you want it on for new campaigns.';
    expect(await turnedOnFor(who)).toEqual([[text, id]]);
    expect(Number((await suite.workItemOf(who.accountId)).priority)).toBe(5000);
    // The user's own choice stays.
    await who.user.setSmartPause(who.accountId, id, false);
    await create(who, 'Another');
    expect(await settingsWith(who, 'Another')).toEqual({ ...after, After: 'OFF', Another: 'ON' });
  });

  test('of two users with the account only the one with the setting gets it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const colleague = { ...(await suite.colleagueOf(who)), accountId: who.accountId };
    await wants(colleague, true);
    const ids = [await create(who, 'Spring'), await create(who, 'Summer')];
    expect(await settingsWith(who, 'Summer')).toMatchObject({ Spring: 'OFF', Summer: 'OFF' });
    expect(await settingsWith(colleague, 'Summer')).toMatchObject({ Spring: 'ON', Summer: 'ON' });
    expect(await turnedOnFor(who)).toEqual([]);
    const text =
      'SmartPause was turned on for 2 campaigns (“Spring”, “Summer”): you want it on for new campaigns.';
    expect(await turnedOnFor(colleague)).toEqual([[text, ...ids]]);
  });

  test('needs an active subscription', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(who, true);
    const ended = { accessUntil: new Date(0) };
    await suite.product.app.db.updateTable('subscriptions').set(ended).execute();
    await create(who, 'Unpaid');
    expect(await settingsWith(who, 'Unpaid')).toMatchObject({ Unpaid: 'OFF' });
  });

  test.each([
    ['at once if the account is read anyway', 1, 0],
    ['within 15 minutes if nothing else reads it', 0, minutes(16)],
  ])('in an outage a new campaign is paused, %s', async (_title, on, ms) => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on });
    await wants(who, true);
    const id = await create(who, 'New');
    await outage();
    expect(await statusesOf(suite.simulators, [id])).toEqual([ms === 0 ? 'PAUSED' : 'ACTIVE']);
    await later(ms);
    await suite.turn();
    expect(await statusesOf(suite.simulators, [id])).toEqual(['PAUSED']);
    expect(await turnedOnFor(who)).toHaveLength(1);
    await recovery();
    expect(await statusesOf(suite.simulators, [id])).toEqual(['ACTIVE']);
  });

  test.each([
    [
      'has no subscription',
      () =>
        suite.product.app.db
          .updateTable('subscriptions')
          .set({ accessUntil: new Date(0) })
          .execute(),
    ],
    [
      'gets no list from Meta',
      ({ userId }: User) =>
        suite.simulators.graph.fault({ kind: 'error', code: 100, times: 0, match: { user: userId } }),
    ],
  ])('the list is read for a user although an earlier one with the setting %s', async (_title, prevent) => {
    const first = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(first, true);
    await prevent(first);
    const colleague = { ...(await suite.colleagueOf(first)), accountId: first.accountId };
    await wants(colleague, true);
    await create(first, 'New');
    await later(minutes(16));
    await suite.turn();
    expect(await turnedOnFor(colleague)).toHaveLength(1);
  });

  test('a list that Meta does not answer is not read for the next user', async () => {
    const first = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(first, true);
    const colleague = { ...(await suite.colleagueOf(first)), accountId: first.accountId };
    await wants(colleague, true);
    // No read of theirs is under way any more.
    await settingsWith(colleague, 'Campaign 0');
    const { graph } = suite.simulators;
    await graph.fault({ kind: 'error', code: 2, times: 0, match: { user: first.userId } });
    await create(first, 'New');
    await later(minutes(16));
    await suite.turn();
    expect(await turnedOnFor(colleague)).toEqual([]);
  });
});

describe('[FR-07] a user whose role on an ad account only allows to read', () => {
  /** The tasks of the user in the ad account, as the page sees them. */
  async function hasTasks(who: Advertiser, tasks: string[]): Promise<void> {
    const account = { id: who.accountId, name: 'An account', currency: 'USD', campaigns: [] };
    await hasAccounts(who, [{ ...account, user_tasks: tasks }]);
    suite.product.clock.advance(minutes(1));
    await accountsOf(who);
  }

  test('gets this answer when SmartPause is turned on, and to every other change', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await suite.known('UP');
    await hasTasks(who, ['ANALYZE']);
    const id = who.campaignIds[0] ?? '';
    const toggle = (enabled: boolean) =>
      who.user.call('POST', `/api/smartpause/${who.accountId}/${id}`, { enabled });
    const { status, message } = API_ERRORS.ROLE_CANNOT_PAUSE;
    const refused = { status, body: { error: { code: 'ROLE_CANNOT_PAUSE', message } } };
    expect(await toggle(true)).toMatchObject(refused);
    for (const action of ['pause', 'resume', 'live-test'])
      expect(await who.user.call('POST', `/api/campaigns/${id}/${action}`)).toMatchObject(refused);
    expect((await toggle(false)).status).toBe(200);
    expect(await accountsOf(who)).toMatchObject([{ protectedCampaigns: 0, notProtected: 'role' }]);
    await hasTasks(who, ['ADVERTISE', 'ANALYZE']);
    expect((await toggle(true)).status).toBe(200);
    expect(await accountsOf(who)).toMatchObject([{ protectedCampaigns: 1 }]);
  });

  test('and had SmartPause on before: the account counts as not protected, with the reason', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await hasTasks(who, ['ANALYZE']);
    expect(await accountsOf(who)).toMatchObject([{ protectedCampaigns: 1, notProtected: 'role' }]);
    const { accounts } = await who.user.get<{ accounts: object[] }>('/api/dry-run');
    expect(accounts).toMatchObject([{ paused: [], notPaused: [{ reason: 'role' }] }]);
  });
});

test('[FR-06] one of three ad accounts refuses access in an outage: the others are paused, and it says so', async () => {
  const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
  const accounts = [1, 2, 3].map((n) => ({
    ...{ id: `${who.accountId}${n}`, name: `Account ${n}`, currency: 'USD' },
    campaigns: [{ id: `${who.campaignIds[0] ?? ''}${n}`, name: 'Shoes', status: 'ACTIVE' }],
  }));
  await hasAccounts(who, accounts);
  // The former ad account goes at the second look.
  for (let looks = 0; looks < 2; looks += 1) {
    suite.product.clock.advance(minutes(1));
    await accountsOf(who);
  }
  for (const { id, campaigns } of accounts) {
    await who.user.get(`/api/campaigns/${id}`);
    await who.user.setSmartPause(id, campaigns[0]?.id ?? '', true);
  }
  const [refused, ...others] = accounts.map(({ id }) => id);
  await graph().fault({ kind: 'error', code: 200, times: 0, match: { user: who.userId, path: refused } });
  const before = await suite.tokenOf(who);
  await outage();
  const campaignIds = accounts.flatMap(({ campaigns }) => campaigns.map(({ id }) => id));
  expect(await statuses({ campaignIds })).toEqual(['ACTIVE', 'PAUSED', 'PAUSED']);
  expect(await statusOf(who)).toMatchObject({ heldCampaigns: 2, protectedRunning: 3, pauseRefused: 1 });
  const { outages } = await who.user.get<{ outages: { id: string }[] }>('/api/outages');
  const listed = `/api/outages/${outages[0]?.id ?? ''}?result=not_paused&adAccountId=${refused ?? ''}`;
  expect(await who.user.get(listed)).toMatchObject({
    campaigns: [{ campaignId: campaignIds[0], reason: 'no_access' }],
  });
  const expected = [
    { id: refused, protectedCampaigns: 1, notProtected: 'no_access' },
    ...others.map((id) => ({ id, protectedCampaigns: 1 })),
  ];
  for (let pages = 0; pages < 3; pages += 1) {
    expect(await accountsOf(who)).toMatchObject(expected);
    await later(minutes(6));
  }
  expect(await suite.tokenOf(who)).toEqual(before);
  expect(await who.user.get('/api/me')).toMatchObject({ user: { access: 'ok' } });
  await mend();
  await later(minutes(6));
  expect(await statuses({ campaignIds })).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);
  expect((await accountsOf(who))[0]).not.toHaveProperty('notProtected');
});
