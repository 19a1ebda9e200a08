import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { findCampaigns } from './order.ts';
import type { Filters } from '../list-address.ts';
import { NO_FILTERS } from '../list-address.ts';

function campaign(id: string, name: string, given: Partial<Campaign> = {}): Campaign {
  const usual = { objective: '', dailyBudget: null, held: false, status: 'ACTIVE' } as const;
  return { ...usual, id, name, smartPauseSetting: 'OFF', ...given };
}

const ALL = [
  campaign('70000101', 'Été | Broad'),
  campaign('70000102', 'Spring Sale | Retargeting', { status: 'PAUSED', smartPauseSetting: 'ON' }),
  campaign('70000203', 'Spring Sale | Broad', { status: 'IN_PROCESS', smartPauseSetting: 'DEACTIVATED' }),
];

describe('search and filters', () => {
  test.each<[Partial<Filters> & { text?: string }, string[]]>([
    [{}, ['70000101', '70000102', '70000203']],
    [{ text: 'spring' }, ['70000102', '70000203']],
    [{ text: '  BROAD  spr ' }, ['70000203']],
    [{ text: 'ete' }, ['70000101']],
    [{ text: '10' }, []],
    [{ text: '700001' }, ['70000101', '70000102']],
    [{ text: '70000203' }, ['70000203']],
    [{ status: 'active' }, ['70000101']],
    [{ status: 'paused' }, ['70000102']],
    [{ status: 'other' }, ['70000203']],
    [{ smartpause: 'on' }, ['70000102']],
    [{ smartpause: 'off' }, ['70000101']],
    [{ smartpause: 'disabled' }, ['70000203']],
    [{ text: 'spring', status: 'active' }, []],
  ])('%o', ({ text = '', ...filters }, ids) => {
    expect(findCampaigns(ALL, { ...NO_FILTERS, ...filters }, text).map(({ id }) => id)).toEqual(ids);
  });

  test('[UX-01] the filter "Paused by SmartPause" shows held campaigns only', () => {
    const [first, ...rest] = ALL.map((one) => ({ ...one, status: 'PAUSED' }));
    const all = first === undefined ? [] : [{ ...first, held: true }, ...rest];
    expect(findCampaigns(all, { ...NO_FILTERS, smartpause: 'paused' }, '')).toEqual(all.slice(0, 1));
  });

  test('every campaign has exactly one of the statuses, and one of the settings', () => {
    const campaigns = fc.record({
      id: fc.nat().map(String),
      name: fc.string(),
      status: fc.constantFrom('ACTIVE', 'PAUSED', 'ARCHIVED', ''),
      objective: fc.constant(''),
      dailyBudget: fc.constant(null),
      held: fc.boolean(),
      smartPauseSetting: fc.constantFrom('ON', 'OFF', 'DEACTIVATED'),
    });
    fc.assert(
      fc.property(fc.array(campaigns), (all) => {
        const count = (filters: Partial<Filters>) =>
          findCampaigns(all, { ...NO_FILTERS, ...filters }, '').length;
        const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0);
        const statuses = ['active', 'paused', 'other'] as const;
        expect(sum(statuses.map((status) => count({ status })))).toBe(all.length);
        const settings = ['on', 'off', 'disabled'] as const;
        expect(sum(settings.map((smartpause) => count({ smartpause })))).toBe(all.length);
        expect(count({ smartpause: 'paused' })).toBe(all.filter(({ held }) => held).length);
      }),
    );
  });
});
