import { expect, test } from 'vitest';
import { readListAddress, withList } from './list-address.ts';

test.each([
  ['', {}],
  ['filter=held', { filter: 'held' }],
  ['sort=-budget', { sort: '-budget' }],
  ['sort=objective&filter=HELD', {}],
  // A server of the specification may have other ids than Meta's.
  ['account=222&filter=on', { account: '222', filter: 'on' }],
])('[AUTH-07] the list at the address %s', (search, expected) => {
  const list = readListAddress(new URLSearchParams(search));
  expect(list).toEqual({ account: null, filter: 'all', sort: 'default', ...expected });
});

test.each([
  [{ account: 'act_2', filter: 'all' }, 'sort=-name&error=X&account=act_2'],
  [{ sort: 'default' }, 'filter=active&error=X'],
  [{ account: null, filter: 'held' }, 'filter=held&sort=-name&error=X'],
] as const)(
  '[UX-07] %o changes the address, without defaults and with foreign parameters',
  (change, search) => {
    const before = new URLSearchParams('filter=active&sort=-name&error=X');
    expect(withList(before, change).toString()).toBe(search);
  },
);
