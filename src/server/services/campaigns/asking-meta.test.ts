import { afterEach, describe, expect, test } from 'vitest';
import type { AdAccount, LastKnown } from '../../../contract/shapes.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';

interface Listed {
  isBeingRead?: true;
  lastKnown?: LastKnown;
}
interface Accounts {
  adAccounts: AdAccount[];
  lastKnown?: LastKnown;
}

/** Longer than a list stays fresh and its access stays verified. */
const LATER_MS = 61_000;

describe('requests from pages to Meta', () => {
  const suite = engineSuite();
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  /** Counts the requests to Meta from now on. */
  async function counting(path: RegExp): Promise<() => Promise<number>> {
    const { graph } = suite.simulators;
    const count = async () => (await graph.requests()).filter((one) => path.test(one.path)).length;
    const before = await count();
    return async () => (await count()) - before;
  }

  const ofAccounts = /\/me\/adaccounts$/;
  const listOf = (who: Pick<Advertiser, 'accountId'>) => new RegExp(`/${who.accountId}/campaigns$`);
  const readAt = async ({ accountId }: Advertiser) =>
    (
      await suite.product.app.db
        .selectFrom('campaignLists')
        .select('readAt')
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow()
    ).readAt;
  const times = <T>(count: number, run: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => run(n)));
  const notFound = { status: 404, body: { error: { code: 'CAMPAIGN_NOT_FOUND' } } };
  const toggle = ({ user, accountId }: Advertiser, id: string) =>
    user.call('POST', `/api/smartpause/${accountId}/${id}`, { enabled: true });

  test('many requests read the ad accounts once, and again when the list is old', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    suite.product.clock.advance(LATER_MS);
    const asked = await counting(ofAccounts);
    await times(10, () => who.user.get('/api/ad-accounts'));
    await who.user.get('/api/ad-accounts');
    expect(await asked()).toBe(1);
    suite.product.clock.advance(6_000);
    await who.user.get('/api/ad-accounts');
    expect(await asked()).toBe(2);
  });

  test('an empty list of ad accounts counts as read, also for requests about foreign accounts', async () => {
    const other = await suite.advertiser({ campaigns: [] });
    const userId = '7222000000001';
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'New Here', accounts: [] }] });
    const user = await signIn(suite.product.url, userId);
    const asked = await counting(ofAccounts);
    expect((await user.get<Accounts>('/api/ad-accounts')).adAccounts).toEqual([]);
    const answers = await times(10, () => user.call('GET', `/api/campaigns/${other.accountId}`));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(await asked()).toBe(1);
    // A new login shows newly granted accounts, in the order of their names.
    const given = { currency: 'USD', campaigns: [] };
    const accounts = [
      { id: 'act_82001', name: 'Shop 14', ...given },
      { id: 'act_82002', name: 'Shop 4', ...given },
    ];
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'New Here', accounts }] });
    const again = await signIn(suite.product.url, userId);
    expect((await again.get<Accounts>('/api/ad-accounts')).adAccounts.map(({ name }) => name)).toEqual([
      'Shop 4',
      'Shop 14',
    ]);
  });

  test('a hanging list is read once for all requests, and each returns the stored list', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(LATER_MS);
    await who.user.get('/api/ad-accounts');
    const match = { user: who.userId, path: 'campaigns' };
    const fault = await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    const asked = await counting(listOf(who));
    const get = () => who.user.get<Listed>(`/api/campaigns/${who.accountId}`);
    for (const because of [undefined, 'no_answer', 'no_answer']) {
      for (const answer of await times(10, get)) {
        expect(answer.isBeingRead).toBe(true);
        expect(answer.lastKnown?.because).toBe(because);
      }
      suite.product.clock.advance(5_000);
    }
    expect(await suite.simulators.graph.parked(fault)).toBe(1);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.until('the list to be new', async () => (await get()).isBeingRead === undefined);
    expect(await get()).not.toHaveProperty('lastKnown');
    expect(await asked()).toBe(1);
  });

  test.each([
    ['4 min 50 s is answered at once, and read afterwards', 290_000, false],
    ['5 min 10 s is read before it is answered', 310_000, true],
  ])('[API-10] a list of %s', async (_what, age, isReadFirst) => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(age);
    const from = suite.product.clock.now();
    const asked = await counting(listOf(who));
    const match = { user: who.userId, path: 'campaigns' };
    // Else the read behind could end before the last of the three requests starts.
    if (!isReadFirst) await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    const answers = await times(3, () => who.user.get<Listed>(`/api/campaigns/${who.accountId}`));
    expect((await readAt(who)) >= from).toBe(isReadFirst);
    for (const { isBeingRead, lastKnown } of answers)
      expect([isBeingRead, lastKnown]).toEqual([isReadFirst ? undefined : true, undefined]);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.until('it to be read', async () => (await asked()) === 1);
  });

  test('[API-10] the first request for a list older than five minutes waits five seconds, later ones do not wait', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(310_000);
    await who.user.get('/api/ad-accounts');
    const match = { user: who.userId, path: 'campaigns' };
    const fault = await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    const get = () => who.user.get<Listed>(`/api/campaigns/${who.accountId}`);
    let isAnswered = false;
    const first = get().finally(() => (isAnswered = true));
    await suite.amid('Meta to be asked', async () => (await suite.simulators.graph.parked(fault)) === 1);
    expect(isAnswered).toBe(false);
    suite.product.clock.advance(5_000);
    expect((await first).isBeingRead).toBe(true);
    expect((await get()).lastKnown?.because).toBe('no_answer');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.until('the list to be new', async () => (await get()).isBeingRead === undefined);
  });

  test('a failing list is read once in ten seconds, however often it is requested', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const other = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(LATER_MS);
    await who.user.get('/api/ad-accounts');
    const match = { user: who.userId, path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 1, times: 0, match });
    const asked = await counting(listOf(who));
    const get = () => who.user.get<Listed>(`/api/campaigns/${who.accountId}`);
    await suite.until('the failed read', async () => (await get()).lastKnown?.because === 'no_answer');
    for (const answer of await times(5, get)) expect(answer.lastKnown?.because).toBe('no_answer');
    // One read asks for ever smaller pages.
    expect(await asked()).toBe(7);
    suite.product.clock.advance(10_000);
    for (const answer of await times(5, get)) expect(answer.lastKnown?.because).toBe('no_answer');
    await suite.until('it to be tried again', async () => (await asked()) === 14);
    // They count as two failures: Meta is asked for the lists of others.
    expect((await other.user.get<Listed>(`/api/campaigns/${other.accountId}`)).lastKnown).toBeUndefined();
    for (const answer of await times(5, get)) expect(answer.lastKnown?.because).toBe('no_answer');
    expect(await asked()).toBe(14);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    suite.product.clock.advance(10_000);
    // The reason stays during the next try.
    expect(await get()).toMatchObject({ isBeingRead: true, lastKnown: { because: 'no_answer' } });
  });

  test('unknown campaigns lead to one read, and to another when the list is old', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(LATER_MS);
    const asked = await counting(listOf(who));
    const answers = await times(60, (n) => toggle(who, `9333${n}`));
    for (const answer of answers) expect(answer).toMatchObject(notFound);
    expect(await toggle(who, '93339999')).toMatchObject(notFound);
    expect(await asked()).toBe(1);
    // A campaign created since is found.
    const campaigns = [{ id: '93330000', name: 'A new one', status: 'ACTIVE', daily_budget: '1000' }];
    const account = { id: who.accountId, name: 'An account', currency: 'USD', campaigns };
    await suite.hasAccounts(who, [account]);
    suite.product.clock.advance(31_000);
    expect((await toggle(who, '93330000')).status).toBe(200);
    expect(await asked()).toBe(2);
  });

  test('[FR-06] a list that Meta refuses to the user says so, at once and after the stored one', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId, path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 200, times: 0, match });
    suite.product.clock.advance(LATER_MS);
    const get = () => who.user.get<Listed>(`/api/campaigns/${who.accountId}`);
    await suite.until('the refusal', async () => (await get()).lastKnown?.because === 'no_access');
    const { adAccounts } = await who.user.get<Accounts>('/api/ad-accounts');
    expect(adAccounts).toMatchObject([{ protectedCampaigns: 1, notProtected: 'no_access' }]);
    await suite.product.app.db.deleteFrom('campaignLists').execute();
    suite.product.clock.advance(LATER_MS);
    const first = await who.user.call('GET', `/api/campaigns/${who.accountId}`);
    expect(first).toMatchObject({ status: 404, body: { error: { code: 'AD_ACCOUNT_NOT_FOUND' } } });
    await suite.simulators.graph.ask('DELETE', '/faults');
    suite.product.clock.advance(LATER_MS);
    await get();
    expect((await who.user.get<Accounts>('/api/ad-accounts')).adAccounts[0]).not.toHaveProperty(
      'notProtected',
    );
  });

  test('a failed read of one user does not affect another user', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const colleague = await suite.colleagueOf(who);
    suite.product.clock.advance(LATER_MS);
    for (const one of [who, colleague]) await one.user.get('/api/ad-accounts');
    const match = { user: who.userId, path: 'campaigns' };
    const fault = await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    const get = (one: Pick<Advertiser, 'user'>) => one.user.get<Listed>(`/api/campaigns/${who.accountId}`);
    await get(who);
    await suite.amid('the first to ask', async () => (await suite.simulators.graph.parked(fault)) === 1);
    suite.product.clock.advance(6_000);
    expect((await get(who)).lastKnown?.because).toBe('no_answer');
    const from = suite.product.clock.now();
    await suite.until('the other to have read it', async () => {
      await get(colleague);
      return (await readAt(who)) >= from;
    });
    expect(await get(colleague)).not.toHaveProperty('lastKnown');
  });

  test('a rate limit is the reason of the list, and without a stored list the request fails', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const get = () => who.user.call<object>('GET', `/api/campaigns/${who.accountId}`);
    await suite.simulators.graph.fault({
      kind: 'error',
      code: 17,
      times: 0,
      match: { user: who.userId, path: 'campaigns' },
    });
    await suite.advance(310_000);
    expect((await get()).body).toMatchObject({ lastKnown: { because: 'limit' } });
    await suite.product.app.db.deleteFrom('campaignLists').where('accountId', '=', who.accountId).execute();
    const failed = { status: 502, body: { error: { code: 'PLATFORM_UNAVAILABLE' } } };
    for (let n = 0; n < 2; n += 1) expect(await get()).toMatchObject(failed);
  });

  test('a list that Meta gives no longer to the token asks for a new login', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await suite.product.app.db.deleteFrom('campaignLists').where('accountId', '=', who.accountId).execute();
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    const expired = { status: 502, body: { error: { code: 'TOKEN_EXPIRED' } } };
    expect(await who.user.call('GET', `/api/campaigns/${who.accountId}`)).toMatchObject(expired);
  });

  test('a click at the rate limit says when to try again, and the next one does not call Meta', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const [only = ''] = who.campaignIds;
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind: 'error', code: 80004, subcode: 2446079, times: 0, match });
    const click = () => suite.press(who, 'pause');
    const message = expect.stringMatching(/rate limit .* is reached\. Try again in \d+ min\.$/) as string;
    const limited = { status: 502, body: { error: { code: 'CAMPAIGN_ACTION_FAILED', message } } };
    expect(await click()).toMatchObject(limited);
    await suite.simulators.graph.ask('DELETE', '/requests');
    expect(await click()).toMatchObject(limited);
    const asked = (await suite.simulators.graph.requests()).flatMap(({ batch }) => batch ?? []);
    expect(asked.filter(({ relative_url }) => relative_url.startsWith(only))).toEqual([]);
  });

  test('a user who lost the ad account sees no data read there for others', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await suite.colleagueOf(who);
    await suite.hasAccounts(colleague, []);
    const path = `/api/campaigns/${who.accountId}`;
    await suite.later(120_000);
    // One list without the account may be a fault of Meta.
    expect(await colleague.user.call('GET', path)).toMatchObject({ status: 200 });
    await suite.edit(who, { name: 'SECRET LAUNCH' });
    await suite.later(120_000);
    await suite.until('the new name to be read', async () =>
      JSON.stringify(await who.user.get(path)).includes('SECRET LAUNCH'),
    );
    await suite.later(120_000);
    const seen = await colleague.user.call('GET', path);
    expect(seen.status).toBe(404);
    expect(JSON.stringify(seen.body)).not.toContain('SECRET LAUNCH');
  });
});
