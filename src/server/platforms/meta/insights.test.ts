import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ControlClient } from '../../../../scripts/simulator-clients/control-client.ts';
import type { SimServer } from '../../../../simulators/kit/http.ts';
import { startMetaGraph } from '../../../../simulators/meta-graph/server.ts';
import { fetchTo, httpTo } from '../../../../test/support/transports.ts';
import type { SpendReports } from '../platform.ts';
import { createGraphClient } from './client.ts';
import { createSpendReports } from './insights.ts';
import { PageSizes } from './page-sizes.ts';

const USER = '122093847561029384';
const ACCOUNT = 'act_7';
const DAY = '2026-01-08';
const IDS = Array.from({ length: 30 }, (_, n) => String(700 + n));
const APP = { appId: '1000000000000001', appSecret: 'simulated-app-secret' };

let server: SimServer;
let world: ControlClient;
let reports: SpendReports;
let token: string;
beforeAll(async () => {
  server = await startMetaGraph();
  world = new ControlClient(server.url, fetchTo(server.handle));
  const http = httpTo(new Map([[new URL(server.url).host, server.handle]]));
  const graph = createGraphClient({ ...APP, graphUrl: server.url, apiVersion: 'v26.0' }, http, Date.now);
  reports = createSpendReports(graph, new PageSizes());
});
afterAll(() => server.close());
beforeEach(async () => {
  await world.post('/reset');
  await world.post('/clock', { offsetMs: Date.parse('2026-01-10T12:00:00Z') - Date.now() });
  await seed('USD');
});

async function seed(currency: string) {
  const campaigns = IDS.map((id) => ({
    id,
    name: id,
    daily_budget: '10000',
    ...(id === '729' && { status: 'PAUSED' }),
  }));
  const account = { id: ACCOUNT, name: 'Shop', currency, timezone_name: 'UTC', campaigns };
  await world.post('/seed', { replace: true, users: [{ id: USER, name: 'Maya', accounts: [account] }] });
  token = (await world.post<{ access_token: string }>('/tokens', { userId: USER })).access_token;
}

async function begin(ids: readonly string[] | null = IDS): Promise<string> {
  const begun = await reports.begin(token, ACCOUNT, DAY, ids);
  if (!begun.ok || begun.value === null) throw new Error('no report');
  return begun.value;
}
const read = async (id: string, day = DAY) => reports.read(token, ACCOUNT, day, id);

function spendOf(given: Awaited<ReturnType<typeof read>>) {
  if (!given.ok || !(given.value instanceof Map)) throw new Error(JSON.stringify(given));
  return given.value;
}
const sum = (values: readonly number[] = []) => values.reduce((total, one) => total + one, 0);

test('[SPEND-01] hourly spend is read by a report, in several pages, in cents', async () => {
  await world.post('/insights', { reportMs: 60_000 });
  const id = await begin();
  expect(await read(id)).toMatchObject({ ok: true, value: 'PENDING' });
  await world.post('/clock', { offsetMs: Date.parse('2026-01-10T12:01:01Z') - Date.now() });
  const found = spendOf(await read(id));
  expect([...found.keys()].toSorted()).toEqual(IDS.slice(0, -1));
  for (const { spend, impressions } of found.values()) {
    expect([spend.length, impressions.length]).toEqual([24, 24]);
    expect(sum(spend)).toBeGreaterThan(5000);
    expect(sum(spend)).toBeLessThan(17_500);
    for (const one of [...spend, ...impressions]) expect(Number.isInteger(one)).toBe(true);
  }
});

test('[SPEND-01] of all campaigns together, also of those that are not asked for', async () => {
  const parts = [...spendOf(await read(await begin())).values()];
  const found = spendOf(await read(await begin(null)));
  expect([...found.keys()]).toEqual([ACCOUNT]);
  const { spend = [], impressions = [] } = found.get(ACCOUNT) ?? {};
  for (let hour = 0; hour < 24; hour++) {
    expect(spend[hour]).toBe(sum(parts.map((one) => one.spend[hour] ?? NaN)));
    expect(impressions[hour]).toBe(sum(parts.map((one) => one.impressions[hour] ?? NaN)));
  }
});

test('[SPEND-01] only of these campaigns, in whole units where Meta counts so', async () => {
  const cents = spendOf(await read(await begin(['700']))).get('700');
  await seed('JPY');
  const found = spendOf(await read(await begin(['700', '729'])));
  expect([...found.keys()]).toEqual(['700']);
  // The budget is the same number, of another unit.
  expect(Math.abs(sum(found.get('700')?.spend) - sum(cents?.spend))).toBeLessThan(24);
});

test('[SPEND-01] a row without its hour is left out', async () => {
  const whole = spendOf(await read(await begin(['700']))).get('700');
  await world.fault({ kind: 'rows_without_hour' });
  const found = spendOf(await read(await begin(['700']))).get('700');
  expect(found?.spend).toEqual([0, ...(whole?.spend.slice(1) ?? [])]);
});

test.each(['failed_report', 'skipped_report'])('[SPEND-01] Meta may not make a report: %s', async (kind) => {
  await world.fault({ kind });
  expect(await read(await begin())).toMatchObject({ ok: true, value: 'FAILED' });
});

test('[SPEND-01] a report that is too large is none, and limits of the insights are known as such', async () => {
  await world.post('/insights', { largestReport: 24 });
  expect(await reports.begin(token, ACCOUNT, DAY, ['700', '701'])).toMatchObject({ ok: true, value: null });
  await world.fault({ kind: 'error', code: 80_000, subcode: 2446079, path: '/insights$' });
  const refused = await reports.begin(token, ACCOUNT, DAY, ['700']);
  expect(refused).toMatchObject({
    ok: false,
    failure: { kind: 'rate_limited' },
    usage: { percent: expect.any(Number) as unknown },
  });
  await world.fault({ kind: 'error', code: 4, subcode: 1504022, path: '/insights$' });
  const ofPlatform = await reports.begin(token, ACCOUNT, DAY, ['700']);
  expect(ofPlatform).toMatchObject({ ok: false, failure: { kind: 'rate_limited', appStop: null } });
});

test.each([
  ['of another day', { date_start: '2026-01-07' }],
  ['without an amount', { spend: undefined }],
  ['without any hour', { hourly_stats_aggregated_by_advertiser_time_zone: undefined }],
])('[SPEND-01] a report %s says nothing', async (_what, changed) => {
  const hour = '07:00:00 - 07:59:59';
  const row = {
    campaign_id: '700',
    account_currency: 'USD',
    spend: '1.5',
    impressions: '9',
    date_start: DAY,
    date_stop: DAY,
    hourly_stats_aggregated_by_advertiser_time_zone: hour,
  };
  const call = ({ path }: { path: string }) => {
    const value = path.endsWith('/insights')
      ? { data: [{ ...row, ...changed }] }
      : { async_status: 'Job Completed', async_percent_completion: 100 };
    return Promise.resolve({ ok: true as const, value, headers: {} });
  };
  const odd = createSpendReports({ call, now: Date.now, aheadMs: () => 0 }, new PageSizes());
  expect(await odd.read('token', ACCOUNT, DAY, '1')).toMatchObject({
    ok: false,
    failure: { kind: 'transient' },
  });
});

describe('[EARLY-01] what was delivered on a day so far', () => {
  const TODAY = '2026-01-10';
  const at = (time: string) => Date.parse(`${TODAY}T${time}:00Z`);
  const setNow = (time: string) => world.post('/clock', { offsetMs: at(time) - Date.now() });
  async function readDay(day = TODAY) {
    const result = await reports.readDay(token, ACCOUNT, day);
    if (!result.ok) throw new Error(result.failure.message);
    return result.value;
  }
  const totalOf = (value: Awaited<ReturnType<typeof readDay>>) =>
    sum(Object.values(value).map(([spend]) => spend));

  test('is read at once, by campaign and in its unit, and grows with the clock', async () => {
    const noon = await readDay();
    expect(Object.keys(noon).toSorted()).toEqual(IDS.slice(0, -1));
    const hourly = await reports.begin(token, ACCOUNT, TODAY, IDS);
    const found = spendOf(await read((hourly.ok && hourly.value) || '', TODAY));
    for (const [id, [spend, impressions]] of Object.entries(noon)) {
      expect(Math.abs(spend - sum(found.get(id)?.spend))).toBeLessThan(12);
      expect(Math.abs(impressions - sum(found.get(id)?.impressions))).toBeLessThan(12);
    }
    await setNow('12:40');
    expect(totalOf(await readDay())).toBeGreaterThan(totalOf(noon));
    expect(await readDay('2026-01-11')).toEqual({});
    await seed('JPY');
    expect(totalOf(await readDay()) / totalOf(noon)).toBeGreaterThan(1);
  });

  test('stays where Meta delivers nothing, and doubles where it delivers twice as much', async () => {
    await setNow('11:59');
    const noon = totalOf(await readDay());
    await world.post('/disturbances', { from: at('12:00'), until: at('13:00'), spend: 0, cpm: 1 });
    await setNow('12:45');
    expect(totalOf(await readDay())).toBe(noon);
    await world.post('/reset');
    await seed('USD');
    await setNow('12:45');
    const usual = totalOf(await readDay());
    await world.post('/disturbances', { from: at('12:00'), until: at('13:00'), spend: 2, cpm: 1 });
    expect((totalOf(await readDay()) - noon) / (usual - noon)).toBeCloseTo(2, 1);
  });

  test.each([
    [
      'an answer that is no report',
      async () => world.fault({ kind: 'html', path: 'insights', times: 0 }),
      false,
    ],
    ['a limit', async () => world.fault({ kind: 'error', code: 80_000, path: 'insights' }), false],
  ])('%s', async (_what, begin, isRead) => {
    const whole = await readDay();
    await begin();
    const result = await reports.readDay(token, ACCOUNT, TODAY);
    expect(result.ok).toBe(isRead);
    if (result.ok) expect(result.value).toEqual(whole);
  });

  const answering = (answer: (after: string | undefined) => object) => {
    const calls: string[] = [];
    const call = ({ params, path }: { params?: Record<string, string>; path: string }) => {
      calls.push(path);
      return Promise.resolve({ ok: true as const, value: answer(params?.['after']), headers: {} });
    };
    return { calls, reports: createSpendReports({ call, now: Date.now } as never, new PageSizes()) };
  };
  const row = (id: string, given: object = {}) => ({
    ...{ account_id: '7', campaign_id: id, account_currency: 'USD', spend: '1.5', impressions: '9' },
    ...{ date_start: TODAY, date_stop: TODAY, ...given },
  });

  test('in several pages', async () => {
    const paged = answering((after) =>
      after === undefined
        ? { data: [row('1')], paging: { cursors: { after: 'x' }, next: 'more' } }
        : { data: [row('2', { spend: '0.29' })] },
    );
    const result = await paged.reports.readDay(token, ACCOUNT, TODAY);
    expect(result).toMatchObject({ ok: true, value: { 1: [150, 9], 2: [29, 9] } });
    expect(paged.calls).toHaveLength(2);
  });

  test.each([
    ['of another day', { date_stop: '2026-01-09' }],
    ['without an amount', { spend: undefined }],
    ['of less than nothing', { spend: '-1' }],
  ])('a row %s makes it unknown', async (_what, given) => {
    const wrong = answering(() => ({ data: [row('1'), row('2', given)] }));
    expect(await wrong.reports.readDay(token, ACCOUNT, TODAY)).toMatchObject({ ok: false });
  });

  test('a failure is not asked for again', async () => {
    const before = (await world.requests()).length;
    await world.fault({ kind: 'error', code: 2, path: 'insights', times: 0 });
    expect(await reports.readDay(token, ACCOUNT, TODAY)).toMatchObject({ ok: false });
    expect((await world.requests()).length - before).toBe(1);
  });
});
