import { expect, test } from 'vitest';
import { accessCopy, bannerCopy } from './banner-copy.ts';

test.each([
  ['AUTH_FAILED', 'Authentication Failed', 'red', true],
  ['INVALID_STATE', 'Security Error', 'red', true],
  ['NO_CODE', 'Authentication Error', 'red', true],
  ['FACEBOOK_ERROR', 'Facebook Error', 'red', true],
  ['TOKEN_EXPIRED', 'Session Expired', 'yellow', true],
  ['TOKEN_STALE', 'Token Refresh Required', 'yellow', true],
  ['ACCESS_DENIED', 'Access Denied', 'red', true],
  ['ADMIN_REQUIRED', 'Admin Access Required', 'red', false],
  ['ACCOUNT_DELETE_FAILED', 'Account Deletion Failed', 'red', false],
  ['ACCOUNT_DELETED', 'Account Deleted', 'green', false],
  ['DEAUTH_SUCCESS', 'Successfully Deauthorized', 'green', false],
  ['DEAUTH_FAILED', 'Deauthorization Failed', 'red', false],
  ['CAMPAIGN_NOT_FOUND', 'Campaign Not Found', 'red', false],
  ['CAMPAIGN_ACTION_FAILED', 'Campaign Action Failed', 'red', false],
  ['SERVER_ERROR', 'Server Error', 'red', false],
  ['NETWORK_ERROR', 'Network Error', 'red', false],
  ['toString', 'Something Went Wrong', 'red', false],
])('[BANNER-02, BANNER-03, BANNER-04] %s is %s', (code, title, color, offersLogin) => {
  expect(bannerCopy(code)).toMatchObject({ title, color, offersLogin });
});

test('[FR-03] a missing permission is named only where the banner concerns it', () => {
  const plain = bannerCopy('ACCESS_DENIED');
  expect(bannerCopy('ACCESS_DENIED', 'ads_management').advice).toMatch(/permission to manage your ads/);
  expect(bannerCopy('ACCESS_DENIED', '<b>anything</b>')).toEqual(plain);
  expect(accessCopy('expired', 'ads_management').advice).toMatch(/permission to manage your ads/);
  expect(bannerCopy('NO_CODE', 'ads_management')).toEqual(bannerCopy('NO_CODE'));
});

test('[BANNER-02] a code in the address is about the session, an expired access about Meta', () => {
  const expired = accessCopy('expired', null);
  expect(bannerCopy('TOKEN_EXPIRED').advice).toBe('You were logged out.');
  expect(expired).toMatchObject({ title: 'Session Expired', color: 'yellow', offersLogin: true });
  expect(expired.advice).toMatch(/^Your Meta connection has expired/);
  expect(accessCopy('stale', null)).toEqual(bannerCopy('TOKEN_STALE'));
});
