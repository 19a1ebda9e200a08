import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Http } from '../../http.ts';
import { createHttp } from '../../http.ts';
import { createStatusPage } from './status-page.ts';

const UNKNOWN = { level: 'UNKNOWN', message: 'Unable to fetch status' };
const FINE = 'No known issues';
const service = { id: 1, name: 'Ads Delivery', status: FINE };

const orgs = (services: unknown): unknown => [{ id: 'ads-manager', services }];

let server: Server | null = null;
let http: Http | null = null;

afterEach(async () => {
  await http?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

async function observing(listener: RequestListener) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  http = createHttp({ connections: 8, maxBodyBytes: 100_000 });
  return createStatusPage({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    services: [{ product: 'ads-manager', service: 'Ads Delivery' }],
    http,
  });
}

/** Serves the same page every time; without outages unless given. */
function showing(shown: { orgs: unknown; outages?: unknown }): RequestListener {
  return (request, response) => {
    const json = request.url?.includes('outages') === true ? (shown.outages ?? []) : shown.orgs;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof json === 'string' ? json : JSON.stringify(json));
  };
}

describe('a broken status page', () => {
  test('a valid page is UP: the control case for the following tests', async () => {
    const page = await observing(showing({ orgs: orgs([service]) }));
    expect((await page.observe()).level).toBe('UP');
  });

  test.each<[string, { orgs: unknown; outages?: unknown }]>([
    ['no JSON at all', { orgs: 'All good!' }],
    ['null', { orgs: 'null' }],
    ['a number', { orgs: 7 }],
    ['nothing', { orgs: '' }],
    ['no products', { orgs: [] }],
    ['a status that is a number', { orgs: orgs([{ ...service, status: 0 }]) }],
    ['an empty status', { orgs: orgs([{ ...service, status: '' }]) }],
    ['services that are no list', { orgs: orgs({ 'Ads Delivery': FINE }) }],
    ['another name', { orgs: orgs([{ ...service, name: 'Ads Del1very' }]) }],
    ['outages that are an object', { orgs: orgs([service]), outages: { none: true } }],
    ['an outage without a status', { orgs: orgs([service]), outages: [{ service_id: 1 }] }],
    ['an outage of no service', { orgs: orgs([service]), outages: [{ status: 'High disruptions' }] }],
    ['a deep nest', { orgs: '['.repeat(20_000) + ']'.repeat(20_000) }],
    ['a prototype', { orgs: '{"__proto__":[{"id":"ads-manager"}]}' }],
  ])('%s: UNKNOWN', async (_what, shown) => {
    const page = await observing(showing(shown));
    expect(await page.observe()).toMatchObject(UNKNOWN);
  });

  test('[ADMIN-05] a recovering outage is open, even if an earlier post said that it was resolved', async () => {
    const posts = ['High disruptions', 'Resolved', 'Recovering…'].map((status, time) => ({
      status,
      time: time + 1,
    }));
    const outages = [{ service_id: 1, status: 'Recovering…', posts: posts.toReversed() }];
    const page = await observing(showing({ orgs: orgs([service]), outages }));
    expect((await page.observe()).level).toBe('HIGH_DISRUPTION');
  });
});
