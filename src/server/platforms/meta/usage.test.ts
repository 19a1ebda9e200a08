import { expect, test } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { readAppUsage, readInsightsUsage, readUsage } from './usage.ts';

const NOW = Date.parse('2026-01-09T02:10:00Z');
const ofBusiness = (entry: object) =>
  JSON.stringify({
    '7': [{ type: 'ads_management', call_count: 1, total_cputime: 1, total_time: 1, ...entry }],
  });

test('a block ends after the minutes that Meta states', () => {
  const headers = { 'x-business-use-case-usage': ofBusiness({ estimated_time_to_regain_access: 19 }) };
  expect(readUsage(headers, 'act_7', NOW)).toMatchObject({ regainAt: NOW + minutes(19), resetAt: null });
  expect(readUsage(headers, 'act_8', NOW)).toBeNull();
});

test('the score of the ad account resets after the seconds that Meta states, while no other limit is closer', () => {
  const account = JSON.stringify({ acc_id_util_pct: 60, reset_time_duration: 200 });
  const usageWith = (call_count: number) =>
    readUsage(
      { 'x-ad-account-usage': account, 'x-business-use-case-usage': ofBusiness({ call_count }) },
      'act_7',
      NOW,
    );
  expect(usageWith(59)).toMatchObject({ percent: 60, resetAt: NOW + seconds(200), regainAt: null });
  expect(usageWith(61)).toMatchObject({ percent: 61, resetAt: null });
});

test.each<[what: string, headers: Record<string, string>, percent: number | null, regainMinutes: number]>([
  ['nothing', {}, null, 0],
  ['no JSON', { 'x-app-usage': '{"call_count":' }, null, 0],
  ['calls', { 'x-app-usage': '{"call_count":97,"total_time":20,"total_cputime":25}' }, 97, 0],
  ['time, above 100', { 'x-app-usage': '{"call_count":28,"total_time":241,"total_cputime":25}' }, 241, 0],
  ['processor time alone', { 'x-app-usage': '{"total_cputime":71}' }, 71, 0],
  ['a time', { 'x-app-usage': '{"call_count":100,"estimated_time_to_regain_access":7}' }, 100, 7],
  [
    'a time elsewhere',
    { 'x-business-use-case-usage': ofBusiness({ estimated_time_to_regain_access: 19 }) },
    null,
    19,
  ],
])('[FR-31] the usage of the app: %s', (_what, headers, percent, regainMinutes) => {
  expect(readAppUsage(headers)).toEqual({ percent, regainMs: minutes(regainMinutes) });
});

test('[SPEND-01] the usage of the ads insights is apart from that of changes, and of the app', () => {
  const headers = {
    'x-fb-ads-insights-throttle':
      '{"app_id_util_pct":12,"acc_id_util_pct":0.01,"ads_api_access_tier":"standard_access"}',
    'x-business-use-case-usage': ofBusiness({
      type: 'ads_insights',
      call_count: 80,
      estimated_time_to_regain_access: 9,
    }),
  };
  const usage = { percent: 80, regainAt: NOW + minutes(9), tier: 'standard_access' };
  expect(readInsightsUsage(headers, 'act_7', NOW)).toMatchObject(usage);
  expect(readInsightsUsage({}, 'act_7', NOW)).toBeNull();
  expect(readUsage(headers, 'act_7', NOW)).toBeNull();
  expect(readAppUsage(headers)).toEqual({ percent: null, regainMs: 0 });
});
