import { expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { countsIn, countsLabel } from './account-counts.ts';

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

const paused = { id: 'act_1', name: 'Lind Outdoor', count: 3 };

test.each([
  [1200, [paused], '1,200 protected · 3 paused'],
  [0, [], 'None protected'],
  [12, [{ ...paused, id: 'act_2' }], '12 protected'],
  [undefined, [paused], '3 paused'],
  [undefined, undefined, '1'],
])('[UX-06] %s protected and %o paused in an account: %s', (protectedCampaigns, heldAccounts, label) => {
  const account = { id: 'act_1', name: 'Lind Outdoor', protectedCampaigns };
  expect(countsLabel(account, heldAccounts)).toBe(label);
});
