import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { AdAccount, LastKnown } from '../../contract/shapes.ts';
import { describeEachEngine } from '../../../test/database.ts';
import type { Advertiser } from '../../../test/product.ts';
import { engineSuite } from '../../../test/engine-suite.ts';
import { signIn } from '../../../scripts/outside/person.ts';

interface Accounts {
  adAccounts: AdAccount[];
  lastKnown?: LastKnown;
}

/** Longer than a list counts as fresh, and its account as somebody's own. */
const LATER_MS = 61_000;

describeEachEngine('what pages ask of Meta', (engine) => {
  const suite = engineSuite(engine);
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  /** How often the platform has been asked for this since. */
  async function counting(path: RegExp): Promise<() => Promise<number>> {
    const { graph } = suite.simulators;
    const count = async () => (await graph.requests()).filter((one) => path.test(one.path)).length;
    const before = await count();
    return async () => (await count()) - before;
  }

  const ofAccounts = /\/me\/adaccounts$/;
  const listOf = (who: Pick<Advertiser, 'accountId'>) => new RegExp(`/${who.accountId}/campaigns$`);
  const times = <T>(count: number, run: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => run(n)));
  const notFound = { status: 404, body: { error: { code: 'CAMPAIGN_NOT_FOUND' } } };
  const toggle = ({ person, accountId }: Advertiser, id: string) =>
    person.call('POST', `/api/smartpause/${accountId}/${id}`, { enabled: true });

  test('ad accounts are asked for once, whoever asks again, and again when that is old', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    suite.product.clock.advance(LATER_MS);
    const asked = await counting(ofAccounts);
    await times(40, () => who.person.get('/api/ad-accounts'));
    await who.person.get('/api/ad-accounts');
    expect(await asked()).toBe(1);
    suite.product.clock.advance(6_000);
    await who.person.get('/api/ad-accounts');
    expect(await asked()).toBe(2);
  });

  test('no ad accounts are an answer as well, also for who asks for those of others', async () => {
    const other = await suite.advertiser({ campaigns: [] });
    const userId = '7222000000001';
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'New Here', accounts: [] }] });
    const person = await signIn(suite.product.url, userId);
    const asked = await counting(ofAccounts);
    expect((await person.get<Accounts>('/api/ad-accounts')).adAccounts).toEqual([]);
    const answers = await times(40, () => person.call('GET', `/api/campaigns/${other.accountId}`));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(await asked()).toBe(1);
    // What is new to them shows when they log in again.
    const accounts = [{ id: 'act_82001', name: 'Given just now', currency: 'USD', campaigns: [] }];
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'New Here', accounts }] });
    const again = await signIn(suite.product.url, userId);
    expect((await again.get<Accounts>('/api/ad-accounts')).adAccounts.map(({ id }) => id)).toEqual([
      'act_82001',
    ]);
  });

  test('a list that hangs is asked for once, however many wait for it and come back for it', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(LATER_MS);
    await who.person.get('/api/ad-accounts');
    const match = { user: who.userId, path: 'campaigns' };
    const fault = await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    const asked = await counting(listOf(who));
    const get = () => who.person.get<{ lastKnown?: LastKnown }>(`/api/campaigns/${who.accountId}`);
    let answered = 0;
    for (let round = 1; round <= 3; round += 1) {
      const waiting = times(10, async () => {
        const answer = await get();
        answered += 1;
        return answer;
      });
      await waitFor('all to be shown what there is', () => {
        suite.product.clock.advance(500);
        return answered === 10 * round;
      });
      for (const { lastKnown } of await waiting) expect(lastKnown?.because).toBe('no_answer');
    }
    expect(await suite.simulators.graph.parked(fault)).toBe(1);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await waitFor('the list to be new', async () => (await get()).lastKnown === undefined);
    expect(await asked()).toBe(1);
  });

  test('campaigns that nobody knows are looked for once, and again when that is old', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(LATER_MS);
    const asked = await counting(listOf(who));
    const answers = await times(60, (n) => toggle(who, `9333${n}`));
    for (const answer of answers) expect(answer).toMatchObject(notFound);
    expect(await toggle(who, '93339999')).toMatchObject(notFound);
    expect(await asked()).toBe(1);
    // One that has been made meanwhile is found.
    const campaigns = [{ id: '93330000', name: 'A new one', status: 'ACTIVE', daily_budget: '1000' }];
    const account = { id: who.accountId, name: 'An account', currency: 'USD', campaigns };
    await suite.simulators.graph.post('/seed', {
      users: [{ id: who.userId, name: 'Some Body', accounts: [account] }],
    });
    suite.product.clock.advance(31_000);
    expect((await toggle(who, '93330000')).status).toBe(200);
    expect(await asked()).toBe(2);
  });

  test('also when the list cannot be read', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    suite.product.clock.advance(LATER_MS);
    const match = { user: who.userId, path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 1, times: 0, match });
    const asked = await counting(listOf(who));
    for (let n = 0; n < 5; n += 1) expect(await toggle(who, `9334${n}`)).toMatchObject(notFound);
    expect(await asked()).toBe(1);
  });

  test('what one could not read for themselves is not answered to another', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const colleague = await suite.colleagueOf(who);
    suite.product.clock.advance(LATER_MS);
    for (const one of [who, colleague]) await one.person.get('/api/ad-accounts');
    const match = { user: who.userId, path: 'campaigns' };
    const fault = await suite.simulators.graph.fault({ kind: 'hang_before', times: 0, match });
    const get = (one: Pick<Advertiser, 'person'>) =>
      one.person.get<{ lastKnown?: LastKnown }>(`/api/campaigns/${who.accountId}`);
    const first = get(who);
    await waitFor('the first to ask', async () => (await suite.simulators.graph.parked(fault)) === 1);
    expect((await get(colleague)).lastKnown).toBeUndefined();
    await suite.simulators.graph.ask('DELETE', '/faults');
    await first;
  });
});
