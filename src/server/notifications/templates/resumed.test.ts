import { expect, test } from 'vitest';
import { hours } from '#core/time.ts';
import { FACTS, ended, later, publicUrl, resumed } from '../../../../test/support/email-facts.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import { render } from '../render.ts';
import { resumed as compose } from './resumed.ts';

const CATCHES_UP = 'Meta catches up within the day';
const done = (given: Partial<PendingActivity>): PendingActivity => ({
  ...resumed,
  end: { reason: null, at: later },
  dailyBudget: 2000,
  ...given,
});
// 12:01 AM in Stockholm.
const newDay = later - hours(5) - (later % hours(1)) + 60_000;

test.each<[string, PendingActivity[], string | null]>([
  [
    'of two campaigns and a budget kept elsewhere',
    [done({}), done({ campaignId: '2' }), done({ campaignId: '3', dailyBudget: null })],
    'up to €70 may be spent until midnight (ad account’s time), plus 1 unknown budget.',
  ],
  [
    'by currency',
    [done({}), done({ campaignId: '2', accountId: 'act_6', currency: 'USD' })],
    'up to €35 and $35 may be spent',
  ],
  ['no budget is known', [done({ dailyBudget: null })], null],
  ['on a new day of the ad account', [done({ at: newDay, end: { reason: null, at: newDay } })], null],
])('[SPEND-06] the email of a resume says what may be spent on its day: %s', (_title, acts, words) => {
  const mail = compose({ ...FACTS, status: ended, acts, held: [] });
  const { text } = render(mail ?? { subject: '', blocks: [] }, publicUrl);
  if (words === null) expect(text).not.toContain(CATCHES_UP);
  else expect(text).toContain(`${CATCHES_UP}: ${words}`);
});
