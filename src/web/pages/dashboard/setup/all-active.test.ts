import { expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { countLabel, unprotectedActive } from './all-active.ts';

const campaign = (id: string, change: Partial<Campaign> = {}): Campaign => ({
  ...{ id, name: `Campaign ${id}`, status: 'ACTIVE', objective: '', smartPauseSetting: 'OFF' },
  ...change,
});

test('[UX-09, FR-01] all active campaigns are those of every account that can be turned on', () => {
  const lists = [
    {
      account: { id: 'act_1', name: 'Shoes' },
      campaigns: [
        campaign('1'),
        campaign('2', { status: 'PAUSED' }),
        campaign('3', { smartPauseSetting: 'ON' }),
        campaign('4', { isLegacyAdvantage: true }),
        campaign('8', { undelivered: { why: 'ended', at: '2026-03-16T23:30:00.000Z' } }),
        campaign('9', { undelivered: { why: 'scheduled', at: '2026-03-16T23:30:00.000Z' } }),
        campaign('5', { smartPauseSetting: 'DEACTIVATED' }),
      ],
    },
    { account: { id: 'act_2', name: 'Hats' }, campaigns: [campaign('6')] },
    { account: { id: 'act_3', name: 'Coats' }, campaigns: [campaign('7', { status: 'ARCHIVED' })] },
  ];
  const targets = unprotectedActive(lists);
  expect(targets.map(({ account, campaign: { id } }) => [account.id, id])).toEqual([
    ['act_1', '1'],
    ['act_1', '5'],
    ['act_2', '6'],
  ]);
  expect(countLabel(targets)).toBe('3 campaigns in 2 ad accounts');
  expect(countLabel(targets.slice(2))).toBe('1 campaign in 1 ad account');
});
