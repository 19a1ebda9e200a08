import { expect, test } from 'vitest';
import { goOnAt, returnTo } from './return-to.ts';

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
  ['/settings', '/settings#billing', '/settings#billing'],
  ['/settings?from=mail', '/settings?from=mail#billing', '/settings?from=mail#billing'],
  ['/settings#sessions', '/settings#billing', '/settings#sessions'],
  ['/settings', '//elsewhere.example/settings#billing', '/settings'],
  ['/settings', null, '/settings'],
  ['/', '/settings#billing', '/settings#billing'],
  ['/', '//elsewhere.example/settings', '/'],
  ['/payment', '/settings#billing', '/payment'],
])('[AUTH-01] back at %s, with %j wanted, somebody goes on at %s', (back, wanted, address) => {
  const site = 'https://smartpause.example';
  expect(goOnAt(new URL(back, site), wanted).href).toBe(site + address);
});
