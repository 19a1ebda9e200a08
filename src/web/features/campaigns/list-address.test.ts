import { expect, test } from 'vitest';
import { NO_FILTERS, readListAddress, withList } from './list-address.ts';

test.each([
  ['', {}],
  ['status=paused&smartpause=disabled', { status: 'paused', smartpause: 'disabled' }],
  ['sort=-budget', { sort: '-budget' }],
  ['sort=objective&status=PAUSED&smartpause=maybe', {}],
  // A server of the specification may have other ids than Meta's.
  ['account=222&status=other', { account: '222', status: 'other' }],
])('[AUTH-07] the list at the address %s', (search, expected) => {
  const list = readListAddress(new URLSearchParams(search));
  expect(list).toEqual({ account: null, ...NO_FILTERS, sort: 'default', ...expected });
});

test.each([
  [{ account: 'act_2', ...NO_FILTERS }, 'sort=-name&error=X&account=act_2'],
  [{ sort: 'default' }, 'status=active&error=X'],
  [{ account: null, smartpause: 'paused' }, 'status=active&sort=-name&error=X&smartpause=paused'],
] as const)(
  '[UX-07] %o changes the address, without defaults and with foreign parameters',
  (change, search) => {
    const before = new URLSearchParams('status=active&sort=-name&error=X');
    expect(withList(before, change).toString()).toBe(search);
  },
);
