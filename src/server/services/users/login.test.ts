import { expect, test } from 'vitest';
import { safeReturnTo } from './login.ts';

test.each([
  ['/payment?modal=open&cycle=yearly', '/payment?modal=open&cycle=yearly'],
  ['/', '/'],
  ['/settings#danger', '/settings'],
  ['/settings/', '/settings/'],
  ['/data-deletion/ABCDEFGHJKMNPQRSTVWX', '/data-deletion/ABCDEFGHJKMNPQRSTVWX'],
  ['/data-deletion/unknown', '/'],
  ['/robots.txt', '/'],
  ['//', '/'],
  ['/.//', '/'],
  ['/api/status', '/'],
  ['/assets/x.js', '/'],
  ['/auth/facebook/callback?code=x', '/'],
  ['/no-such-page', '/'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/%2e%2e//evil.example', '/'],
  ['/\tx', '/'],
  ['/\n/evil.example', '/'],
  [' //evil.example', '/'],
  ['@evil.example', '/'],
  [':80@evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
])('[AUTH-01] returnTo %j leads to %s, always a page of this site', (given, path) => {
  expect(safeReturnTo(given)).toBe(path);
});
