import { expect, test } from 'vitest';
import type { UserStatus } from '#contract/shapes.ts';
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
  ['SmartPause has paused 1 campaign.', { protectedRunning: 0, heldCampaigns: 1, coverage: coverageOf(2) }],
])('[UX-16] a screen reader says “%s” of %j', (text, given) => {
  const user = { resumeSettings: null, outageThreshold: null, email: null, resumeAt: null, ...given };
  expect(holdText(user)).toBe(text);
});
