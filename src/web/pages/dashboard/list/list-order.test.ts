import { describe, expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';
import type { Sort } from '../list-address.ts';
import { inOrder, orderNow } from './list-order.ts';

function campaign(name: string, status: string, smartPauseSetting: Campaign['smartPauseSetting']): Campaign {
  return { id: name, name, status, objective: '', smartPauseSetting };
}

const ALL = [
  campaign('Boots', 'PAUSED', 'OFF'),
  campaign('Coats', 'ACTIVE', 'ON'),
  campaign('Hats', 'ACTIVE', 'OFF'),
  campaign('Shoes', 'ACTIVE', 'DEACTIVATED'),
];
const CHANGED = ALL.map((one) => ({
  ...one,
  status: one.status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE',
  smartPauseSetting: one.smartPauseSetting === 'ON' ? ('OFF' as const) : ('ON' as const),
}));
const FIRST = { accountId: 'act_1', sort: 'default' } as const;
const SECOND = { accountId: 'act_2', sort: 'default' } as const;
const idsOf = (campaigns: readonly Campaign[]) => campaigns.map(({ id }) => id).join(', ');

describe('the order of the list', () => {
  const loaded = orderNow(FIRST, ALL, null, false);
  const rows = idsOf(inOrder(ALL, loaded));

  test('[DASH-07] is computed on load', () => {
    expect(rows).toBe('Hats, Shoes, Coats, Boots');
    expect(rows).toBe(idsOf(ALL.toSorted(byListOrder)));
  });

  test('[UX-04] stays while a setting or a status changes and no row may move', () => {
    const after = orderNow(FIRST, CHANGED, loaded, false);
    expect(after).toBe(loaded);
    expect(idsOf(inOrder(CHANGED, after))).toBe(rows);
  });

  test('[UX-04] is computed again for another account, and when rows may move', () => {
    const sorted = idsOf(CHANGED.toSorted(byListOrder));
    expect(sorted).not.toBe(rows);
    expect(idsOf(inOrder(CHANGED, orderNow(SECOND, CHANGED, loaded, false)))).toBe(sorted);
    const moved = orderNow(FIRST, CHANGED, loaded, true);
    expect(idsOf(inOrder(CHANGED, moved))).toBe(sorted);
    expect(orderNow(FIRST, CHANGED, moved, true)).toBe(moved);
  });

  test('[UX-04] puts a new campaign last until rows may move', () => {
    const more = [campaign('Axes', 'ACTIVE', 'OFF'), ...ALL];
    const kept = orderNow(FIRST, more, loaded, false);
    expect(idsOf(inOrder(more, kept))).toBe(`${rows}, Axes`);
    expect(idsOf(inOrder(more, orderNow(FIRST, more, kept, true)))).toBe(`Axes, ${rows}`);
  });

  test.each<[Sort, string]>([
    ['name', 'Axes, Boots, Coats, Hats, Shoes'],
    ['-name', 'Shoes, Hats, Coats, Boots, Axes'],
    ['status', 'Hats, Shoes, Coats, Boots, Axes'],
    ['-status', 'Axes, Boots, Hats, Shoes, Coats'],
    ['budget', 'Shoes, Hats, Boots, Coats, Axes'],
    ['-budget', 'Boots, Hats, Shoes, Coats, Axes'],
  ])('[UX-07] sorted by %s, with equal rows in the default order', (sort, sorted) => {
    const budgets: Record<string, number | null> = { Boots: 9000, Hats: 5000, Shoes: 100, Axes: null };
    const all = [...ALL, campaign('Axes', 'ARCHIVED', 'OFF')].map((one) => {
      const dailyBudget = budgets[one.name];
      return dailyBudget === undefined ? one : { ...one, dailyBudget };
    });
    const order = orderNow({ accountId: 'act_1', sort }, all, loaded, false);
    expect(idsOf(inOrder(all, order))).toBe(sorted);
    expect(orderNow({ accountId: 'act_1', sort }, CHANGED, order, false).ranks).toBe(order.ranks);
  });
});
