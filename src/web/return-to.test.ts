import { expect, test } from 'vitest';
import { fragmentFor, returnTo } from './return-to.ts';

const home = { pathname: '/', search: '', hash: '' };

test.each([
  [home, null, '/'],
  [{ ...home, search: '?error=AUTH_FAILED&from=mail' }, null, '/?from=mail'],
  [home, '/settings#billing', '/settings#billing'],
  [home, '//elsewhere.example/settings', '/'],
  [home, '/\\elsewhere.example', '/'],
  [home, '/x/..//elsewhere.example', '/'],
  [home, 'https://elsewhere.example/', '/'],
  [home, 'javascript:alert(1)', '/'],
  [{ pathname: '/payment', search: '?plan=yearly', hash: '' }, '/settings', '/payment?plan=yearly'],
  [{ pathname: '/privacy', search: '', hash: '#kept' }, null, '/privacy#kept'],
])('[AUTH-01] from %j, with %j wanted, the login comes back to %s', (place, wanted, address) => {
  expect(returnTo(place, wanted)).toBe(address);
});

test.each([
  ['/settings', '/settings#billing', '#billing'],
  ['/settings', '/settings?from=mail#billing', '#billing'],
  ['/', '/settings#billing', ''],
  ['/settings', '//elsewhere.example/settings#billing', ''],
  ['/settings', null, ''],
])('back at %s, with %j wanted, the fragment is %j', (pathname, wanted, fragment) => {
  expect(fragmentFor(pathname, wanted)).toBe(fragment);
});
