import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_FILTERS,
  QUERY_MAX,
  SMARTPAUSE_FILTERS,
  STATUS_FILTERS,
  isNarrowed,
  readListAddress,
  withList,
} from './list-address.ts';

const read = (search: string) => readListAddress(new URLSearchParams(search));

describe('the address of the list', () => {
  test.each([
    ['', {}],
    ['q=shoes&status=paused&smartpause=disabled', { q: 'shoes', status: 'paused', smartpause: 'disabled' }],
    ['account=act_12&status=other', { account: 'act_12', status: 'other' }],
    ['status=PAUSED&smartpause=maybe', {}],
    ['account=12', {}],
    ['account=act_1%27', {}],
    [`q=${'x'.repeat(QUERY_MAX + 1)}`, {}],
    ['status=&q=', {}],
  ])('%s', (search, expected) => {
    expect(read(search)).toEqual({ account: null, ...NO_FILTERS, ...expected });
  });

  test('what is written is read again, and what is not ours stays', () => {
    const addresses = fc.record({
      account: fc.option(fc.integer({ min: 1 }).map((id) => `act_${id}`)),
      q: fc.string({ maxLength: QUERY_MAX }),
      status: fc.constantFrom(...STATUS_FILTERS),
      smartpause: fc.constantFrom(...SMARTPAUSE_FILTERS),
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

  test('what is as usual is not written', () => {
    const all = new URLSearchParams('account=act_1&q=a&status=paused&smartpause=on&error=X');
    expect(withList(all, { account: null, ...NO_FILTERS }).toString()).toBe('error=X');
    expect(withList(all, { q: 'b' }).toString()).toBe(
      'account=act_1&q=b&status=paused&smartpause=on&error=X',
    );
  });

  test('blanks are no search', () => {
    expect(isNarrowed({ ...NO_FILTERS, q: '  ' })).toBe(false);
    expect(isNarrowed({ ...NO_FILTERS, smartpause: 'on' })).toBe(true);
  });
});
