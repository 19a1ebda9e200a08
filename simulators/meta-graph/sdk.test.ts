import * as sdk from 'facebook-nodejs-business-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  DANIEL,
  DANIELS_ACCOUNT,
  GraphWorld,
  HYDRATION,
  MAYA,
  SPRING_SALE,
} from '../fixtures/graph.fixture.ts';
import { ACTIVITY_FIELDS, AD_ACCOUNT_FIELDS, CAMPAIGN_FIELDS, USER_FIELDS } from './fields.ts';

let world: GraphWorld;

beforeAll(async () => {
  world = await GraphWorld.start();
  Object.defineProperty(sdk.FacebookAdsApi, 'GRAPH', { get: () => world.url });
  Object.defineProperty(sdk.FacebookAdsApi, 'VERSION', { get: () => 'v26.0' });
});
beforeEach(() => world.reset());
afterAll(() => world.server.close());

async function signIn(userId: string): Promise<sdk.FacebookAdsApi> {
  return sdk.FacebookAdsApi.init(await world.tokenOf(userId), 'en_US', false);
}

describe('the official SDK against the simulated platform', () => {
  test('reads the person and all their ad accounts', async () => {
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

  test('reads campaigns over several pages, forward and back', async () => {
    await signIn(DANIEL);
    const fields = ['id', 'name', 'status'];
    const page = await new sdk.AdAccount(DANIELS_ACCOUNT).getCampaigns(fields, { limit: 15, summary: true });
    expect(page.summary).toEqual({ total_count: 40 });
    const first = page.map(({ id }) => id);
    const pages = [first];
    while (page.hasNext()) pages.push((await page.next()).map(({ id }) => id));
    expect(pages.map(({ length }) => length)).toEqual([15, 15, 10]);
    expect(new Set(pages.flat()).size).toBe(40);
    expect((await page.previous()).map(({ id }) => id)).toEqual(pages[1]);
    expect((await page.previous()).map(({ id }) => id)).toEqual(first);
    expect(page.hasPrevious()).toBe(false);
  });

  test('pauses and resumes a campaign, and finds it in the activities', async () => {
    await signIn(MAYA);
    const campaign = new sdk.Campaign(SPRING_SALE);
    expect(await campaign.update([], { status: 'PAUSED' })).toEqual({ success: true });
    expect((await campaign.get(['status', 'daily_budget'])).status).toBe('PAUSED');
    expect(await campaign.update([], { status: 'ACTIVE' })).toEqual({ success: true });
    expect((await world.writes()).map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
    const account = new sdk.AdAccount('act_1048576203948571');
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

  test('gets back a new batch for what was cut off', async () => {
    const api = await signIn(MAYA);
    await world.sim('POST', '/faults', { kind: 'null_entry', campaign: HYDRATION });
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
    await world.sim('POST', '/faults', { kind: 'error', code: 17, subcode: 2446079 });
    const refused = new sdk.Campaign(SPRING_SALE).update([], { status: 'PAUSED' });
    await expect(refused).rejects.toMatchObject({
      name: 'FacebookRequestError',
      status: 400,
      message: '(#17) User request limit reached',
      response: { code: 17, error_subcode: 2446079, is_transient: true },
    });
  });

  test('is recorded as one that puts its token into addresses', async () => {
    await signIn(MAYA);
    await new sdk.User('me').get(['id']);
    const { requests } = await world.sim<{ requests: object[] }>('GET', '/requests');
    expect(requests.at(-1)).toMatchObject({ tokenInQuery: true, query: { access_token: '[secret]' } });
    expect(JSON.stringify(requests)).not.toContain('EAAB');
  });

  test('knows the same fields', () => {
    const newer = [
      'frequency_control_specs',
      'is_meta_moment_maker_enabled',
      'is_reels_trending_ads_enabled',
    ];
    expect(CAMPAIGN_FIELDS.filter((field) => !newer.includes(field))).toEqual(
      Object.keys(sdk.Campaign.Fields).sort(),
    );
    expect(AD_ACCOUNT_FIELDS.filter((field) => field !== 'opportunity_score_weight')).toEqual(
      Object.keys(sdk.AdAccount.Fields).sort(),
    );
    expect(USER_FIELDS).toEqual(expect.arrayContaining(Object.keys(sdk.User.Fields)));
    expect(ACTIVITY_FIELDS).toEqual(Object.keys(sdk.AdActivity.Fields).sort());
  });
});
