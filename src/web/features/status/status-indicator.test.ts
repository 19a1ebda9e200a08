import { expect, test } from 'vitest';
import type { UserStatus } from '#contract/shapes.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { holdText } from './status-indicator.tsx';

const NONE = { count: 0, budget: 0, unknownBudgets: 0 };
const coverageOf = (open: number): UserStatus['coverage'] => [
  { id: 'act_1', name: 'Shop', protected: NONE, open: { ...NONE, count: open }, blocked: NONE },
];

test.each<[string, Partial<UserStatus>]>([
  ['', {}],
  ['', { coverage: coverageOf(2) }],
  ['', { protectedRunning: 0, coverage: coverageOf(0) }],
  ['', { protectedRunning: 3, coverage: coverageOf(2) }],
  ['SmartPause protects none of your running campaigns.', { protectedRunning: 0, coverage: coverageOf(2) }],
  ['SmartPause is pausing campaigns.', { protectedRunning: 3, notYetPaused: { count: 2, because: null } }],
  [
    'SmartPause is pausing campaigns, and waits for Meta.',
    { protectedRunning: 3, notYetPaused: { count: 2, because: 'app_limit' } },
  ],
  ['SmartPause is resuming campaigns.', { heldCampaigns: 1, resumeAt: '2026-01-09T02:29:00Z' }],
  ['SmartPause has paused 1 campaign.', { heldCampaigns: 1, resumeAt: '2026-01-09T02:31:00Z' }],
  [
    'SmartPause is resuming campaigns. Meta refuses changes in 1 ad account.',
    { heldCampaigns: 1, resumeAt: '2026-01-09T02:29:00Z', refusingAccounts: ['act_1'] },
  ],
  ['Meta refuses changes in 2 ad accounts.', { refusingAccounts: ['act_1', 'act_2'] }],
  [
    'SmartPause has paused 1 campaign. Meta refuses to pause 2 campaigns.',
    { heldCampaigns: 1, protectedRunning: 1, pauseRefused: 2, refusingAccounts: ['act_1'] },
  ],
  [SUSPENDED, { heldCampaigns: 1, isSuspended: true }],
  ['SmartPause has paused 1 campaign.', { protectedRunning: 0, heldCampaigns: 1, coverage: coverageOf(2) }],
])('[UX-16] a screen reader says “%s” of %j', (text, given) => {
  const user = { resumeSettings: null, outageThreshold: null, email: null, resumeAt: null, ...given };
  expect(holdText(user, Date.parse('2026-01-09T02:30:00Z'))).toBe(text);
});
