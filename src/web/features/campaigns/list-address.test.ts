import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListAddress } from './list-address.ts';
import { NO_FILTERS, readListAddress, withList } from './list-address.ts';

const read = (search: string) => readListAddress(new URLSearchParams(search));

describe('the address of the list', () => {
  test.each([
    ['', {}],
    ['status=paused&smartpause=disabled', { status: 'paused', smartpause: 'disabled' }],
    ['sort=-budget', { sort: '-budget' }],
    ['sort=objective', {}],
    ['account=act_12&status=other', { account: 'act_12', status: 'other' }],
    ['status=PAUSED&smartpause=maybe', {}],
    // A server of the specification may have other ids than Meta's.
    ['account=222', { account: '222' }],
    ['status=', {}],
  ])('%s', (search, expected) => {
    expect(read(search)).toEqual({ account: null, ...NO_FILTERS, sort: 'default', ...expected });
  });

  test('a written address is read back, and foreign parameters stay', () => {
    const addresses: fc.Arbitrary<ListAddress> = fc.record({
      account: fc.option(fc.integer({ min: 1 }).map((id) => `act_${id}`)),
      status: fc.constantFrom('all', 'active', 'paused', 'other'),
      smartpause: fc.constantFrom('all', 'on', 'off', 'disabled', 'paused'),
      sort: fc.constantFrom('default', 'name', '-name', 'status', '-status', '-budget', 'budget'),
    });
    const before = new URLSearchParams('error=TOKEN_EXPIRED&status=other&show=campaigns');
    fc.assert(
      fc.property(addresses, (address) => {
        const next = withList(before, address);
        expect(readListAddress(new URLSearchParams(next.toString()))).toEqual(address);
        expect([next.get('error'), next.get('show')]).toEqual(['TOKEN_EXPIRED', 'campaigns']);
      }),
    );
    expect(before.get('status')).toBe('other');
  });

  test('default values are not written', () => {
    const all = new URLSearchParams('account=act_1&status=paused&smartpause=on&sort=name&error=X');
    expect(withList(all, { account: null, ...NO_FILTERS, sort: 'default' }).toString()).toBe('error=X');
    expect(withList(all, { status: 'active' }).toString()).toBe(
      'account=act_1&status=active&smartpause=on&sort=name&error=X',
    );
  });

  test('[UX-07] another account and cleared filters keep the sorting', () => {
    const sorted = new URLSearchParams('status=active&sort=-name');
    expect(withList(sorted, { account: 'act_2', ...NO_FILTERS }).toString()).toBe('sort=-name&account=act_2');
  });
});
