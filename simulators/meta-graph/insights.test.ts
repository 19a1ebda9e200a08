import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/simulator-clients/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { Limits } from './limits.ts';
import { startMetaGraph } from './server.ts';

const MAYA = '122093847561029384';
const ACCOUNT = 'act_7';
const IDS = ['71', '72', '73'];
const HOURLY = 'hourly_stats_aggregated_by_advertiser_time_zone';
const HOUR = 3_600_000;

let server: SimServer;
let world: ControlClient;
let token: string;
beforeAll(async () => {
  server = await startMetaGraph();
  world = new ControlClient(server.url);
});
afterAll(() => server.close());

async function seed(given: object) {
  const [first, ...others] = IDS.map((id) => ({ id, name: `Campaign ${id}`, daily_budget: '10000' }));
  const campaigns = [first, ...others.map((one) => ({ ...one, status: 'PAUSED' }))];
  const account = { id: ACCOUNT, name: 'Shop', currency: 'USD', timezone_name: 'UTC', campaigns, ...given };
  await world.post('/seed', { replace: true, users: [{ id: MAYA, name: 'Maya', accounts: [account] }] });
  token = (await world.post<{ access_token: string }>('/tokens', { userId: MAYA })).access_token;
}
beforeEach(async () => {
  await world.post('/reset');
  await setNow('2026-01-10T12:00:00Z');
  await seed({});
});

const setNow = (time: string) => world.post('/clock', { offsetMs: Date.parse(time) - Date.now() });

interface Row {
  campaign_id: string;
  spend: string;
  impressions: string;
  [HOURLY]?: string;
}
interface Answer {
  data: Row[];
  report_run_id: string;
  async_status: string;
  paging?: { next?: string };
}

async function call(
  method: string,
  path: string,
  params: object = {},
): Promise<Answer & { throttle: string }> {
  const fields = new URLSearchParams({ access_token: token, ...params });
  const isPost = method === 'POST';
  const address = `${world.url}/v26.0/${path}${isPost ? '' : `?${fields.toString()}`}`;
  const answer = await fetch(address, { method, body: isPost ? fields : null });
  const body = (await answer.json()) as Record<string, unknown>;
  const throttle = answer.headers.get('x-fb-ads-insights-throttle');
  return { ...((body['error'] ?? body) as Answer), throttle: throttle ?? '' };
}

const of = (since: string, until = since, more: object = {}) => ({
  ...{ level: 'campaign', fields: 'campaign_id,spend,impressions', breakdowns: HOURLY, limit: '500' },
  time_range: JSON.stringify({ since, until }),
  ...more,
});
const read = (since: string, until = since, more: object = {}) =>
  call('GET', `${ACCOUNT}/insights`, of(since, until, more));
const spentIn = ({ data }: Answer, hours = (_hour: number) => true) =>
  data
    .filter((row) => hours(Number(row[HOURLY]?.slice(0, 2))))
    .reduce((sum, { spend }) => sum + Number(spend), 0);

test('a report is made after the request, and read in pages', async () => {
  await world.post('/insights', { reportMs: 90_000 });
  const { report_run_id: id } = await call('POST', `${ACCOUNT}/insights`, of('2026-01-08'));
  expect(await call('GET', id)).toMatchObject({ async_status: 'Job Running', async_percent_completion: 9 });
  expect(await call('GET', `${id}/insights`)).toMatchObject({ code: 2601 });
  await setNow('2026-01-10T12:02:00Z');
  expect(await call('GET', id)).toMatchObject({
    async_status: 'Job Completed',
    async_percent_completion: 100,
  });
  const first = await call('GET', `${id}/insights`, { limit: '20' });
  expect(first.data[0]).toMatchObject({
    campaign_id: '71',
    [HOURLY]: '00:00:00 - 00:59:59',
    date_start: '2026-01-08',
  });
  const rest = await (await fetch(first.paging?.next ?? '')).json();
  expect([...first.data, ...(rest as Answer).data]).toEqual((await read('2026-01-08')).data);
});

test.each([
  ['failed_report', 'Job Failed'],
  ['skipped_report', 'Job Skipped'],
])('%s', async (kind, status) => {
  await world.fault({ kind });
  const { report_run_id: id } = await call('POST', `${ACCOUNT}/insights`, of('2026-01-08'));
  expect(await call('GET', id)).toMatchObject({ async_status: status });
  expect(await call('GET', `${id}/insights`)).toMatchObject({ code: 2601 });
});

test('days have a believable spend near the budget, an hour of several days is their sum, and a paused campaign has none', async () => {
  const [eighth, ninth, both] = [
    await read('2026-01-08'),
    await read('2026-01-09'),
    await read('2026-01-08', '2026-01-09'),
  ];
  expect(new Set(both.data.map((one) => one.campaign_id))).toEqual(new Set(['71']));
  for (const day of [eighth, ninth]) {
    expect(spentIn(day)).toBeGreaterThan(50);
    expect(spentIn(day)).toBeLessThan(175);
    expect(new Set(day.data.map(({ spend }) => spend)).size).toBeGreaterThan(20);
  }
  const atNine = (hour: number) => hour === 9;
  expect(spentIn(both, atNine)).toBeCloseTo(spentIn(eighth, atNine) + spentIn(ninth, atNine), 6);
  expect((await read('2026-01-08')).data).toEqual(eighth.data);
  const filtering = (value: string[]) => ({
    filtering: JSON.stringify([{ field: 'campaign.id', operator: 'IN', value }]),
  });
  expect((await read('2026-01-08', '2026-01-08', filtering(['72']))).data).toEqual([]);
});

test('a disturbance changes what is spent, and what 1,000 impressions cost; the ad account is the sum of its campaigns', async () => {
  const usual = await read('2026-01-08');
  const at = (hour: number) => Date.parse('2026-01-08') + hour * HOUR;
  await world.post('/disturbances', { from: at(10), until: at(12), spend: 0, cpm: 1 });
  await world.post('/disturbances', { from: at(12), until: at(14), spend: 0.5, cpm: 2 });
  const found = await read('2026-01-08');
  const hour = ({ data }: Answer, wanted: number) =>
    data.find((row) => Number(row[HOURLY]?.slice(0, 2)) === wanted);
  expect([10, 11].map((one) => hour(found, one))).toEqual([undefined, undefined]);
  for (const one of [12, 13]) {
    const [before, now] = [hour(usual, one), hour(found, one)];
    expect(Number(now?.spend) / Number(before?.spend)).toBeCloseTo(0.5, 2);
    expect(Number(now?.['impressions']) / Number(before?.['impressions'])).toBeCloseTo(0.25, 2);
  }
  expect(hour(found, 14)).toEqual(hour(usual, 14));
  const account = await read('2026-01-08', '2026-01-08', { level: 'account', fields: 'account_id,spend' });
  expect(account.data[0]).toMatchObject({ account_id: '7', spend: found.data[0]?.spend });
  expect(account.data).toHaveLength(22);
});

test('values of a day settle for a day after its end', async () => {
  const shares = [];
  for (const time of ['2026-01-09T00:00:00Z', '2026-01-09T02:00:00Z', '2026-01-10T00:00:00Z']) {
    await setNow(time);
    shares.push(spentIn(await read('2026-01-08')));
  }
  const [atEnd = 0, later = 0, final = 0] = shares;
  expect([atEnd / final, later / final].map((one) => one.toFixed(2))).toEqual(['0.90', '0.97']);
  await setNow('2026-01-10T00:30:00Z');
  expect(new Set((await read('2026-01-10')).data.map((row) => row[HOURLY]))).toEqual(
    new Set(['00:00:00 - 00:59:59']),
  );
});

test('nothing is spent while it is paused, and a part of that later on the day', async () => {
  await setNow('2026-01-08T07:59:30Z');
  await world.post('/campaigns/71', { status: 'PAUSED' });
  await setNow('2026-01-08T13:59:30Z');
  await world.post('/campaigns/71', { status: 'ACTIVE' });
  await setNow('2026-01-10T12:00:00Z');
  const paused = await read('2026-01-08');
  await seed({});
  // Without the log of the pause.
  await world.post('/reset');
  await seed({});
  await setNow('2026-01-10T12:00:00Z');
  const usual = await read('2026-01-08');
  const [inPause, after] = [(hour: number) => hour >= 8 && hour < 14, (hour: number) => hour >= 14];
  expect(spentIn(paused, inPause)).toBe(0);
  const later = spentIn(paused, after) - spentIn(usual, after);
  expect(later / spentIn(usual, inPause)).toBeCloseTo(0.6, 2);
});

test.each([
  ['2026-03-08', 'America/New_York', 23],
  ['2026-11-01', 'America/New_York', 24],
])('on %s in %s %i hours have a spend', async (day, timezone_name, hours) => {
  await setNow('2026-12-01T00:00:00Z');
  await seed({ timezone_name });
  expect((await read(day)).data).toHaveLength(hours);
});

test.each([
  ['USD', /^\d+\.\d\d$/],
  ['JPY', /^\d+$/],
])('amounts in %s are decimal texts', async (currency, pattern) => {
  await seed({ currency });
  for (const { spend } of (await read('2026-01-08')).data) expect(spend).toMatch(pattern);
});

test('a request that is too large, unknown, or of others is refused, and a row may lack its hour', async () => {
  await world.post('/insights', { largestReport: 71 });
  expect(await read('2026-01-08')).toMatchObject({ code: 100, error_subcode: 1487534 });
  await world.post('/insights', { largestReport: 72 });
  expect(await read('2026-01-08', '2026-01-08', { fields: 'purchases' })).toMatchObject({ code: 100 });
  expect(await call('GET', 'act_8/insights', of('2026-01-08'))).toMatchObject({
    code: 100,
    error_subcode: 33,
  });
  await world.fault({ kind: 'rows_without_hour' });
  expect((await read('2026-01-08')).data.filter((row) => row[HOURLY] === undefined)).toHaveLength(1);
});

test('the limit of insights is apart, grows with active ads, and decays within an hour', async () => {
  await world.post('/limits', { tier: 'development_access' });
  const { throttle } = await read('2026-01-08');
  expect(JSON.parse(throttle)).toMatchObject({
    acc_id_util_pct: 0.1,
    ads_api_access_tier: 'development_access',
  });
  const limits = new Limits();
  limits.setTier('development_access');
  const refusals = (calls: number, ads: number, at: number) =>
    Array.from({ length: calls }, () => limits.countInsights(ACCOUNT, ads, at).refused).filter(
      (one) => one !== null,
    );
  expect(refusals(600, 0, 0)).toEqual([]);
  expect(refusals(1, 0, 0)).toMatchObject([{ body: { error: { code: 80_000, error_subcode: 2446079 } } }]);
  expect(limits.count(ACCOUNT, 'write', 0).refused).toBeNull();
  expect(refusals(400, 1, 0)).toHaveLength(1);
  expect(refusals(600, 0, 2 * HOUR)).toEqual([]);
});
