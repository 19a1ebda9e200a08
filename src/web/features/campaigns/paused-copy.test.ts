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
  resumedAllCopy,
  resumesCopy,
  scheduledCopy,
  shownAccounts,
  unknownCopy,
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
    const { title, text } = lapsedCopy(user({ heldCampaigns: count }), at, now);
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

const WORD = { since: '2026-01-09T02:10:00Z', until: null, campaigns: 2 };

test('[EARLY-08] what the user has paused stays so until they choose ‘Resume all’, not until an outage ends', () => {
  const word = user({ pausedAll: WORD, heldCampaigns: 2 });
  expect(resumesCopy(word, 'act_A', now)).toBe('until you choose “Resume all”');
  expect(belowCopy(word)).toBe(
    'The status is below your threshold. 2 campaigns stay paused until you choose “Resume all”.',
  );
  expect(unknownCopy(word)).toBe(
    'We can’t read Meta’s status page. “Pause all now” keeps your campaigns paused all the same.',
  );
  expect(lapsedCopy(word, null, now).text).toMatch(/^They still resume when you choose “Resume all”\./);
  const until = '2026-01-09T02:47:00Z';
  const timed = user({ resumeAt: until, pausedAll: { ...WORD, until }, heldCampaigns: 1 });
  expect(resumesCopy(timed, 'act_A', now)).toBe('resumes at 9:47 PM EST');
  expect(belowCopy(timed)).toMatch(
    /1 campaign stays paused until you choose “Resume all”, or (at|on) .*9:47 PM EST/,
  );
});

test.each([
  [{ heldCampaigns: 2 }, 'UP', 'SmartPause resumes what it paused for you.'],
  [
    { heldCampaigns: 2 },
    'HIGH_DISRUPTION',
    'Meta’s outage goes on: what it keeps paused resumes after it, as set in Settings.',
  ],
  [
    { heldCampaigns: 5 },
    'UP',
    'SmartPause resumes what only you paused. What an outage kept paused resumes as set in Settings.',
  ],
  [
    { heldCampaigns: 2, isSuspended: true },
    'UP',
    'Resuming waits until SmartPause’s connection to Meta is back.',
  ],
] as const)('[EARLY-08] after ‘Resume all’ with %j at %s', (given, status, words) => {
  expect(resumedAllCopy({ status }, user({ pausedAll: WORD, ...given }))).toBe(words);
});

test('[EARLY-08] an outage that ended during ‘Pause all now’ delays the resume as set in Settings', () => {
  const up = { status: 'UP', since: '2026-01-09T02:20:00Z' } as const;
  const resumeSettings = { mode: 'delay', delay: { value: 2, unit: 'hours' } } as const;
  const word = user({ pausedAll: WORD, heldCampaigns: 2, resumeSettings });
  expect(resumedAllCopy(up, word)).toMatch(/as set in Settings\.$/);
  const warning = { since: '2026-01-09T02:00:00Z', pauses: true, evidence: '' };
  expect(resumedAllCopy({ ...up, warning }, { ...word, earlyWarning: 'pause' })).toMatch(
    /^The early warning goes on/,
  );
  expect(resumedAllCopy({ ...up, warning }, { ...word, earlyWarning: 'notify' })).not.toMatch(
    /early warning/,
  );
  expect(resumedAllCopy({ ...up, since: '2026-01-09T02:00:00Z' }, word)).not.toMatch(/Settings/);
});

test('[EARLY-04] what an early warning has paused stays so until that is over, not until an outage ends', () => {
  const early = user({ pausedEarly: 2, heldCampaigns: 2 });
  expect(resumesCopy(early, 'act_A', now)).toBe('until it’s over');
  expect(belowCopy(early)).toBe('2 campaigns stay paused: the early warning goes on.');
  expect(unknownCopy(early)).toBe('We can’t read Meta’s status page.');
  expect(lapsedCopy(early, null, now).text).toMatch(/^They still resume when the early warning ends, as set/);
  const later = user({ ...early, resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } } });
  expect(resumesCopy(later, 'act_A', now)).toBe('resumes 5 minutes after it’s over');
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
