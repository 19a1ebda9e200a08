import * as sdk from 'facebook-nodejs-business-sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GraphWorld } from '../../../simulators/meta-graph/graph.fixture.ts';
import {
  DANIEL,
  DANIELS_ACCOUNT,
  HYDRATION,
  MAYA,
  MAYAS_ACCOUNT,
  SPRING_SALE,
  useGraph,
} from '../../../simulators/meta-graph/graph.fixture.ts';
import { ACCOUNT_READERS } from '../../../simulators/meta-graph/state/accounts.ts';
import { ACTIVITY_READERS } from '../../../simulators/meta-graph/state/activities.ts';
import { campaignReaders } from '../../../simulators/meta-graph/state/campaigns.ts';
import type { GraphState } from '../../../simulators/meta-graph/state/state.ts';
import { USER_READERS } from '../../../simulators/meta-graph/state/users.ts';

let world: GraphWorld;

useGraph((started) => (world = started));
beforeAll(() => {
  Object.defineProperty(sdk.FacebookAdsApi, 'GRAPH', { get: () => world.url });
  Object.defineProperty(sdk.FacebookAdsApi, 'VERSION', { get: () => 'v26.0' });
});

async function signIn(userId: string): Promise<sdk.FacebookAdsApi> {
  return sdk.FacebookAdsApi.init(await world.tokenOf(userId), 'en_US', false);
}

describe('the official SDK against the simulated platform', () => {
  test('reads the user and all their ad accounts', async () => {
    await signIn(MAYA);
    const me = await new sdk.User('me').get(['id', 'name', 'email']);
    expect(me.name).toBe('Maya Chen');
    const accounts = await new sdk.User('me').getAdAccounts(['id', 'name', 'currency'], { limit: 1 });
    expect(accounts.map(({ name }) => name)).toEqual(['Juniper & Vale Skincare']);
    expect(accounts.hasNext()).toBe(true);
    const second = await accounts.next();
    expect(second.map(({ name, currency }) => [name, currency])).toEqual([['Juniper & Vale Canada', 'USD']]);
    expect(second.hasNext()).toBe(false);
  });

  test('reads campaigns over several pages', async () => {
    await signIn(DANIEL);
    const page = await new sdk.AdAccount(DANIELS_ACCOUNT).getCampaigns(['id', 'name'], { limit: 15 });
    const pages = [page.map(({ id }) => id)];
    while (page.hasNext()) pages.push((await page.next()).map(({ id }) => id));
    expect(pages.map(({ length }) => length)).toEqual([15, 15, 10]);
    expect(new Set(pages.flat()).size).toBe(40);
  });

  test('pauses and resumes a campaign, and lists both changes as activities', async () => {
    await signIn(MAYA);
    const campaign = new sdk.Campaign(SPRING_SALE);
    expect(await campaign.update([], { status: 'PAUSED' })).toEqual({ success: true });
    expect((await campaign.get(['status', 'daily_budget'])).status).toBe('PAUSED');
    expect(await campaign.update([], { status: 'ACTIVE' })).toEqual({ success: true });
    expect((await world.writes()).map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
    const account = new sdk.AdAccount(MAYAS_ACCOUNT);
    const activities = await account.getActivities(['event_type', 'object_id', 'application_id']);
    expect(activities.map(({ object_id }) => object_id)).toEqual([SPRING_SALE, SPRING_SALE]);
    expect(activities[0]).toMatchObject({
      event_type: 'update_campaign_run_status',
      application_id: '1000000000000001',
    });
  });

  test('runs a batch in which one operation fails', async () => {
    const api = await signIn(MAYA);
    const ended: [string, unknown][] = [];
    const batch = new sdk.FacebookAdsApiBatch(api);
    for (const id of [SPRING_SALE, '999', HYDRATION]) {
      batch.add(
        'POST',
        [id],
        { status: 'PAUSED' },
        undefined,
        ({ body }) => ended.push([id, body]),
        ({ error }) => ended.push([id, error?.response.error.error_subcode]),
      );
    }
    expect(await batch.execute()).toBeNull();
    expect(ended).toEqual([
      [SPRING_SALE, { success: true }],
      ['999', 33],
      [HYDRATION, { success: true }],
    ]);
  });

  test('receives a new batch for the operations that were cut off', async () => {
    const api = await signIn(MAYA);
    await world.fault({ kind: 'null_entry', campaign: HYDRATION });
    const batch = new sdk.FacebookAdsApiBatch(api);
    const done: string[] = [];
    for (const id of [SPRING_SALE, HYDRATION])
      batch.add(
        'POST',
        [id],
        { status: 'PAUSED' },
        undefined,
        () => done.push(id),
        () => undefined,
      );
    const rest = await batch.execute();
    expect(done).toEqual([SPRING_SALE]);
    expect(await rest?.execute()).toBeNull();
    expect(done).toEqual([SPRING_SALE, HYDRATION]);
  });

  test('raises an error with its code and subcode', async () => {
    await signIn(MAYA);
    await world.fault({ kind: 'error', code: 17, subcode: 2446079 });
    const refused = new sdk.Campaign(SPRING_SALE).update([], { status: 'PAUSED' });
    await expect(refused).rejects.toMatchObject({
      name: 'FacebookRequestError',
      status: 400,
      message: '(#17) User request limit reached',
      response: { code: 17, error_subcode: 2446079, is_transient: true },
    });
  });

  test.each([
    ['Campaign', sdk.Campaign.Fields, campaignReaders({} as GraphState)],
    ['AdAccount', sdk.AdAccount.Fields, ACCOUNT_READERS],
    ['User', sdk.User.Fields, USER_READERS],
    ['AdActivity', sdk.AdActivity.Fields, ACTIVITY_READERS],
  ])('knows every simulated field of %s', (_node, fields, readers) => {
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(readers)));
  });
});
