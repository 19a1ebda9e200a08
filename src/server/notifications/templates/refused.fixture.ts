import { endedBy, kept, later, leaving, refused, retrying } from '../../../../test/support/email-facts.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Facts } from '../facts.ts';

/** Emails about resumes that Meta refuses: the facts, what the email says, and what it does not say. */
export const REFUSED: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    '[FR-29, ENG-21] a resume that Meta refuses to a user who leaves',
    'resumed',
    { acts: [{ ...refused, happened: retrying('resume') }], user: leaving('deauthorize') },
    [
      'Meta refused to resume 1 campaign.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute',
      'You can also resume it in Ads Manager.',
    ],
    ['were resumed first', 'press Retry now'],
  ],
  [
    '[FR-29, ENG-21] deleted while Meta refuses resumes',
    'deleted',
    {
      user: leaving('delete'),
      acts: [
        {
          ...kept,
          happened: endedBy('resume_refused', { event: 'refused', refusal: 'Two-factor required' }),
        },
      ],
    },
    [
      'Please check 1 campaign in Ads Manager. SmartPause had paused it, and Meta refused to resume it.\n\nMeta says: “Two-factor required”.\n\nStill paused (1 campaign):\n- Summer',
    ],
    ['Meta refused the change'],
  ],
  [
    '[FR-29, ENG-21] revoked after Meta refused one resume for good, and another one since',
    'deauthorized',
    {
      user: leaving('deauthorize'),
      acts: [{ ...kept, happened: endedBy('resume_refused', { event: 'refused', refusal: 'No budget' }) }],
      leftPaused: [
        {
          ...{ campaignId: '9', name: 'Winter', accountId: 'act_5', account: 'Chen "Outdoor"' },
          ...{ words: 'Campaign has ended', at: later },
        },
        {
          ...{ campaignId: '4', name: 'Summer', accountId: 'act_5', account: 'Chen "Outdoor"' },
          words: null,
          at: later,
        },
      ],
    },
    [
      'Please check 2 campaigns in Ads Manager. SmartPause had paused them, and Meta refused to resume them.\n\nStill paused (2 campaigns):\nChen "Outdoor", Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC)\n- Summer: Meta refused the change: No budget\n- Winter: Meta refused the change: Campaign has ended\n',
    ],
    ['Meta says'],
  ],
  [
    '[FR-29, ENG-21] a resume that Meta refused for good',
    'resumed',
    {
      acts: [
        {
          ...kept,
          happened: endedBy('resume_refused', { event: 'refused', refusal: 'Campaign has ended' }),
        },
      ],
    },
    [
      'SmartPause does not try again to resume 1 campaign. Once the cause is gone, press Resume now in SmartPause, or resume it in Ads Manager.\nhttps://smartpause.example\n',
    ],
    ['after you turn SmartPause off'],
  ],
];
