import { expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { countsCopy, countsIn, countsOf, findAccounts } from './account-counts.ts';

function campaign(given: Partial<Campaign>): Campaign {
  return { id: '1', name: 'Shoes', status: 'ACTIVE', objective: '', smartPauseSetting: 'ON', ...given };
}

test('[UX-06, FR-01] a list counts what SmartPause protects and what it has paused', () => {
  const campaigns = [
    campaign({}),
    campaign({ status: 'PAUSED', held: true }),
    campaign({ status: 'PAUSED', held: false }),
    campaign({ smartPauseSetting: 'OFF' }),
    campaign({ smartPauseSetting: 'DEACTIVATED' }),
    campaign({ status: 'ARCHIVED' }),
    campaign({ isLegacyAdvantage: true }),
    campaign({ undelivered: { why: 'ended', at: '2026-03-16T23:30:00.000Z' } }),
    campaign({ undelivered: { why: 'scheduled', at: '2026-03-16T23:30:00.000Z' } }),
  ];
  expect(countsIn(campaigns)).toEqual({ all: 5, protectedCampaigns: 3, paused: 1 });
});

test('[UX-06] an account without a list has the counts of the server', () => {
  const account = { id: 'act_1', name: 'Lind Outdoor', protectedCampaigns: 12 };
  const held = [{ id: 'act_1', name: 'Lind Outdoor', count: 3 }];
  expect(countsOf(account, held)).toEqual({ protectedCampaigns: 12, paused: 3 });
  expect(countsOf({ ...account, id: 'act_2' }, held).paused).toBe(0);
  expect(countsOf(account).paused).toBe(0);
});

test.each([
  [{ protectedCampaigns: 1200, paused: 3 }, ['1,200 protected', '3 paused']],
  [{ protectedCampaigns: 0, paused: 0 }, ['None protected']],
  [{ paused: 2 }, ['2 paused']],
  [{ paused: 0 }, []],
])('[UX-06] %o', (counts, copy) => {
  expect(countsCopy(counts)).toEqual(copy);
});

test('[UX-06] accounts are found by parts of the name and by id', () => {
  const accounts = [
    { id: 'act_12', name: 'Lind Outdoor' },
    { id: 'act_345', name: 'Lind Tents' },
  ];
  const found = (search: string) => findAccounts(accounts, search).map(({ id }) => id);
  expect(found('')).toEqual(['act_12', 'act_345']);
  expect(found(' tents LIND ')).toEqual(['act_345']);
  expect(found('345')).toEqual(['act_345']);
  expect(found('boats')).toEqual([]);
});
