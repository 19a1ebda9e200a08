import { expect, test } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { readUsage } from './usage.ts';

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
