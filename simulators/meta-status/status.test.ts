import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { startMetaStatus } from './server.ts';
import type { Org, Outage } from './state.ts';

let server: SimServer;
let page: ControlClient;
beforeAll(async () => {
  server = await startMetaStatus();
  page = new ControlClient(server.url);
});
beforeEach(() => page.post('/reset'));
afterAll(() => server.close());

const OUTAGES = '/data/outages/ads-manager.json';
const get = (path: string, headers = {}): Promise<Response> => fetch(page.url + path, { headers });
const outages = async (path = OUTAGES): Promise<Outage[]> => (await (await get(path)).json()) as Outage[];

async function delivery(): Promise<string | undefined> {
  const [ads] = (await (await get('/data/orgs.json')).json()) as Org[];
  return ads?.services.find(({ name }) => name === 'Ads Delivery')?.status;
}

test('an ordered status opens an outage, continues it and resolves it', async () => {
  expect([await delivery(), await outages()]).toEqual(['No known issues', []]);
  await page.post('/status', { status: 'Medium disruptions', at: '2026-01-01T10:00:00Z' });
  await page.post('/status', { status: 'High disruptions' });
  expect(await delivery()).toBe('High disruptions');
  const posts = [
    { status: 'Medium disruptions', time: '2026-01-01T10:00:00Z' },
    { status: 'High disruptions' },
  ];
  expect(await outages()).toMatchObject([{ service_id: 2, status: 'High disruptions', posts }]);
  expect(await outages('/data/outages/ads-manager.history.json')).toEqual([]);
  await page.reports('Resolved');
  expect(await delivery()).toBe('No known issues');
  expect(await outages('/data/outages/ads-manager.history.json')).toEqual(await outages());
  await page.post('/status', { status: 'Low disruptions', only: 'orgs' });
  expect([await delivery(), await outages()]).toMatchObject(['Low disruptions', [{ status: 'Resolved' }]]);
  await expect(page.post('/status', { service: 'x', status: 'x' })).rejects.toThrow(/no service 'x'/);
});

test('an unchanged file is answered with 304, an unknown path with the HTML shell', async () => {
  const { headers } = await get(OUTAGES);
  const known = { 'if-none-match': headers.get('etag') ?? '' };
  const since = { 'if-modified-since': headers.get('last-modified') ?? '' };
  expect([(await get(OUTAGES, known)).status, (await get(OUTAGES, since)).status]).toEqual([304, 304]);
  await page.reports('Low disruptions');
  expect([(await get(OUTAGES, known)).status, (await get(OUTAGES, since)).status]).toEqual([200, 200]);
  expect(await (await get('/data/outages/unknown.json')).text()).toContain('<div id="root">');
});

test('the date of a file moves with the clock', async () => {
  await page.post('/clock', { offsetMs: 86_400_000 });
  const { headers } = await get(OUTAGES);
  expect(Date.parse(headers.get('date') ?? '') - Date.now()).toBeGreaterThan(86_300_000);
});

test('the outage of January 8, 2026 is replayed with its own times, at any speed, and can be stopped', async () => {
  const order = { speed: 60, fromSecondsBefore: 60 };
  const { startsAt, endsAt } = await page.post<{ startsAt: string; endsAt: string }>('/replay', order);
  expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(118_000);
  await page.post('/clock', { offsetMs: 2000 });
  const from = '2026-01-09T02:10:00Z';
  expect(await outages()).toMatchObject([{ status: 'High disruptions', time: from }]);
  await page.post('/clock', { offsetMs: 120_000 });
  expect(await delivery()).toBe('No known issues');
  const posts = [{ time: from }, { status: 'Resolved', time: '2026-01-09T04:08:00Z' }];
  expect(await outages()).toMatchObject([{ status: 'Resolved', posts }]);
  await page.post('/replay', { fromSecondsBefore: 0 });
  expect(await delivery()).toBe('High disruptions');
  await page.ask('DELETE', '/replay');
  expect([await delivery(), await outages()]).toEqual(['No known issues', []]);
});

test('faults apply to the requests that they name', async () => {
  await page.fault({ kind: 'http', http: 502, path: 'outages' });
  await page.fault({ kind: 'unknown_phrase', phrase: 'Purple', path: 'orgs' });
  expect([await delivery(), (await get(OUTAGES)).status]).toEqual(['Purple', 502]);
  await page.fault({ kind: 'html' });
  expect(await (await get(OUTAGES)).text()).toContain('<html');
  await page.fault({ kind: 'truncated' });
  await expect((await get('/data/orgs.json')).json()).rejects.toThrow();
  await page.fault({ kind: 'down', times: 0 });
  for (let call = 0; call < 3; call += 1) await expect(get(OUTAGES)).rejects.toThrow();
  await expect(page.fault({ kind: 'null_entry' })).rejects.toThrow(/kind must be one of/);
});

test('the control page has a button for each level', async () => {
  expect(await (await get('/_sim')).text()).toContain('Ads Delivery: High disruptions');
});
