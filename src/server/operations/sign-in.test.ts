import { expect, test } from 'vitest';
import { safeReturnTo } from './sign-in.ts';

test.each([
  ['/payment?modal=open&cycle=yearly', '/payment?modal=open&cycle=yearly'],
  ['/', '/'],
  ['/settings#danger', '/settings'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['/\tx', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
])('[AUTH-01] returnTo %j leads to %s: only ever a path of this site', (given, path) => {
  expect(safeReturnTo(given)).toBe(path);
});
