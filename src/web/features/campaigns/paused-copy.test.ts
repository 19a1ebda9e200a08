import { expect, test } from 'vitest';
import type { ResumeSettings } from '#core/settings.ts';
import type { HeldAccount, UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import { isMatched } from './campaign-view.ts';
import {
  belowCopy,
  delayCopy,
  lapsedCopy,
  pausedCopy,
  resumesCopy,
  scheduledCopy,
  shownAccounts,
  whenResumed,
} from './paused-copy.ts';

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
const now = Date.parse('2026-01-09T02:30:00Z');

test('[UX-05] what delays a resume is named once for each cause', () => {
  expect(delayCopy([outdoor, kids], now)).toEqual([]);
  const delayed = [
    ...[account('A', 1, 'limited'), account('B', 1, 'access_lost'), account('C')],
    ...[account('D', 1, 'limited'), account('E', 1, 'no_answer')],
  ];
  expect(delayCopy(delayed, now)).toEqual([
    'Meta’s rate limit for A and D is reached: resuming continues when Meta allows it.',
    'You no longer have access to B on Meta: nothing resumes there without it.',
    'Meta isn’t responding for E: we keep trying.',
  ]);
  expect(delayCopy([account('A', 1, 'login')], now)[0]).toMatch(/log in again/);
});

test('[FR-31] while Meta has suspended our app, pauses and resumes wait for it', () => {
  expect(delayCopy([account('A', 1, 'suspended')], now)).toEqual([
    'Resuming waits until SmartPause’s connection to Meta is back.',
  ]);
  const suspended = user({ heldCampaigns: 2, heldAccounts: [outdoor], isSuspended: true });
  expect(pausedCopy(suspended, 39, false)).toEqual([
    '2 campaigns paused in 1 account.',
    'Pausing 39 more waits until SmartPause’s connection to Meta is back.',
  ]);
  expect(delayCopy([account('A', 1, 'app_limit')], now)[0]).toMatch(/^SmartPause’s own limit at Meta/);
});

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

test.each([
  ['until the outage ends', {}],
  ['resumes at 9:47 PM EST', { resumeAt: '2026-01-09T02:47:00Z' }],
  [
    'resumes at 9:47 PM EST if you log in',
    { resumeAt: '2026-01-09T02:47:00Z', heldAccounts: [account('A', 1, 'login')] },
  ],
  [
    'resumes once you log in again',
    { resumeAt: '2026-01-09T02:17:00Z', heldAccounts: [account('A', 1, 'login')] },
  ],
  [
    'resumes on Jan 9, 2026, 3:01 AM EST',
    {
      resumeAt: '2026-01-09T02:47:00Z',
      heldAccounts: [{ ...account('A', 1), resumeAt: '2026-01-09T08:01:00Z' }],
    },
  ],
  [
    'waits until SmartPause’s connection to Meta is back',
    { resumeAt: '2026-01-09T02:17:00Z', heldAccounts: [account('A', 1, 'suspended')] },
  ],
  [
    'resuming, waits for SmartPause’s own limit at Meta',
    { resumeAt: '2026-01-09T02:17:00Z', heldAccounts: [account('A', 1, 'app_limit')] },
  ],
  ['resuming now', { resumeAt: '2026-01-09T02:17:00Z', heldAccounts: [account('B', 1, 'app_limit')] }],
] as [string, Partial<UserStatus>][])('[UX-05] the row of a held campaign says: %s', (words, given) => {
  expect(resumesCopy(user(given), 'act_A', now)).toBe(words);
});

test('[UX-14] settings of a newer server are left out of the sentences', () => {
  expect(belowCopy(user({ outageThreshold: null }))).toMatch(/below your threshold\.$/);
  expect(`${whenResumed(null)} the outage ends`).toBe('after the outage ends');
  const counted = { outageThreshold: null, protectedRunning: 1 };
  expect(
    [user(counted), user({ outageThreshold: null })].map((one) =>
      isMatched({ status: 'LOW_DISRUPTION' }, one),
    ),
  ).toEqual([true, false]);
});

test('[DASH-02, UX-05] the resume banner names the accounts, and the choice that it follows', () => {
  const copy = (settings: ResumeSettings | null) => scheduledCopy('3 campaigns', [outdoor, kids], settings);
  expect(copy({ mode: 'instant' })).toBe('3 campaigns in Lind Outdoor and Lind Kids.');
  expect(copy({ mode: 'delay', delay: { value: 2, unit: 'hours' } })).toBe(
    '3 campaigns in Lind Outdoor and Lind Kids: you chose 2 hours after the outage ends.',
  );
});

test('[UX-01] only accounts that the user can open are shown', () => {
  const delayed = account('C', 1, 'limited');
  const heldAccounts = [outdoor, account('B', 1, 'access_lost'), delayed];
  expect(shownAccounts(user({ heldAccounts }))).toEqual([outdoor, delayed]);
});
