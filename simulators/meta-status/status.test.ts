import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { startMetaStatus } from './server.ts';

// Levels, files and faults are proved by the tests of the product's status page.

let server: SimServer;
let page: ControlClient;
beforeAll(async () => {
  server = await startMetaStatus();
  page = new ControlClient(server.url);
});
beforeEach(() => page.post('/reset'));
afterAll(() => server.close());

const outages = async (): Promise<unknown> =>
  (await fetch(`${page.url}/data/outages/ads-manager.json`)).json();

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
  expect(await outages()).toHaveLength(1);
  await page.ask('DELETE', '/replay');
  expect(await outages()).toEqual([]);
});
