import { expect, test } from 'vitest';
import type { HeldAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import { delayCopy, lapsedCopy, outageCopy, scheduledCopy, shownAccounts } from './outage-copy.ts';

const user = (given: Partial<UserStatus> = {}): UserStatus => ({
  resumeSettings: { mode: 'instant' },
  outageThreshold: 'MEDIUM',
  email: null,
  resumeAt: null,
  ...given,
});
const account = (name: string, count = 1, delayedBy?: HeldAccount['delayedBy']): HeldAccount => ({
  ...{ id: `act_${name}`, name, count },
  ...(delayedBy && { delayedBy }),
});
const outdoor = account('Lind Outdoor', 2);
const kids = account('Lind Kids');
const status = (level: PlatformStatus['status']): PlatformStatus => ({ status: level, message: '' });
const HIGH = status('HIGH_DISRUPTION');

const NO_HOLD = { heldCampaigns: 0, heldAccounts: [] };
const TWO_HELD = { heldCampaigns: 2, heldAccounts: [outdoor] };
const THREE_HELD = { heldCampaigns: 3, heldAccounts: [outdoor, kids] };
const RESUMED = 'They resume as soon as the outage ends.';
const REFUSED = 'Meta no longer accepts our access.';

test.each<[string, Partial<UserStatus>]>([
  [`Campaigns with SmartPause on that were running are paused. ${RESUMED}`, {}],
  [`Pausing 2 campaigns. ${RESUMED}`, { notYetPaused: { count: 2, because: null } }],
  [`2 campaigns paused in 1 account. ${RESUMED}`, { ...TWO_HELD, protectedRunning: 2 }],
  [`3 campaigns paused in 2 accounts. ${RESUMED}`, THREE_HELD],
  [
    `3 campaigns paused in 2 accounts. Pausing 1 more. Meta’s rate limit for the ad account is reached, so we continue when Meta allows it. ${RESUMED}`,
    { ...THREE_HELD, notYetPaused: { count: 1, because: 'limit' }, protectedRunning: 4 },
  ],
  [
    'Pausing 1 campaign. Meta isn’t responding, so we keep trying. It resumes as soon as the outage ends.',
    { ...NO_HOLD, notYetPaused: { count: 1, because: 'no_answer' } },
  ],
  [
    `2 campaigns paused in 1 account. ${RESUMED} Meta refused to pause 1 campaign. It keeps running and isn’t protected.`,
    { ...TWO_HELD, pauseRefused: 1 },
  ],
  [
    'Meta refused to pause 2 campaigns. They keep running and aren’t protected.',
    { ...NO_HOLD, pauseRefused: 2 },
  ],
  [
    '2 campaigns paused in 1 account. They resume 5 minutes after the outage ends.',
    { ...TWO_HELD, resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } } },
  ],
  [
    '2 campaigns paused in 1 account. They resume 1 hour after the outage ends.',
    { ...TWO_HELD, resumeSettings: { mode: 'delay', delay: { value: 1, unit: 'hours' } } },
  ],
  [
    '2 campaigns paused in 1 account. They resume at 12:01 AM EST on the day after the outage ends.',
    { ...TWO_HELD, resumeSettings: { mode: 'next_day' } },
  ],
  [`2 campaigns paused in 1 account. ${RESUMED}`, { ...TWO_HELD, protectedRunning: 0, running: 0 }],
  ['No campaign is paused by SmartPause right now.', { ...NO_HOLD, protectedRunning: 1 }],
  [
    'None of your campaigns is running, so there is nothing to pause.',
    { ...NO_HOLD, protectedRunning: 0, running: 0 },
  ],
])('[UX-01, UX-02, DASH-03, FR-01, FR-30] the threshold is met: %s', (text, given) => {
  const title = 'SmartPause Activated - Threshold Matched';
  expect(outageCopy(HIGH, user(given), 'stale')).toEqual({ title, color: 'yellow', text, offer: null });
});

test.each<[string, Partial<UserStatus>]>([
  [`2 campaigns can’t be paused: ${REFUSED}`, { ...NO_HOLD, notYetPaused: { count: 2, because: null } }],
  [
    `2 campaigns paused in 1 account. 1 more can’t be paused: ${REFUSED}`,
    { ...TWO_HELD, notYetPaused: { count: 1, because: 'no_answer' } },
  ],
  [`2 campaigns paused in 1 account. They can’t be resumed: ${REFUSED}`, TWO_HELD],
])('[UX-01] with a refused token a new login is needed: %s', (text, given) => {
  expect(outageCopy(HIGH, user(given), 'expired')).toMatchObject({ text, offer: 'reconnect' });
});

test.each([
  [3, 'ok', 'SmartPause is on for none of your 3 running campaigns. They keep spending.', 'choose'],
  [1, 'ok', 'SmartPause is off for your running campaign. It keeps spending.', 'choose'],
  [undefined, 'ok', 'SmartPause is on for none of your running campaigns. They keep spending.', 'choose'],
  [
    ...[2, 'expired'],
    'SmartPause is on for none of your 2 running campaigns. They keep spending. Meta no longer accepts our access, so renew it first.',
    'reconnect',
  ],
] as const)(
  '[UX-02] %s running campaigns, none protected, access %s: a warning',
  (running, access, words, offer) => {
    const given = { ...NO_HOLD, protectedRunning: 0, ...(running && { running }) };
    expect(outageCopy(HIGH, user(given), access)).toEqual({
      title: 'Nothing is protected in this disruption',
      color: 'red',
      text: `Meta’s status meets your threshold, but ${words}`,
      offer,
    });
  },
);

const BELOW = 'because the status is below your threshold (MEDIUM).';
const UNKNOWN = 'We can’t read Meta’s status page. No campaigns will be paused until we can.';

test.each<[PlatformStatus['status'], Partial<UserStatus>, string]>([
  ['LOW_DISRUPTION', {}, `Your campaigns remain active or are resuming, ${BELOW}`],
  [
    'LOW_DISRUPTION',
    { resumeAt: '2026-01-10T05:01:00.000Z' },
    `Your campaigns remain active or are resuming as scheduled, ${BELOW}`,
  ],
  [
    // The holds began with a lower threshold.
    'LOW_DISRUPTION',
    { heldCampaigns: 2 },
    '2 campaigns stay paused: the status still meets the threshold that they were paused for.',
  ],
  ['UNKNOWN', { heldCampaigns: 0 }, UNKNOWN],
  ['UNKNOWN', { heldCampaigns: 5 }, `${UNKNOWN} 5 campaigns stay paused until then.`],
  // A resume is promised only where one is scheduled.
  [
    'UNKNOWN',
    { heldCampaigns: 5, resumeAt: '2026-01-09T02:47:00Z' },
    `${UNKNOWN} Scheduled resumes still run on time.`,
  ],
])('[DASH-04, FR-01] %s, %j', (level, given, text) => {
  const [title, color] =
    level === 'UNKNOWN' ? ['Meta Status Unknown', 'gray'] : ['Meta Services Disruption Detected', 'blue'];
  expect(outageCopy(status(level), user(given), 'ok')).toEqual({ title, color, text, offer: null });
  expect(outageCopy(status(level), undefined, 'ok').text).toBe(UNKNOWN);
});

test('[UX-05] what delays a resume is named once for each cause', () => {
  expect(delayCopy([outdoor, kids])).toEqual([]);
  expect(delayCopy()).toEqual([]);
  const delayed = [
    ...[account('A', 1, 'limited'), account('B', 1, 'access_lost'), account('C')],
    ...[account('D', 1, 'limited'), account('E', 1, 'no_answer')],
  ];
  expect(delayCopy(delayed)).toEqual([
    'Meta’s rate limit for A and D is reached: resuming continues when Meta allows it.',
    'You no longer have access to B on Meta: nothing resumes there without it.',
    'Meta isn’t responding for E: we keep trying.',
  ]);
  expect(delayCopy([account('A', 1, 'login')])[0]).toMatch(/reconnect/);
});

const now = Date.parse('2026-01-09T02:30:00Z');

test.each([
  [1, null, /^1 campaign is paused .* It still resumes when the disruption ends, as set in Settings\./],
  [3, now + minutes(17), /^3 campaigns are paused .* They still resume at 9:47 PM EST\./],
  [3, now + minutes(151), /They still resume on Jan 9, 2026, 12:01 AM EST\./],
])(
  'without a subscription, %i paused campaigns are counted, and the text says how they resume',
  (count, at, words) => {
    const { title, text } = lapsedCopy(count, at, now);
    expect(`${title} ${text}`).toMatch(words);
  },
);

test('[DASH-02, UX-05] the resume banner names the accounts', () => {
  expect(scheduledCopy(3, [outdoor, kids])).toBe('3 campaigns in Lind Outdoor and Lind Kids.');
});

test('[UX-01] only accounts that the user can open are shown', () => {
  const delayed = account('C', 1, 'limited');
  const heldAccounts = [outdoor, account('B', 1, 'access_lost'), delayed];
  expect(shownAccounts(user({ heldAccounts }))).toEqual([outdoor, delayed]);
});
