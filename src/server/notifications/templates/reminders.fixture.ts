import type { NotificationKind } from '#core/notifications.ts';
import { at, ended, held, remindedAfter, unknownStatus } from '../../../../test/support/email-facts.ts';
import type { Facts } from '../facts.ts';

/** As EMAILS beside it. */
export const REMINDERS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    '[CHAN-06, FR-37] a reminder while the outage goes on',
    'reminder',
    remindedAfter(6),
    [
      'Still paused: 1 campaign for 6 h\n\nSmartPause paused it on Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC).\n\nThe outage goes on, and your threshold is met.\n\nWhen the disruption drops below your threshold, SmartPause resumes it at the next 12:01 AM EST',
      'and we’ll tell you.\n\n⬣ High disruption: your threshold is met.\n\nOutage: Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC), still ongoing\n',
      'Still paused in Chen "Outdoor" (1 campaign):\n- Spring & <Sale>: 9:10 PM EST\n',
      'To run it sooner, press Resume now in SmartPause.',
    ],
    ['Meta’s status page'],
  ],
  [
    '[CHAN-06] a reminder whose campaigns wait for different things',
    'reminder',
    {
      ...remindedAfter(30),
      status: { ...ended, matchSince: { LOW: at, MEDIUM: at + 3_600_000 * 29, HIGH: at } },
      held: [
        held,
        { ...held, isResuming: true, refusal: 'Two-factor required' },
        { ...held, isResuming: true },
        { ...held, postponedUntil: at + 3_600_000 * 40 },
        { ...held, isReachable: false },
        { ...held, isBlocked: true },
      ],
    },
    [
      'Still paused: 6 campaigns for 1 day 6 h\n\nSmartPause paused the first of them on Jan 8',
      'SmartPause resumes 1 campaign on Jan 11, 2026, 12:01 AM EST (05:01 UTC), and we’ll tell you.\n\nMeta refused to resume 1 campaign. It stays paused until Meta accepts the resume.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute',
      'Another tool has 1 campaign off at this time. SmartPause resumes it on Jan 10, 2026, 1:10 PM EST (18:10 UTC) at the latest.\n\nSmartPause is resuming 1 campaign now.\n\nMeta denies SmartPause access to 1 paused campaign.',
      'Meta refuses our changes to 1 paused campaign until',
      'To run one sooner, press Resume now',
    ],
    ['The outage goes on'],
  ],
  [
    '[CHAN-06] a reminder while the status is unknown',
    'reminder',
    { ...remindedAfter(6), status: unknownStatus },
    [
      'The last known disruption met your threshold. We haven’t been able to read Meta’s status page since Jan 8, 2026, 9:10 PM EST',
    ],
    ['The outage goes on'],
  ],
];
