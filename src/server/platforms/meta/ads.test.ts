import { expect, test, vi } from 'vitest';
import { createAdPlatform } from './ads.ts';

/** The platform, while Meta's lists have this one item. */
function listing(item: object) {
  const call = () => Promise.resolve({ ok: true as const, value: { data: [item] }, headers: {} });
  return createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1');
}

test.each([
  [undefined, true],
  [null, true],
  ['ANALYZE', true],
  [['MANAGE', 'ANALYZE'], true],
  [['ADVERTISE'], true],
  [['ANALYZE', 'DRAFT'], false],
  [[], false],
])('[FR-07] with user_tasks %j a user may pause: %s', async (user_tasks, mayPause) => {
  const list = await listing({ id: 'act_1', user_tasks }).listAdAccounts('token');
  expect(list).toMatchObject({ ok: true, value: [{ mayPause }] });
});

test.each([undefined, '', ' '])('what has the name %j at Meta is named by its id', async (name) => {
  const accounts = await listing({ id: 'act_1', name }).listAdAccounts('token');
  const campaigns = await listing({ id: '1', name, status: 'ACTIVE' }).listCampaigns('token', 'act_1');
  expect([accounts, campaigns]).toMatchObject([{ value: [{ name: 'act_1' }] }, { value: [{ name: '1' }] }]);
});

const END = Date.parse('2026-01-09T02:10:00Z');
test.each([
  ['2026-01-09T02:10:00+0000', END],
  ['2026-01-08T21:10:00-0500', END],
  ['2026-01-09T02:10:00+00:00', END],
  ['2026-01-09T02:10:00.000Z', END],
  ['1970-01-01T00:00:00-0800', null],
  ['0000-00-00T00:00:00+0000', null],
  ['9999-12-31T23:59:59-0800', null],
  ['2026-01-09T02:10:00', null],
  ['', null],
  ['0', null],
  ['none', null],
  [0, null],
  [null, null],
  [undefined, null],
])('[FR-01] the end date %j is %j', async (stop_time, stopTime) => {
  const list = await listing({ id: '1', status: 'ACTIVE', stop_time }).listCampaigns('token', 'act_1');
  expect(list).toMatchObject({ ok: true, value: [{ stopTime }] });
});

test('each report of an ad account’s rate limit is passed on', async () => {
  const headers = { 'x-ad-account-usage': '{"acc_id_util_pct":60}' };
  const call = () => Promise.resolve({ ok: true as const, value: { data: [] }, headers });
  const onUsage = vi.fn<(usage: { percent: number }) => void>();
  const platform = createAdPlatform({ now: () => 0, aheadMs: () => 0, call }, '1', onUsage);
  await platform.listCampaigns('token', 'act_1');
  await platform.readStatuses('token', 'act_1', ['1']);
  await platform.setStatuses('token', 'act_1', [{ campaignId: '1', status: 'PAUSED' }], 0);
  expect(onUsage.mock.calls.map(([{ percent }]) => percent)).toEqual([60, 60, 60]);
});
