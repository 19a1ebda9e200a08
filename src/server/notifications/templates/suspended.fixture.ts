import {
  FACTS,
  at,
  ended,
  held,
  later,
  leaving,
  paused,
  remindedAfter,
  resumed,
  retrying,
  runs,
  staysPaused,
} from '../../../../test/support/email-facts.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { hours } from '#core/time.ts';
import type { Facts } from '../facts.ts';

const isSuspended = true;
const waits = {
  ...paused,
  happened: { event: 'held_up', facts: { since: later } },
} as const;
const matched = FACTS.status;
/** The match ended an hour before the reminder, and the user's resumes are of the next day. */
const over = { ...ended, matchSince: { LOW: null, MEDIUM: at + hours(6), HIGH: null } };
const lower = { ...ended, known: 'LOW_DISRUPTION', effective: 'LOW_DISRUPTION' } as const;
const offNow = {
  timeZone: 'UTC',
  off: [{ weekdays: [0, 1, 2, 3, 4, 5, 6], from: 0, minutes: 720 }],
};
const SAYS = 'Meta doesn’t let SmartPause pause or resume campaigns now.';
const PROMISES = ['No action needed', 'press Resume now', 'Retry now', 'tries again', 'keeps trying'];

/** Emails while Meta refuses our app: the facts, what the email says, and what it does not say. */
export const SUSPENDED_EMAILS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    '[FR-32, ENG-22] resumes wait, beside one that was done and one that Meta refused before',
    'resumed',
    {
      ...{
        isSuspended,
        status: ended,
        unfinished: 2,
        held: [held, { ...held, campaignId: '2', name: 'Autumn' }],
      },
      acts: [
        { ...resumed, campaignId: '9', name: 'Winter' },
        waits,
        { ...staysPaused, happened: retrying('resume') },
      ],
    },
    [
      `SmartPause resumed 1 campaign, 2 still paused\n\n${SAYS}`,
      '2 campaigns stay paused until it’s back. Then SmartPause resumes them, and we’ll tell you.',
      'To run them sooner, resume them in Ads Manager.',
      'SmartPause stays on for “Winter” in the next disruption.',
      'Resumed in Chen "Outdoor" (1 campaign):\n- Winter',
      'Still paused in Chen "Outdoor" (2 campaigns):\n9:10 PM EST\n- Autumn\n- Spring & <Sale>\n',
    ],
    PROMISES,
  ],
  [
    '[FR-32, ENG-22] one resume waited, and was done since',
    'resumed',
    { status: ended, held: [], acts: [{ ...waits, isHeld: false, end: { reason: null, at: later } }] },
    ['SmartPause resumed 1 campaign\n\nNo action needed.'],
    [SAYS, 'Still paused'],
  ],
  [
    '[FR-32, ENG-22] a pause while others run and are not paused yet',
    'paused',
    { isSuspended, status: matched, unfinished: 2, coverage: [runs], acts: [paused] },
    [
      SAYS,
      '1 campaign stays paused until it’s back and the disruption has dropped below your threshold.',
      '2 more campaigns are not paused. Until our connection is back, pause them in Ads Manager.',
      '5 campaigns still run',
    ],
    [...PROMISES, 'too: '],
  ],
  [
    '[FR-32, ENG-22] a pause that is over while others are not paused yet',
    'paused',
    {
      ...{ isSuspended, status: matched, unfinished: 1, coverage: [runs] },
      acts: [{ ...paused, isHeld: false, end: { reason: null, at: later } }],
    },
    [
      '1 more campaign is not paused: SmartPause’s own connection',
      'Until it’s back, pause it in Ads Manager.',
    ],
    [...PROMISES, SAYS],
  ],
  [
    '[FR-32, ENG-22] a reminder',
    'reminder',
    { ...remindedAfter(7), isSuspended, status: { ...ended, checkedAt: later } },
    ['1 campaign stays paused until it’s back. Then SmartPause resumes it', 'resume it in Ads Manager'],
    [...PROMISES, 'resumes it now'],
  ],
  [
    '[FR-32, ENG-22] a reminder before the next day',
    'reminder',
    { ...remindedAfter(7), isSuspended, status: over },
    ['1 campaign stays paused until it’s back. Then SmartPause resumes it, not before Jan 10, 2026'],
    PROMISES,
  ],
  [
    '[FR-32, ENG-22] a reminder while a user resumes one of two',
    'reminder',
    {
      ...{ ...remindedAfter(7), isSuspended, status: over },
      held: [held, { ...held, campaignId: '2', name: 'Autumn', isResuming: true }],
    },
    ['Then SmartPause resumes them, the last not before Jan 10, 2026'],
    PROMISES,
  ],
  [
    '[FR-32, ENG-22] a resume that waits, beside one in a match that lasts and one that is due later',
    'resumed',
    {
      ...{ isSuspended, status: lower, acts: [waits] },
      held: [
        held,
        { ...held, campaignId: '2', name: 'Autumn', threshold: 'LOW' },
        { ...held, campaignId: '3', name: 'Winter', schedule: offNow },
      ],
    },
    ['Meta doesn’t let SmartPause resume 1 campaign\n', 'Still paused in Chen "Outdoor" (1 campaign):'],
    [...PROMISES, 'Autumn', 'Winter', 'not before'],
  ],
  [
    '[FR-32, ENG-22] a user who leaves',
    'resumed',
    { isSuspended, status: ended, user: leaving('deauthorize'), acts: [resumed] },
    [SAYS, 'Before that SmartPause resumes what it paused.'],
    ['were resumed first'],
  ],
];
