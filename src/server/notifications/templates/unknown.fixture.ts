import { held, unknown } from '../../../../test/support/email-facts.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Facts } from '../facts.ts';

/** Emails while the status is unknown: the facts, what the email says, and what it does not say. */
export const UNKNOWN_EMAILS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    'an hour of UNKNOWN',
    'unknown',
    unknown,
    [
      'haven’t been able to read Meta’s status page since Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)',
      '1 campaign stays paused',
      'SmartPause resumes it and',
      'To run it sooner, press Resume now',
    ],
    ['denies'],
  ],
  [
    'an hour of UNKNOWN without access to one of two',
    'unknown',
    { ...unknown, held: [held, { ...held, isReachable: false }] },
    [
      '2 campaigns stay paused',
      'SmartPause resumes 1 of them',
      'Meta denies SmartPause access to 1 paused campaign',
    ],
  ],
  [
    'an hour of UNKNOWN without access',
    'unknown',
    { ...unknown, held: [{ ...held, isReachable: false }] },
    ['Meta denies SmartPause access to 1 paused campaign'],
    ['SmartPause resumes', 'Resume now'],
  ],
];
