import { expect, test } from 'vitest';
import type { PageFacts } from './page-banners.ts';
import { pageBanners } from './page-banners.ts';

const NONE: PageFacts = { code: null, missing: null, access: 'ok', lacking: null, leaving: null };
const shown = (facts: Partial<PageFacts>) => pageBanners({ ...NONE, ...facts });

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
])('[BANNER-02, BANNER-03, BANNER-04] %s is %s', (code, title, tone, offersLogin) => {
  const acts = offersLogin ? [{ act: 'log_in', label: 'Log in again' }] : [];
  expect(shown({ code })).toMatchObject([{ kind: 'address', title, tone, acts, isDismissible: true }]);
});

test('[FR-03] a missing permission is named only where the banner concerns it', () => {
  const says = (facts: Partial<PageFacts>) => shown(facts)[0]?.sentences[0];
  const named = /permission to manage your ads/;
  expect(says({ code: 'ACCESS_DENIED', missing: 'ads_management' })).toMatch(named);
  expect(says({ code: 'ACCESS_DENIED', missing: '<b>anything</b>' })).toBe(says({ code: 'ACCESS_DENIED' }));
  expect(says({ access: 'expired', lacking: 'ads_management' })).toMatch(named);
  expect(says({ code: 'NO_CODE', missing: 'ads_management' })).toBe(says({ code: 'NO_CODE' }));
});

test('[BANNER-02] a code in the address is about the session, an expired access about Meta; one title is shown once', () => {
  expect(shown({ code: 'TOKEN_EXPIRED' })).toMatchObject([{ sentences: ['You were logged out.'] }]);
  const expired = shown({ code: 'TOKEN_EXPIRED', access: 'expired', leaving: 'delete' });
  expect(expired.map(({ kind }) => kind)).toEqual(['leaving', 'access']);
  expect(expired[1]).toMatchObject({ title: 'Session Expired', tone: 'yellow' });
  expect(expired[1]?.sentences[0]).toMatch(/^Your Meta connection has expired/);
  expect(shown({ access: 'stale' })).toMatchObject([{ title: 'Token Refresh Required' }]);
  expect(shown({})).toEqual([]);
});
