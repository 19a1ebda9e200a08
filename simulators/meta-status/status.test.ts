import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { INCIDENTS } from './replay.ts';
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

async function read<T>(path: string): Promise<T> {
  return (await (await fetch(page.url + path)).json()) as T;
}

async function lineOf(service: string, org = 'ads-manager'): Promise<string | undefined> {
  const orgs = await read<Org[]>('/data/orgs.json');
  return orgs.find(({ id }) => id === org)?.services.find(({ name }) => name === service)?.status;
}

const outages = (): Promise<Outage[]> => read<Outage[]>(OUTAGES);
const set = (body: object): Promise<unknown> => page.post('/status', body);
const moveClock = (offsetMs: number): Promise<unknown> => page.post('/clock', { offsetMs });

describe('the files', () => {
  test('list the products with their services', async () => {
    const orgs = await read<Org[]>('/data/orgs.json');
    expect(orgs.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['ads-manager', 'marketing-api', 'graph-api', 'facebook-login']),
    );
    const [first] = orgs;
    expect(first?.services.map(({ id, name, status }) => [id, name, status])).toEqual([
      [1, 'Ads Creation and Editing', 'No known issues'],
      [2, 'Ads Delivery', 'No known issues'],
      [3, 'Ads Reporting', 'No known issues'],
    ]);
  });

  test.each(['/', '/nothing', '/data/outages.json', '/data/outages/unknown.json'])(
    'every other path, such as %s, returns the HTML shell with 200',
    async (path) => {
      const answer = await fetch(page.url + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('<div id="root">');
    },
  );

  test('include the history of each product: the outages that are over', async () => {
    const history = () => read<Outage[]>('/data/outages/ads-manager.history.json');
    await set({ status: 'High disruptions' });
    expect(await history()).toEqual([]);
    await set({ status: 'Resolved' });
    expect(await history()).toEqual(await outages());
    expect(await read('/data/outages/graph-api.history.json')).toEqual([]);
  });

  test('have an ETag and a date, and return 304 to conditional requests', async () => {
    const { headers } = await fetch(page.url + OUTAGES);
    const [etag, changed] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
    const again = async (name: string, value: string): Promise<number> =>
      (await fetch(page.url + OUTAGES, { headers: { [name]: value } })).status;
    expect([await again('if-none-match', etag), await again('if-modified-since', changed)]).toEqual([
      304, 304,
    ]);
    await set({ status: 'Low disruptions' });
    expect([await again('if-none-match', etag), await again('if-modified-since', changed)]).toEqual([
      200, 200,
    ]);
  });
});

describe('a status set by the control API', () => {
  test('opens an outage, continues it and resolves it', async () => {
    await set({ status: 'Medium disruptions', at: '2026-01-01T10:00:00Z' });
    await set({ status: 'High disruptions', at: '2026-01-01T10:05:00Z' });
    expect(await lineOf('Ads Delivery')).toBe('High disruptions');
    expect(await outages()).toMatchObject([
      {
        service_id: 2,
        status: 'High disruptions',
        time: '2026-01-01T10:00:00Z',
        posts: [{ status: 'Medium disruptions' }, { status: 'High disruptions' }],
      },
    ]);
    await set({ status: 'Resolved', at: '2026-01-01T11:00:00Z' });
    expect(await lineOf('Ads Delivery')).toBe('No known issues');
    expect((await outages())[0]?.status).toBe('Resolved');
    await set({ status: 'High disruptions' });
    expect(new Set((await outages()).map(({ id }) => id)).size).toBe(2);
  });

  test('can be limited to one file', async () => {
    await set({ status: 'High disruptions', only: 'orgs' });
    expect([await lineOf('Ads Delivery'), await outages()]).toEqual(['High disruptions', []]);
    await page.post('/reset');
    await set({ status: 'High disruptions', only: 'outages' });
    expect([await lineOf('Ads Delivery'), (await outages()).length]).toEqual(['No known issues', 1]);
  });

  test('needs an existing service', async () => {
    await expect(set({ service: 'Nothing', status: 'Resolved' })).rejects.toThrow(
      /there is no service 'Nothing'/,
    );
    await expect(set({})).rejects.toThrow(/status/);
  });
});

describe('a replay', () => {
  test.each([
    ['2026-01-09', 'Ads Delivery', 'High disruptions', '2026-01-09T02:10:00Z', '2026-01-09T04:08:00Z'],
    ['2026-03-17', 'Ads Delivery', 'High disruptions', '2026-03-17T00:30:00Z', '2026-03-17T02:04:00Z'],
    ['2025-09-09', 'Ads Delivery', 'Medium disruptions', '2025-09-09T19:05:00Z', '2025-09-09T20:53:00Z'],
    [
      '2026-02-11-reporting',
      'Ads Reporting',
      'High disruptions',
      '2026-02-11T15:00:00Z',
      '2026-02-11T17:30:00Z',
    ],
  ])('of %s: %s is at %s from %s to %s', async (incident, service, status, from, to) => {
    const length = Date.parse(to) - Date.parse(from);
    const speed = 1;
    const given = await page.post<{ startsAt: string; endsAt: string }>('/replay', {
      incident,
      speed,
    });
    expect(Date.parse(given.endsAt) - Date.parse(given.startsAt)).toBe(length);
    const services = ['Ads Creation and Editing', 'Ads Delivery', 'Ads Reporting'];
    const lines = async (): Promise<(string | undefined)[]> =>
      Promise.all(services.map((name) => lineOf(name)));
    const during = services.map((name) => (name === service ? status : 'No known issues'));
    const quiet = services.map(() => 'No known issues');
    await moveClock(50_000);
    expect([await lines(), await outages()]).toEqual([quiet, []]);
    await moveClock(62_000);
    expect(await lines()).toEqual(during);
    expect(await outages()).toMatchObject([{ status, time: from, posts: [{ time: from }] }]);
    await moveClock(60_000 + length - 10_000);
    expect(await lines()).toEqual(during);
    await moveClock(60_000 + length + 2000);
    expect(await lines()).toEqual(quiet);
    expect(await outages()).toMatchObject([
      { status: 'Resolved', posts: [{ time: from }, { status: 'Resolved', time: to }] },
    ]);
  });

  test('ends sooner at a higher speed', async () => {
    const order = { incident: '2026-01-09', speed: 600, fromSecondsBefore: 0 };
    const given = await page.post<{ startsAt: string; endsAt: string }>('/replay', order);
    expect(Date.parse(given.endsAt) - Date.parse(given.startsAt)).toBe((118 * 60_000) / 600);
    expect(await lineOf('Ads Delivery')).toBe('High disruptions');
    await moveClock(12_000);
    expect((await outages())[0]?.status).toBe('Resolved');
  });

  test('can be stopped, which resets the status', async () => {
    await page.post('/replay', { incident: '2026-03-17', fromSecondsBefore: 0 });
    expect(await lineOf('Ads Delivery')).toBe('High disruptions');
    await page.ask('DELETE', '/replay');
    expect([await lineOf('Ads Delivery'), await outages()]).toEqual(['No known issues', []]);
  });

  test('needs a known incident', async () => {
    await expect(page.post('/replay', { incident: 'x' })).rejects.toThrow(/2026-01-09/);
    expect(INCIDENTS.map(({ title }) => title).join()).toMatch(/its start is assumed.*made up/);
  });
});

describe('a fault', () => {
  const fetchFile = (path: string): Promise<Response> => fetch(page.url + path);

  test('of transport', async () => {
    await page.fault({ kind: 'html' });
    expect(await (await fetchFile(OUTAGES)).text()).toContain('<html');
    await page.fault({ kind: 'http', http: 502 });
    expect((await fetchFile(OUTAGES)).status).toBe(502);
    await page.fault({ kind: 'truncated' });
    await expect((await fetchFile('/data/orgs.json')).json()).rejects.toThrow();
    await page.fault({ kind: 'reset' });
    await expect(fetchFile(OUTAGES)).rejects.toThrow();
    await page.fault({ kind: 'down', times: 0 });
    for (let call = 0; call < 3; call += 1) await expect(fetchFile(OUTAGES)).rejects.toThrow();
    await page.ask('DELETE', '/faults');
    expect(await outages()).toEqual([]);
  });

  test('of one path does not affect the others', async () => {
    await page.fault({ kind: 'http', http: 503, times: 0, path: '^/data/outages/' });
    expect([(await fetchFile(OUTAGES)).status, (await fetchFile('/data/orgs.json')).status]).toEqual([
      503, 200,
    ]);
  });

  test('of content', async () => {
    await set({ status: 'Low disruptions' });
    await set({ status: 'High disruptions' });
    await page.fault({ kind: 'missing_org' });
    expect((await read<Org[]>('/data/orgs.json')).map(({ id }) => id)).not.toContain('ads-manager');
    await page.fault({ kind: 'unknown_phrase', phrase: 'Purple', path: 'orgs' });
    expect(await lineOf('Ads Delivery')).toBe('Purple');
    await page.fault({ kind: 'posts_order', order: 'newest_first' });
    expect((await outages())[0]?.posts[0]?.status).toBe('High disruptions');
    expect((await outages())[0]?.posts[0]?.status).toBe('Low disruptions');
    await page.fault({ kind: 'empty_array' });
    expect(await outages()).toEqual([]);
    expect(await outages()).toHaveLength(1);
  });

  test('needs a kind that the status page supports', async () => {
    await expect(page.fault({ kind: 'null_entry' })).rejects.toThrow(/kind must be one of missing_org/);
  });
});

test('the control page offers all of it', async () => {
  await fetch(page.url + OUTAGES);
  const text = await (await fetch(`${page.url}/_sim`)).text();
  for (const part of ['Ads Delivery: High disruptions', '2026-01-09', 'assumed', OUTAGES])
    expect(text).toContain(part);
});
