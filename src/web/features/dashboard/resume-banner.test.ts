import { expect, test } from 'vitest';
import { SOON, UP, outdoor, quiet, told } from './banner-list.fixture.ts';

test('[SPEND-06] a scheduled resume names the ad accounts with a later one, and what may be spent on its day', () => {
  const spend = { count: 2, budget: 2000, unknownBudgets: 1 };
  const yachts = { id: 'act_9', name: 'Lind Yachts', count: 1, resumeAt: '2026-01-09T08:01:00Z' };
  const heldAccounts = [{ ...outdoor, spend, currency: 'EUR' }, yachts];
  const user = { ...quiet(), resumeAt: SOON, heldCampaigns: 3, heldAccounts };
  expect(told({ status: UP, user })[0]).toBe(
    'resume blue: 2 campaigns resume at 9:47 PM EST · in 17 min | SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor. | 1 campaign in Lind Yachts: resumes on Jan 9, 2026, 3:01 AM EST. | Meta catches up within the day: up to €35 may be spent until midnight (ad account’s time), plus 1 unknown budget. [show_held, See what happened, resume_now]',
  );
});
