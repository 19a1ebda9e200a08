import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Campaign, LastKnown, UserStatus } from '../../../src/contract/shapes.ts';
import { freshDatabase, outliving } from '../../../test/support/database.ts';
import { newAdvertiser, startProduct } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import type { Advertiser } from '../../../test/support/product.ts';

interface Listed {
  campaigns: Pick<Campaign, 'id' | 'name' | 'smartPauseSetting' | 'held'>[];
  readAt: string;
  isBeingRead?: true;
  lastKnown?: LastKnown;
}
interface Accounts {
  adAccounts: { id: string }[];
  lastKnown?: LastKnown;
}

/** Longer than a list stays fresh and its access stays verified. */
const LATER_MS = 61_000;

describe('while Meta does not answer', () => {
  const suite = startSuite();
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  const listOf = ({ user, accountId }: Advertiser) => user.get<Listed>(`/api/campaigns/${accountId}`);
  /** Waits for the response that is marked as last known. */
  const lastKnownOf = (get: () => Promise<Listed>) =>
    waitFor('it to be known that there is nothing newer', async () => {
      const listed = await get();
      return listed.lastKnown === undefined ? null : { ...listed, lastKnown: listed.lastKnown };
    });
  const userStatusOf = async ({ user }: Advertiser) =>
    (await user.get<{ status: UserStatus }>('/api/user/status')).status;

  /** A user whose stored list is old. */
  async function withOldList(campaigns: 'ACTIVE'[] = ['ACTIVE']) {
    const before = suite.product.clock.now();
    const who = await suite.advertiser({ campaigns, on: 0 });
    const readBy = suite.product.clock.now();
    suite.product.clock.advance(LATER_MS);
    const isWhenRead = (at: string) => Date.parse(at) >= before && Date.parse(at) <= readBy;
    return { who, isWhenRead };
  }

  test.each(['reset', 'html', 'truncated', 'error'])(
    '(%s) returns the last known lists with their time',
    async (kind) => {
      const { who, isWhenRead } = await withOldList();
      await suite.simulators.graph.fault({ kind, code: 2, times: 0, match: { user: who.userId } });
      const { campaigns, lastKnown, readAt } = await lastKnownOf(() => listOf(who));
      expect(campaigns.map(({ id }) => id)).toEqual(who.campaignIds);
      expect(lastKnown).toEqual({ at: readAt, because: 'no_answer' });
      expect(isWhenRead(readAt)).toBe(true);
      const accounts = await who.user.get<Accounts>('/api/ad-accounts');
      expect(accounts.adAccounts.map(({ id }) => id)).toEqual([who.accountId]);
      expect(accounts.lastKnown?.because).toBe('no_answer');
      expect(isWhenRead(accounts.lastKnown?.at ?? '')).toBe(true);
      await suite.simulators.graph.ask('DELETE', '/faults');
      suite.product.clock.advance(10_000);
      await waitFor('the list to be new', async () => !isWhenRead((await listOf(who)).readAt));
      expect((await listOf(who)).lastKnown).toBeUndefined();
      expect((await who.user.get<Accounts>('/api/ad-accounts')).lastKnown).toBeUndefined();
    },
  );

  test('SmartPause can be turned on and off on the last known list', async () => {
    const { who } = await withOldList();
    const [id = ''] = who.campaignIds;
    await suite.simulators.graph.fault({ kind: 'reset', times: 0, match: { user: who.userId } });
    const settings: (string | undefined)[] = [];
    for (const enabled of [true, false]) {
      await who.user.setSmartPause(who.accountId, id, enabled);
      settings.push((await listOf(who)).campaigns[0]?.smartPauseSetting);
    }
    expect(settings).toEqual(['ON', 'OFF']);
  });

  test('with a stored list, a request does not wait for a hanging Meta, and a later one gets the new list', async () => {
    const { who, isWhenRead } = await withOldList();
    await who.user.get('/api/ad-accounts');
    const fault = await suite.simulators.graph.fault({
      kind: 'hang_before',
      times: 0,
      match: { user: who.userId, path: 'campaigns' },
    });
    expect(await listOf(who)).toMatchObject({ campaigns: [{ id: who.campaignIds[0] }], isBeingRead: true });
    await waitFor('the platform to be asked', async () => (await suite.simulators.graph.parked(fault)) > 0);
    suite.product.clock.advance(5_000);
    expect((await listOf(who)).lastKnown?.because).toBe('no_answer');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await waitFor('the list to be new', async () => !isWhenRead((await listOf(who)).readAt));
    expect(await listOf(who)).not.toHaveProperty('lastKnown');
  });

  test('reports a reached rate limit as the reason', async () => {
    const { who } = await withOldList();
    const match = { user: who.userId, path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 17, times: 1, match });
    expect((await lastKnownOf(() => listOf(who))).lastKnown.because).toBe('limit');
  });

  test('without a stored list the request fails', async () => {
    const who = await suite.advertiser({ campaigns: [], on: 0 });
    await suite.product.app.db.deleteFrom('campaign_list').where('account_id', '=', who.accountId).execute();
    await suite.simulators.graph.fault({ kind: 'reset', times: 0, match: { user: who.userId } });
    const refused = await who.user.call<{ error: { code: string } }>(
      'GET',
      `/api/campaigns/${who.accountId}`,
    );
    expect([refused.status, refused.body.error.code]).toEqual([502, 'PLATFORM_UNAVAILABLE']);
  });

  test('a rate limit before the first list does not produce an empty list', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await suite.product.app.db.deleteFrom('campaign_list').where('account_id', '=', who.accountId).execute();
    const match = { user: who.userId, path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 17, times: 1, match });
    const answers: number[] = [];
    for (let asked = 0; asked < 2; asked += 1) {
      answers.push((await who.user.call('GET', `/api/campaigns/${who.accountId}`)).status);
    }
    expect(answers).toEqual([502, 502]);
  });

  test('counts campaigns whose pause is still to come, with the reason, until they are paused', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'], on: 3 });
    const waiting = async () => (await userStatusOf(who)).notYetPaused;
    expect(await waiting()).toBeUndefined();
    await suite.simulators.graph.fault({ kind: 'reset', times: 0, match: { user: who.userId } });
    await suite.simulators.status.reports('High disruptions');
    await waitFor('the failure to be known', async () => (await waiting())?.because === 'no_answer');
    expect(await waiting()).toEqual({ count: 2, because: 'no_answer' });
    await suite.simulators.graph.ask('DELETE', '/faults');
    await waitFor('both to be paused', async () => {
      suite.product.clock.advance(5_000);
      return (await waiting()) === undefined;
    });
    expect((await userStatusOf(who)).resumeAt).toBeNull();
    expect((await listOf(who)).campaigns.filter(({ held }) => held)).toHaveLength(2);
    await suite.simulators.status.reports('Resolved');
  });

  test('a new process returns the last known list, too', async () => {
    const database = await freshDatabase();
    const options = { simulators: suite.simulators, database: outliving(database) };
    const first = await startProduct(options);
    const who = await newAdvertiser({
      product: { url: first.url },
      simulators: suite.simulators,
      campaigns: ['ACTIVE', 'PAUSED'],
      on: 0,
    });
    await first.close();
    await suite.simulators.graph.fault({ kind: 'reset', times: 0, match: { user: who.userId } });
    const second = await startProduct({ ...options, database });
    try {
      second.clock.advance(LATER_MS);
      const headers = { authorization: `Bearer ${who.user.token}` };
      const get = async (): Promise<Listed> => {
        const answer = await fetch(`${second.url}/api/campaigns/${who.accountId}`, { headers });
        return (await answer.json()) as Listed;
      };
      const { campaigns, lastKnown } = await lastKnownOf(get);
      expect(campaigns).toHaveLength(2);
      expect(second.clock.now() - Date.parse(lastKnown.at)).toBeGreaterThan(LATER_MS - 1);
    } finally {
      await second.close();
    }
  });
});
