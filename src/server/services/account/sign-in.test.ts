import { expect, test } from 'vitest';
import { safeReturnTo } from './sign-in.ts';

test.each([
  ['/payment?modal=open&cycle=yearly', '/payment?modal=open&cycle=yearly'],
  ['/', '/'],
  ['/settings#danger', '/settings'],
  ['/settings/', '/settings/'],
  ['/data-deletion/ABCDEFGHJKMNPQRSTVWX', '/data-deletion/ABCDEFGHJKMNPQRSTVWX'],
  ['/data-deletion/nobody', '/'],
  ['/robots.txt', '/'],
  ['/health', '/'],
  ['//', '/'],
  ['/.//', '/'],
  ['/api/status', '/'],
  ['/assets/x.js', '/'],
  ['/auth/facebook/callback?code=x', '/'],
  ['/auth/facebook', '/'],
  ['/no-such-page', '/'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['/\tx', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
])('[AUTH-01] returnTo %j leads to %s: only ever a page of this site', (given, path) => {
  expect(safeReturnTo(given)).toBe(path);
});
