import {
  FACTS,
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
import type { Facts } from '../facts.ts';

const isSuspended = true;
const waits = {
  ...paused,
  happened: { event: 'held_up', facts: { accountId: 'act_5', since: later } },
} as const;
const matched = FACTS.status;
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
      '2 more campaigns are not paused: SmartPause’s own connection',
      'Until it’s back, pause them in Ads Manager.',
      '5 campaigns still run',
    ],
    [...PROMISES, 'too: '],
  ],
  [
    '[FR-32, ENG-22] a reminder',
    'reminder',
    { ...remindedAfter(7), isSuspended, status: { ...ended, checkedAt: later } },
    ['1 campaign stays paused until it’s back. Then SmartPause resumes it', 'resume it in Ads Manager'],
    [...PROMISES, 'resumes it now'],
  ],
  [
    '[FR-32, ENG-22] a user who leaves',
    'resumed',
    { isSuspended, status: ended, user: leaving('deauthorize'), acts: [resumed] },
    [SAYS, 'Before that SmartPause resumes what it paused.'],
    ['were resumed first'],
  ],
];
