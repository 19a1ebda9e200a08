import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { door, order } from '../fixtures/door.fixture.ts';
import type { SimServer } from '../kit/http.ts';
import { INCIDENTS } from './incidents.ts';
import { startMetaStatus } from './server.ts';
import type { Org, Outage } from './state.ts';

let page: SimServer;

beforeAll(async () => {
  page = await startMetaStatus();
});
beforeEach(() => door(page.url, 'POST', '/reset'));
afterAll(() => page.close());

const OUTAGES = '/data/outages/ads-manager.json';

async function read<T>(path: string): Promise<T> {
  return (await (await fetch(page.url + path)).json()) as T;
}

async function lineOf(service: string, org = 'ads-manager'): Promise<string | undefined> {
  const orgs = await read<Org[]>('/data/orgs.json');
  return orgs.find(({ id }) => id === org)?.services.find(({ name }) => name === service)?.status;
}

const outages = (): Promise<Outage[]> => read<Outage[]>(OUTAGES);
const history = (): Promise<Outage[]> => read<Outage[]>('/data/outages/ads-manager.history.json');
const set = (body: object): Promise<unknown> => door(page.url, 'POST', '/status', body);
const moveClock = (offsetMs: number): Promise<unknown> => door(page.url, 'POST', '/clock', { offsetMs });

describe('the files', () => {
  test('list the products with their services', async () => {
    const orgs = await read<Org[]>('/data/orgs.json');
    expect(orgs.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['ads-manager', 'marketing-api', 'graph-api', 'facebook-login']),
    );
    const [first] = orgs;
    expect(first?.rss_file_paths).toEqual(['outage-events-feed-ads-manager.rss']);
    expect(first?.services.map(({ id, name, status }) => [id, name, status])).toEqual([
      [1, 'Ads Creation and Editing', 'No known issues'],
      [2, 'Ads Delivery', 'No known issues'],
      [3, 'Ads Reporting', 'No known issues'],
    ]);
  });

  test.each([
    '/',
    '/nothing',
    '/data/outages.json',
    '/data/outages/nobody.json',
    '/outage-events-feed-x.rss',
  ])('any other path, such as %s, is the HTML shell with 200', async (path) => {
    const answer = await fetch(page.url + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<div id="root">');
  });

  test('a product has a page for people', async () => {
    await set({ status: 'High disruptions' });
    const text = await (await fetch(`${page.url}/ads-manager`)).text();
    expect(text).toContain('Facebook Ads Manager');
    expect(text).toContain('High disruptions');
  });

  test('come with an ETag and a date, and only once to those who remember them', async () => {
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

describe('a status set by hand', () => {
  test('opens an outage, continues it and resolves it', async () => {
    await set({ status: 'Medium disruptions', at: '2026-01-01T10:00:00Z' });
    await set({ status: 'High disruptions', at: '2026-01-01T10:05:00Z', description: 'Worse.' });
    expect(await lineOf('Ads Delivery')).toBe('High disruptions');
    expect(await outages()).toMatchObject([
      {
        service_id: 2,
        status: 'High disruptions',
        time: '2026-01-01T10:00:00Z',
        posts: [{ status: 'Medium disruptions' }, { status: 'High disruptions', description: 'Worse.' }],
      },
    ]);
    expect(await history()).toEqual([]);
    await set({ status: 'Resolved', at: '2026-01-01T11:00:00Z' });
    expect(await lineOf('Ads Delivery')).toBe('No known issues');
    expect((await outages())[0]?.status).toBe('Resolved');
    expect((await history()).map(({ id }) => id)).toEqual((await outages()).map(({ id }) => id));
    await set({ status: 'High disruptions' });
    expect(new Set((await outages()).map(({ id }) => id)).size).toBe(2);
  });

  test('may stand in one file only', async () => {
    await set({ status: 'High disruptions', only: 'orgs' });
    expect([await lineOf('Ads Delivery'), await outages()]).toEqual(['High disruptions', []]);
    await door(page.url, 'POST', '/reset');
    await set({ status: 'High disruptions', only: 'outages' });
    expect([await lineOf('Ads Delivery'), (await outages()).length]).toEqual(['No known issues', 1]);
  });

  test('stands in the feed while it is open', async () => {
    const feed = async (): Promise<string> =>
      (await fetch(`${page.url}/outage-events-feed-graph-api.rss`)).text();
    expect(await feed()).not.toContain('<item>');
    await set({ org: 'graph-api', service: 'Platform Status', status: 'Major disruptions' });
    expect(await feed()).toContain('<title>[Major disruptions]: Platform Status</title>');
    expect(await feed()).toContain('<title>Graph API Status</title>');
    await set({ org: 'graph-api', service: 'Platform Status', status: 'No known issues' });
    expect(await feed()).not.toContain('<item>');
  });

  test('must be of a service that there is', async () => {
    await expect(set({ service: 'Nothing', status: 'Resolved' })).rejects.toThrow(
      /400 there is no service 'Nothing'/,
    );
    await expect(set({})).rejects.toThrow(/400 .*status/s);
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
    const given = await door<{ startsAt: string; endsAt: string }>(page.url, 'POST', '/replay', {
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
    expect(await history()).toMatchObject([
      { status: 'Resolved', posts: [{ time: from }, { status: 'Resolved', time: to }] },
    ]);
  });

  test('is over sooner at a higher speed', async () => {
    const order = { incident: '2026-01-09', speed: 600, fromSecondsBefore: 0 };
    const given = await door<{ startsAt: string; endsAt: string }>(page.url, 'POST', '/replay', order);
    expect(Date.parse(given.endsAt) - Date.parse(given.startsAt)).toBe((118 * 60_000) / 600);
    expect(await lineOf('Ads Delivery')).toBe('High disruptions');
    await moveClock(12_000);
    expect((await outages())[0]?.status).toBe('Resolved');
  });

  test('can be stopped, and all is well again', async () => {
    await door(page.url, 'POST', '/replay', { incident: '2026-03-17', fromSecondsBefore: 0 });
    expect(await lineOf('Ads Delivery')).toBe('High disruptions');
    await door(page.url, 'DELETE', '/replay');
    expect([await lineOf('Ads Delivery'), await outages()]).toEqual(['No known issues', []]);
  });

  test('is of an incident that is known', async () => {
    await expect(door(page.url, 'POST', '/replay', { incident: 'x' })).rejects.toThrow(/400 .*2026-01-09/s);
    expect(INCIDENTS.map(({ title }) => title).join()).toMatch(/its start is assumed.*made up/);
  });
});

describe('a fault', () => {
  const fetchFile = (path: string): Promise<Response> => fetch(page.url + path);

  test('of transport', async () => {
    await order(page.url, { kind: 'html' });
    expect(await (await fetchFile(OUTAGES)).text()).toContain('<html');
    await order(page.url, { kind: 'http', http: 502 });
    expect((await fetchFile(OUTAGES)).status).toBe(502);
    await order(page.url, { kind: 'truncated' });
    await expect((await fetchFile('/data/orgs.json')).json()).rejects.toThrow();
    await order(page.url, { kind: 'reset' });
    await expect(fetchFile(OUTAGES)).rejects.toThrow();
    await order(page.url, { kind: 'down', times: 0 });
    for (let call = 0; call < 3; call += 1) await expect(fetchFile(OUTAGES)).rejects.toThrow();
    await door(page.url, 'DELETE', '/faults');
    expect(await outages()).toEqual([]);
  });

  test('of one path leaves the others alone', async () => {
    await order(page.url, { kind: 'http', http: 503, times: 0, path: '^/data/outages/' });
    expect([(await fetchFile(OUTAGES)).status, (await fetchFile('/data/orgs.json')).status]).toEqual([
      503, 200,
    ]);
  });

  test('of content', async () => {
    await set({ status: 'Low disruptions' });
    await set({ status: 'High disruptions' });
    await order(page.url, { kind: 'missing_org' });
    expect((await read<Org[]>('/data/orgs.json')).map(({ id }) => id)).not.toContain('ads-manager');
    await order(page.url, { kind: 'unknown_phrase', phrase: 'Purple', path: 'orgs' });
    expect(await lineOf('Ads Delivery')).toBe('Purple');
    await order(page.url, { kind: 'null_time', times: 2 });
    expect((await read<Org[]>('/data/orgs.json'))[0]?.services[1]?.time).toBeNull();
    expect((await outages())[0]?.posts.map(({ time }) => time)).toEqual([null, null]);
    await order(page.url, { kind: 'posts_order', order: 'newest_first' });
    expect((await outages())[0]?.posts[0]?.status).toBe('High disruptions');
    expect((await outages())[0]?.posts[0]?.status).toBe('Low disruptions');
    await order(page.url, { kind: 'empty_array' });
    expect(await outages()).toEqual([]);
    expect(await outages()).toHaveLength(1);
  });

  test('has to be one that the status page knows', async () => {
    await expect(order(page.url, { kind: 'null_entry' })).rejects.toThrow(
      /400 .*kind must be one of missing_org/s,
    );
  });
});

test('there is a page to set it all by hand', async () => {
  await fetch(page.url + OUTAGES);
  const text = await (await fetch(`${page.url}/_sim`)).text();
  for (const part of ['Ads Delivery: High disruptions', '2026-01-09', 'assumed', OUTAGES])
    expect(text).toContain(part);
});
