import { expect, test } from 'vitest';
import { createAdPlatform } from './ads.ts';

test.each([
  [undefined, true],
  [null, true],
  ['ANALYZE', true],
  [['MANAGE', 'ANALYZE'], true],
  [['ADVERTISE'], true],
  [['ANALYZE'], false],
  [['ANALYZE', 'DRAFT'], false],
  [[], false],
])('[FR-07] with user_tasks %j a user may pause: %s', async (user_tasks, expected) => {
  const platform = createAdPlatform(
    {
      now: () => 0,
      aheadMs: () => 0,
      call: () => Promise.resolve({ ok: true, value: { data: [{ id: 'act_1', user_tasks }] }, headers: {} }),
    },
    '1',
  );
  const list = await platform.listAdAccounts('token');
  expect(list.ok && list.value.map(({ mayPause }) => mayPause)).toEqual([expected]);
});
