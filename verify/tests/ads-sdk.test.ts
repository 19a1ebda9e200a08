import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ControlClient } from '../../scripts/simulator-clients/control-client.ts';
import type { SimServer } from '../../simulators/kit/http.ts';
import { startMetaGraph } from '../../simulators/meta-graph/server.ts';

// The simulator answers the requests of Meta's own SDK for ads as its documentation says.

const HOURLY = 'hourly_stats_aggregated_by_advertiser_time_zone';
const row = z.object({
  campaign_id: z.string(),
  date_start: z.literal('2026-01-08'),
  spend: z.string().transform(Number),
  impressions: z.string().transform(Number),
  [HOURLY]: z.string().regex(/^\d\d:00:00 - \d\d:59:59$/),
});

/** It has no types. */
interface Cursor extends Array<{ _data: unknown }> {
  hasNext(): boolean;
  next(): Promise<Cursor>;
}
interface Node {
  get(fields: string[]): Promise<Record<string, unknown>>;
  getInsights(fields: string[], params?: object): Promise<Cursor>;
  getInsightsAsync(fields: string[], params: object): Promise<Node>;
}
interface Sdk {
  FacebookAdsApi: { init(token: string): void; GRAPH: string };
  AdAccount: new (id: string) => Node;
}
const sdk = createRequire(import.meta.url)('facebook-nodejs-business-sdk') as Sdk;

let server: SimServer;
beforeAll(async () => {
  server = await startMetaGraph();
  Object.defineProperty(sdk.FacebookAdsApi, 'GRAPH', { value: server.url });
});
afterAll(() => server.close());

test('[SPEND-01] Meta’s SDK reads hourly spend from the simulator: at once, by a report, and page by page', async () => {
  const world = new ControlClient(server.url);
  await world.post('/clock', { offsetMs: Date.parse('2026-01-10T12:00:00Z') - Date.now() });
  const campaigns = ['71', '72', '73'].map((id) => ({ id, name: id, daily_budget: '10000' }));
  const account = { id: 'act_7', name: 'Shop', currency: 'USD', timezone_name: 'UTC', campaigns };
  await world.post('/seed', { replace: true, users: [{ id: '1', name: 'Maya', accounts: [account] }] });
  const { access_token: token } = await world.post<{ access_token: string }>('/tokens', { userId: '1' });
  sdk.FacebookAdsApi.init(token);
  const params = {
    ...{ level: 'campaign', breakdowns: [HOURLY], limit: 50 },
    time_range: { since: '2026-01-08', until: '2026-01-08' },
  };
  const fields = ['campaign_id', 'spend', 'impressions'];
  const shop = new sdk.AdAccount(account.id);

  let page = await shop.getInsights(fields, params);
  const atOnce = page.map(({ _data }) => row.parse(_data));
  expect(atOnce).toHaveLength(50);
  while (page.hasNext()) {
    page = await page.next();
    atOnce.push(...page.map(({ _data }) => row.parse(_data)));
  }
  expect(atOnce).toHaveLength(3 * 24);
  expect(new Set(atOnce.map((one) => one.campaign_id)).size).toBe(3);

  const report = await shop.getInsightsAsync(fields, params);
  expect(await report.get(['async_status', 'async_percent_completion'])).toMatchObject({
    async_status: 'Job Completed',
    async_percent_completion: 100,
  });
  const made = await report.getInsights(fields, { limit: 500 });
  expect(made.map(({ _data }) => row.parse(_data))).toEqual(atOnce);
});
