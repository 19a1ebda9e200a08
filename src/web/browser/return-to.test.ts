import { expect, test } from 'vitest';
import { bannerCode, goOnAt, homeAddress, returnTo } from './return-to.ts';

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
  [{ pathname: '/payment', search: '?cycle=yearly', hash: '' }, '/settings', '/payment?cycle=yearly'],
  [{ pathname: '/privacy', search: '', hash: '#kept' }, null, '/privacy#kept'],
])('[AUTH-01] from %j, with %j wanted, login returns to %s', (place, wanted, address) => {
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
])('[AUTH-01] back at %s, with %j wanted, the user continues at %s', (back, wanted, address) => {
  const site = 'https://smartpause.example';
  expect(goOnAt(new URL(back, site), wanted).href).toBe(site + address);
});

test.each([
  ['', null],
  ['?from=mail', null],
  ['?error=', null],
  ['?error=NO_CODE', 'NO_CODE'],
])('[BANNER-01] the address %j shows the banner %j', (search, code) => {
  expect(bannerCode(new URLSearchParams(search))).toBe(code);
});

test.each([
  ['', null, '/'],
  ['?error=&from=mail', null, '/'],
  ['?error=NO_CODE&from=mail', null, '/?error=NO_CODE'],
  ['?error=ACCESS_DENIED&missing=ads_management', null, '/?error=ACCESS_DENIED&missing=ads_management'],
  ['?error=%26x%3D%3Cb%3E', null, '/?error=%26x%3D%3Cb%3E'],
  ['', 'ADMIN_REQUIRED', '/?error=ADMIN_REQUIRED'],
  ['?error=&missing=ads_management', 'ADMIN_REQUIRED', '/?error=ADMIN_REQUIRED'],
  ['?error=NO_CODE', 'ADMIN_REQUIRED', '/?error=NO_CODE'],
])('[BANNER-01, ROUTE-06, ROUTE-07] %j, refused for %j, redirects to %s', (search, reason, address) => {
  expect(homeAddress(search, reason)).toBe(address);
});
