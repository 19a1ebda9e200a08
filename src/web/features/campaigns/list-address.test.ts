import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_FILTERS,
  QUERY_MAX,
  SMARTPAUSE_FILTERS,
  SORTS,
  STATUS_FILTERS,
  isFiltered,
  readListAddress,
  withList,
} from './list-address.ts';

const read = (search: string) => readListAddress(new URLSearchParams(search));

describe('the address of the list', () => {
  test.each([
    ['', {}],
    ['q=shoes&status=paused&smartpause=disabled', { q: 'shoes', status: 'paused', smartpause: 'disabled' }],
    ['sort=-budget', { sort: '-budget' }],
    ['sort=objective', {}],
    ['account=act_12&status=other', { account: 'act_12', status: 'other' }],
    ['status=PAUSED&smartpause=maybe', {}],
    // A server of the specification may have other ids than Meta's.
    ['account=222', { account: '222' }],
    [`q=${'x'.repeat(QUERY_MAX + 1)}`, { q: 'x'.repeat(QUERY_MAX) }],
    ['status=&q=', {}],
  ])('%s', (search, expected) => {
    expect(read(search)).toEqual({ account: null, ...NO_FILTERS, sort: 'default', ...expected });
  });

  test('a written address is read back, and foreign parameters stay', () => {
    const addresses = fc.record({
      account: fc.option(fc.integer({ min: 1 }).map((id) => `act_${id}`)),
      q: fc.string({ maxLength: QUERY_MAX }),
      status: fc.constantFrom(...STATUS_FILTERS),
      smartpause: fc.constantFrom(...SMARTPAUSE_FILTERS),
      sort: fc.constantFrom(...SORTS),
    });
    const before = new URLSearchParams('error=TOKEN_EXPIRED&q=old&show=campaigns');
    fc.assert(
      fc.property(addresses, (address) => {
        const next = withList(before, address);
        expect(readListAddress(new URLSearchParams(next.toString()))).toEqual(address);
        expect([next.get('error'), next.get('show')]).toEqual(['TOKEN_EXPIRED', 'campaigns']);
      }),
    );
    expect(before.get('q')).toBe('old');
  });

  test('default values are not written', () => {
    const all = new URLSearchParams('account=act_1&q=a&status=paused&smartpause=on&sort=name&error=X');
    expect(withList(all, { account: null, ...NO_FILTERS, sort: 'default' }).toString()).toBe('error=X');
    expect(withList(all, { q: 'b' }).toString()).toBe(
      'account=act_1&q=b&status=paused&smartpause=on&sort=name&error=X',
    );
  });

  test('[UX-07] another account and cleared filters keep the sorting', () => {
    const sorted = new URLSearchParams('q=a&sort=-name');
    expect(withList(sorted, { account: 'act_2', ...NO_FILTERS }).toString()).toBe('sort=-name&account=act_2');
  });

  test('spaces are no search', () => {
    expect(isFiltered({ ...NO_FILTERS, q: '  ' })).toBe(false);
    expect(isFiltered({ ...NO_FILTERS, smartpause: 'on' })).toBe(true);
  });
});
