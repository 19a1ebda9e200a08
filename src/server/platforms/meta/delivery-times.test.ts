import { expect, test } from 'vitest';
import { createAdPlatform } from './ads.ts';
import type { GraphClient } from './client.ts';

/** What is read when Meta returns this end date. */
async function stopTimeOf(stop_time: unknown): Promise<string | null> {
  const graph: GraphClient = {
    now: () => 0,
    aheadMs: () => 0,
    call: () =>
      Promise.resolve({ ok: true, value: { data: [{ id: '1', status: 'ACTIVE', stop_time }] }, headers: {} }),
  };
  const list = await createAdPlatform(graph, '1').listCampaigns('token', 'act_1');
  const stopTime = list.ok ? list.value[0]?.stopTime : undefined;
  if (stopTime === undefined) throw new Error('the campaign is missing in the list');
  return stopTime === null ? null : new Date(stopTime).toISOString();
}

test.each([
  ['2026-01-09T02:10:00+0000', '2026-01-09T02:10:00.000Z'],
  ['2026-01-08T21:10:00-0500', '2026-01-09T02:10:00.000Z'],
  ['2026-01-09T02:10:00+00:00', '2026-01-09T02:10:00.000Z'],
  ['2026-01-09T02:10:00.000Z', '2026-01-09T02:10:00.000Z'],
])('[FR-01] the time %s is read', async (text, expected) => {
  expect(await stopTimeOf(text)).toBe(expected);
});

test.each([
  '1970-01-01T00:00:00+0000',
  '1970-01-01T00:00:00-0800',
  '1969-12-31T16:00:00-0800',
  '0000-00-00T00:00:00+0000',
  '9999-12-31T23:59:59-0800',
  '2026-01-09T02:10:00',
  '',
  '0',
  'none',
  0,
  null,
  undefined,
])('[FR-01] %j is no end date', async (text) => {
  expect(await stopTimeOf(text)).toBeNull();
});
