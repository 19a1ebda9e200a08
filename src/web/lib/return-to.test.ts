import { beforeEach, expect, test, vi } from 'vitest';
import {
  bannerCode,
  homeAddress,
  rememberWantedAddress,
  takeWantedAddress,
  wantsOtherPage,
} from './return-to.ts';
import { dropToken } from './session.ts';

const site = 'https://smartpause.example';
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('window', { sessionStorage });
  return () => vi.unstubAllGlobals();
});

test.each([
  ['/', '/settings?from=mail#billing', '/settings?from=mail#billing'],
  ['/', '/?account=act_2&smartpause=paused', '/?account=act_2&smartpause=paused'],
  ['/?error=TOKEN_EXPIRED#prices', '/settings', '/settings'],
  ['/?account=act_2', '/settings', '/?account=act_2'],
  ['/payment', '/settings#billing', '/payment'],
  ['/', null, '/'],
  ['/', '//elsewhere.example/settings', '/'],
  ['/', '/\\elsewhere.example', '/'],
  ['/', 'https://elsewhere.example/', '/'],
  ['/', 'javascript:alert(1)', '/'],
  ['/', '//', '/'],
])('[AUTH-01] back at %s, with %j wanted, the user continues at %s', (back, wanted, address) => {
  if (wanted !== null) stored.set('wantedPage', wanted);
  expect(takeWantedAddress(new URL(back, site)).href).toBe(site + address);
});

test.each([
  ['/settings?from=mail#billing', '/settings?from=mail#billing', true],
  ['/activity/12', '/activity/12', true],
  ['/?account=act_2&smartpause=paused', '/?account=act_2&smartpause=paused', false],
  ['/?error=AUTH_FAILED&missing=ads_management&show=campaigns', '/?show=campaigns', false],
  ['/?error=AUTH_FAILED#prices', '/', false],
  ['/', '/', false],
])('[AUTH-01] a login that the page %s requires leads to %s; home says so: %j', (wanted, address, isSaid) => {
  rememberWantedAddress(new URL(wanted, site));
  expect(wantsOtherPage()).toBe(isSaid);
  expect(takeWantedAddress(new URL(site)).href).toBe(site + address);
  expect(takeWantedAddress(new URL(site)).href).toBe(`${site}/`);
});

test('[HEAD-07] a logout wants no page', () => {
  rememberWantedAddress(new URL('/settings', site));
  dropToken();
  expect(wantsOtherPage()).toBe(false);
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
  ['?error=%26x%3D%3Cb%3E', null, '/?error=%26x%3D%3Cb%3E'],
  ['', 'ADMIN_REQUIRED', '/?error=ADMIN_REQUIRED'],
  ['?error=NO_CODE', 'ADMIN_REQUIRED', '/?error=NO_CODE'],
])('[BANNER-01, ROUTE-06, ROUTE-07] %j, refused for %j, redirects to %s', (search, reason, address) => {
  expect(homeAddress(search, reason)).toBe(address);
});
