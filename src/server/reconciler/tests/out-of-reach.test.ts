import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { allMailTo, nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { API_ERRORS } from '../../../contract/errors.ts';
import { hours, minutes } from '../../../core/time.ts';

const suite = engineSuite();
const { advertiser, changesOf, eventsOf, eventually, heldAdvertiser, lastHold, later } = suite;
const { outage, reasonsOf, recovery, statuses } = suite;
const graph = () => suite.simulators.graph;
const mend = () => graph().ask('DELETE', '/faults');

describe('an ad account that the user must confirm in Ads Manager', () => {
  /** After an hour, at a random moment of the next minute. */
  const A_TRY = minutes(61);
  const CONFIRM = /^Not protected: confirm .+ in Ads Manager$/;

  const refuseAllWrites = ({ userId: user }: Advertiser) =>
    graph().fault({ kind: 'error', code: 368, times: 0, match: { user, method: 'POST', op: 'inner' } });

  /** How many writes were refused. */
  async function tries(): Promise<number> {
    const { faults } = await graph().ask<{ faults: { hits: number }[] }>('GET', '/faults');
    return faults.reduce((sum, { hits }) => sum + hits, 0);
  }

  async function accountOf({ user }: Advertiser) {
    const { adAccounts } = await user.get<{ adAccounts: object[] }>('/api/ad-accounts');
    return adAccounts[0];
  }

  const emailsToConfirm = async ({ email }: Advertiser) =>
    (await allMailTo(suite, email)).filter((subject) => CONFIRM.test(subject));

  test('[FR-02] is tried once an hour and not protected, with one email, until Meta accepts a change', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await refuseAllWrites(who);
    await outage();
    expect(await tries()).toBe(1);
    const mail = await nextMailTo(suite, who.email, CONFIRM);
    expect(mail.text).not.toContain('paused until then');
    const unprotected = { protectedCampaigns: 1, notProtected: 'unconfirmed' };
    for (let hour = 1; hour <= 3; hour += 1) {
      await later(A_TRY - minutes(2));
      expect(await tries()).toBe(hour);
      expect(await accountOf(who)).toMatchObject(unprotected);
      const { status } = await who.user.get<{ status: object }>('/api/user/status');
      expect(status).toMatchObject({ heldCampaigns: 0, pauseRefused: 1 });
      expect(status).not.toHaveProperty('notYetPaused');
      await later(minutes(2));
    }
    expect(await who.user.get('/api/me')).toMatchObject({ user: { access: 'ok' } });
    await mend();
    await later(A_TRY);
    expect(await statuses(who)).toEqual(['PAUSED']);
    const account = await accountOf(who);
    expect(account).toMatchObject({ protectedCampaigns: 1 });
    expect(account).not.toHaveProperty('notProtected');
    await recovery();
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await emailsToConfirm(who)).toHaveLength(1);
  });

  test('[FR-02] with a campaign to resume: the email names it, and it is resumed when Meta accepts that', async () => {
    const who = await heldAdvertiser();
    await refuseAllWrites(who);
    await recovery();
    const { text } = await nextMailTo(suite, who.email, CONFIRM);
    expect(text).toContain('1 campaign stays paused until then.');
    expect(text).toContain('Campaign 0');
    await mend();
    await later(A_TRY);
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('[FR-02] without another change it counts as confirmed after a day; the next refusal has its own email', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await refuseAllWrites(who);
    const click = () => who.user.call('POST', `/api/campaigns/${who.campaignIds[0] ?? ''}/pause`);
    expect((await click()).status).toBeGreaterThanOrEqual(400);
    await later(hours(24));
    expect(await accountOf(who)).toMatchObject({ notProtected: 'unconfirmed' });
    expect(await emailsToConfirm(who)).toHaveLength(1);
    await later(hours(1));
    expect(await accountOf(who)).not.toHaveProperty('notProtected');
    expect((await click()).status).toBeGreaterThanOrEqual(400);
    expect(await tries()).toBe(2);
    expect(await accountOf(who)).toMatchObject({ notProtected: 'unconfirmed' });
    expect(await emailsToConfirm(who)).toHaveLength(2);
  });
});

interface Listed {
  id: string;
  protectedCampaigns: number;
  notProtected?: string;
}
const accountsOf = async ({ user }: Advertiser) =>
  (await user.get<{ adAccounts: Listed[] }>('/api/ad-accounts')).adAccounts;

describe('[FR-07] a user whose role on an ad account only allows to read', () => {
  /** The tasks of the user in the ad account, as the page sees them. */
  async function hasTasks({ userId, accountId, user }: Advertiser, tasks: string[]): Promise<void> {
    const account = { id: accountId, name: 'An account', currency: 'USD', user_tasks: tasks, campaigns: [] };
    await graph().post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [account] }] });
    suite.product.clock.advance(minutes(1));
    await user.get('/api/ad-accounts');
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
  await graph().post('/seed', { users: [{ id: who.userId, name: 'Some Body', accounts }] });
  suite.product.clock.advance(minutes(1));
  await who.user.get('/api/ad-accounts');
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
  const { status } = await who.user.get<{ status: object }>('/api/user/status');
  expect(status).toMatchObject({ heldCampaigns: 2, protectedRunning: 3, pauseRefused: 1 });
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

describe('a held campaign that is out of reach', () => {
  /** In no list of the account, and unknown by its id. Meta's log has no entry for either change. */
  async function goesAway(who: Advertiser): Promise<void> {
    const [campaign = ''] = who.campaignIds;
    await plant(who, 'DELETED');
    await graph().fault({
      kind: 'error',
      code: 100,
      subcode: 33,
      times: 0,
      match: { campaign, method: 'GET' },
    });
  }

  async function comesBack(who: Advertiser): Promise<void> {
    await plant(who, 'PAUSED');
    await mend();
  }

  const plant = ({ userId, accountId, campaignIds }: Advertiser, status: string) => {
    const campaign = { id: campaignIds[0] ?? '', name: 'Campaign 0', status };
    const account = { id: accountId, name: 'An account', currency: 'USD', campaigns: [campaign] };
    return graph().post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [account] }] });
  };

  test('[FR-08] for two hours is kept, and resumed when it is back', async () => {
    const who = await heldAdvertiser();
    await goesAway(who);
    for (let minute = 0; minute < 120; minute += 10) await later(minutes(10));
    await recovery();
    expect(await lastHold(who)).toMatchObject({ outcome: null, releaseReason: null });
    await comesBack(who);
    await eventually('the resume', who, async () => (await lastHold(who))?.outcome === 'resumed');
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });

  test('[FR-08] for three hours counts as deleted, and SmartPause is disabled for it', async () => {
    const who = await heldAdvertiser();
    await goesAway(who);
    for (let minute = 0; minute < 180; minute += 10) await later(minutes(10));
    expect(await reasonsOf(who)).toEqual([null]);
    await later(minutes(10));
    expect(await reasonsOf(who)).toEqual(['deleted']);
    const settings = await suite.product.app.db.selectFrom('smartpauseSettings').select('setting').execute();
    expect(settings).toEqual([{ setting: 'DEACTIVATED' }]);
    expect(await changesOf(who)).toEqual(['PAUSED']);
  });
});

test('a click of a user who lost the ad account is answered, and not that the login has expired', async () => {
  const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
  const match = { user: who.userId, method: 'GET', path: 'campaigns' };
  await graph().fault({ kind: 'error', code: 200, times: 0, match });
  expect(await who.user.call('POST', `/api/campaigns/${who.campaignIds[0] ?? ''}/pause`)).toMatchObject({
    body: { error: { code: 'CAMPAIGN_ACTION_FAILED' } },
  });
});

test('a rate limit is the reason of the list, and without a stored list the request fails', async () => {
  const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
  const get = () => who.user.call<object>('GET', `/api/campaigns/${who.accountId}`);
  await graph().fault({ kind: 'error', code: 17, times: 0, match: { user: who.userId, path: 'campaigns' } });
  await suite.advance(310_000);
  expect((await get()).body).toMatchObject({ lastKnown: { because: 'limit' } });
  await suite.product.app.db.deleteFrom('campaignLists').where('accountId', '=', who.accountId).execute();
  const failed = { status: 502, body: { error: { code: 'PLATFORM_UNAVAILABLE' } } };
  for (let n = 0; n < 2; n += 1) expect(await get()).toMatchObject(failed);
});
