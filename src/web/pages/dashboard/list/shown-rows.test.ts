import { describe, expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { NO_FILTERS } from '../list-address.ts';
import { inRows, rowsNow } from './shown-rows.ts';

function campaign(id: string, status: string): Campaign {
  return { id, name: `Campaign ${id}`, status, objective: '', smartPauseSetting: 'OFF' };
}

describe('the rows that pass the filters', () => {
  const filters = { ...NO_FILTERS, status: 'paused' } as const;
  const loaded = [campaign('1', 'ACTIVE'), campaign('2', 'PAUSED'), campaign('3', 'PAUSED')];
  const order = { from: loaded };
  const before = rowsNow(loaded, filters, order, null);
  const shown = (campaigns: readonly Campaign[], rows = rowsNow(campaigns, filters, order, before)) =>
    inRows(campaigns, filters, rows).map(({ id, status }) => `${id} ${status}`);

  test('are computed on load, and stay the same object', () => {
    expect(shown(loaded)).toEqual(['2 PAUSED', '3 PAUSED']);
    expect(rowsNow(loaded, filters, order, before)).toBe(before);
  });

  test('[UX-04] a row that no longer matches stays where it is', () => {
    const changed = [campaign('1', 'ACTIVE'), campaign('2', 'ACTIVE'), campaign('3', 'PAUSED')];
    expect(shown(changed)).toEqual(['2 ACTIVE', '3 PAUSED']);
  });

  test('[UX-04, UX-07] a new match is shown at once, after the others', () => {
    const changed = [campaign('1', 'PAUSED'), campaign('2', 'PAUSED'), campaign('3', 'PAUSED')];
    expect(shown(changed)).toEqual(['2 PAUSED', '3 PAUSED', '1 PAUSED']);
  });

  test('a campaign that is gone has no row', () => {
    expect(shown(loaded.slice(0, 2))).toEqual(['2 PAUSED']);
  });

  test('are computed again for another order, and for other filters', () => {
    const changed = [campaign('1', 'PAUSED'), campaign('2', 'ACTIVE'), campaign('3', 'PAUSED')];
    expect(shown(changed, rowsNow(changed, filters, { from: changed }, before))).toEqual([
      '1 PAUSED',
      '3 PAUSED',
    ]);
    expect(shown(changed, rowsNow(changed, { ...filters, q: 'campaign' }, order, before))).toEqual([
      '1 PAUSED',
      '3 PAUSED',
    ]);
    expect(inRows(changed, NO_FILTERS, rowsNow(changed, NO_FILTERS, order, before))).toBe(changed);
  });
});
