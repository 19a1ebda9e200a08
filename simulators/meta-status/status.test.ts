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
  await page.reports('High disruptions');
  const posts = [
    { status: 'Medium disruptions', time: '2026-01-01T10:00:00Z' },
    { status: 'High disruptions' },
  ];
  expect(await outages()).toMatchObject([{ service_id: 2, status: 'High disruptions', posts }]);
  await page.reports('Resolved');
  expect(await delivery()).toBe('No known issues');
  expect(await outages('/data/outages/ads-manager.history.json')).toEqual(await outages());
  await page.post('/status', { status: 'Low disruptions', only: 'orgs' });
  expect([await delivery(), await outages()]).toMatchObject(['Low disruptions', [{ status: 'Resolved' }]]);
});

test('an unchanged file is answered with 304, an unknown path with the HTML shell', async () => {
  const etag = (await get(OUTAGES)).headers.get('etag') ?? '';
  expect((await get(OUTAGES, { 'if-none-match': etag })).status).toBe(304);
  await page.reports('Low disruptions');
  expect((await get(OUTAGES, { 'if-none-match': etag })).status).toBe(200);
  expect(await (await get('/data/outages/unknown.json')).text()).toContain('<div id="root">');
});

test('the outage of January 8, 2026 is replayed with its own times, and can be stopped', async () => {
  const order = { speed: 60, fromSecondsBefore: 60 };
  const { startsAt, endsAt } = await page.post<{ startsAt: string; endsAt: string }>('/replay', order);
  expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(118_000);
  await page.post('/clock', { offsetMs: 2000 });
  const time = '2026-01-09T02:10:00Z';
  expect(await outages()).toMatchObject([{ status: 'High disruptions', time }]);
  await page.post('/clock', { offsetMs: 120_000 });
  const posts = [{ time }, { status: 'Resolved', time: '2026-01-09T04:08:00Z' }];
  expect(await outages()).toMatchObject([{ status: 'Resolved', posts }]);
  await page.post('/replay', { fromSecondsBefore: 0 });
  expect(await delivery()).toBe('High disruptions');
  await page.ask('DELETE', '/replay');
  expect(await delivery()).toBe('No known issues');
});

test.each<[object, (answer: Response) => unknown, unknown]>([
  [{ kind: 'http', http: 502 }, ({ status }) => status, 502],
  [{ kind: 'html' }, (answer) => answer.text(), expect.stringContaining('<html')],
  [{ kind: 'truncated' }, async (answer) => (await answer.text()).endsWith(']'), false],
  [
    { kind: 'unknown_phrase', phrase: 'Purple' },
    (answer) => answer.text(),
    expect.stringContaining('Purple'),
  ],
])('a fault changes one response: %j', async (fault, read, expected) => {
  await page.fault({ kind: 'down', path: 'outages', ...fault });
  expect(await delivery()).toBe('No known issues');
  await page.ask('DELETE', '/faults');
  await page.fault({ kind: 'down', ...fault });
  expect(await read(await get('/data/orgs.json'))).toEqual(expected);
  expect(await delivery()).toBe('No known issues');
});

test('the page is down, or a cache serves the last file with its old date', async () => {
  await get(OUTAGES);
  await page.reports('High disruptions');
  await page.fault({ kind: 'frozen', ms: 3_600_000 });
  const frozen = await get(OUTAGES);
  expect(await frozen.json()).toEqual([]);
  expect(Date.now() - Date.parse(frozen.headers.get('date') ?? '')).toBeGreaterThan(3_500_000);
  expect(await outages()).toHaveLength(1);
  await page.fault({ kind: 'down', times: 0 });
  for (let call = 0; call < 2; call += 1) await expect(get(OUTAGES)).rejects.toThrow();
  await expect(page.fault({ kind: 'null_entry' })).rejects.toThrow(/kind must be one of/);
});
