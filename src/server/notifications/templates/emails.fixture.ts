import type { ActivityEvent } from '#core/events.ts';
import type { NotificationKind } from '#core/notifications.ts';
import {
  publicUrl,
  at,
  later,
  cause,
  paused,
  resumed,
  tested,
  alone,
  neverPaused,
  kept,
  gone,
  refused,
  keepsRunning,
  staysPaused,
  denied,
  takenBack,
  outage,
  second,
  subscription,
  leaving,
  lower,
  unknownStatus,
  both,
  blocked,
  bothBlocked,
  stale,
  ended,
  disabled,
  endedBy,
  retrying,
  runsRefused,
  refusedAddress,
} from '../../../../test/support/email-facts.ts';
import type { Facts } from '../facts.ts';
import { EARLY_WARNINGS } from './early-warning.fixture.ts';
import { GONE_CHANNELS } from './gone-channels.fixture.ts';
import { REFUSED } from './refused.fixture.ts';
import { REMINDERS } from './reminders.fixture.ts';
import { SUMMARIES } from './summary.fixture.ts';
import { SUSPENDED_EMAILS } from './suspended.fixture.ts';
import { UNKNOWN_EMAILS } from './unknown.fixture.ts';

/** The facts, what the email says, and what it does not say. */
export const EMAILS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  ['account lost', 'account_lost', {}, ['SmartPause had paused it, and', 'access to the ad account.']],
  ['two accounts lost', 'account_lost', { held: both }, ['paused them, and', 'access to the ad accounts.']],
  [
    '[CHAN-05] a refused address',
    'address_refused',
    { user: refusedAddress },
    ['Your mail server refused our email to nora@lind.example\n', `Open Settings: ${publicUrl}/settings`],
  ],
  [
    '[CHAN-05] a refused address, and the one that it is to replace',
    'address_refused',
    {
      user: {
        ...refusedAddress,
        confirmedEmail: 'n@lind.example',
        refusals: { ...refusedAddress.refusals, 'n@lind.example': at },
      },
    },
    [
      'Your mail server refused our email to nora@lind.example and n@lind.example\n',
      'reached you at n@lind.example.',
    ],
    ['You still get every email'],
  ],
  ['account blocked, none held', 'account_blocked', blocked, [], ['Still paused']],
  [
    '[FR-02] two accounts blocked',
    'account_blocked',
    { ...bothBlocked, held: both },
    [
      'Not protected: confirm Chen "Outdoor" and Lind in Ads Manager',
      ...['Meta says: “Confirm your identity”.', '2 campaigns stay paused', 'in Lind ('],
    ],
  ],
  [
    '[FR-02, ENG-25] an account is blocked in which one waits for another tool',
    'account_blocked',
    { ...bothBlocked, held: both.map((one, index) => ({ ...one, postponedUntil: index === 0 ? at : null })) },
    ['1 campaign stays paused until then.'],
  ],
  [
    '[FR-29, ENG-21] a refused pause that is tried again',
    'paused',
    { acts: [{ ...refused, happened: retrying('pause') }], coverage: [runsRefused] },
    [
      'Meta refused to pause 1 campaign during high disruptions\n\nIt keeps running and spending until Meta accepts the pause.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute',
      'every hour.\n\nTo try at once, press Retry now in SmartPause.\n',
      '\n\n1 campaign still runs (€50/day).\n\n',
      `Open SmartPause: ${publicUrl}\n`,
    ],
    ['Meta refused the change'],
  ],
  [
    '[FR-29, ENG-21] a refused resume that is tried again, one that was resumed since, and one that waits',
    'resumed',
    {
      status: ended,
      acts: [
        { ...staysPaused, happened: retrying('resume') },
        { ...resumed, happened: retrying('resume'), end: { reason: null, at: later } },
        { ...kept, happened: { event: 'postponed', facts: { until: later } } },
      ],
    },
    [
      'SmartPause resumed 1 campaign, 1 not resumed yet, 1 to be resumed later\n\nMeta refused to resume 1 campaign. It stays paused until Meta accepts the resume.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute',
      `Open SmartPause: ${publicUrl}\n\nSee what happened: `,
      'We’ll tell you when it is resumed.\n\nTo try at once, press Retry now in SmartPause.\nhttps://smartpause.example\n\nAnother tool has “Summer” off at this time, so SmartPause resumes it later.\n\nSmartPause stays on for 1 campaign in the next disruption. 2 campaigns are no longer protected. Turn SmartPause on for them to protect them again.\n',
      'Resumed in Chen "Outdoor" (1 campaign):\n- Spring & <Sale>: 11:08 PM EST\n',
      'Not resumed yet (1 campaign):\n- Autumn',
      'To be resumed later (1 campaign)',
      'another tool has it off',
    ],
  ],
  [
    '[FR-34, ENG-25] a paused campaign that another tool has off at certain hours',
    'paused',
    { acts: [{ ...paused, hasSchedule: true }] },
    [
      'we’ll tell you.\n\nAnother tool has 1 campaign off at certain hours. A resume in these hours waits until 15 minutes after them.\n\nNo action needed.\n',
    ],
  ],
  ...GONE_CHANNELS,
  ['token stale', 'token_stale', stale, ['expires on Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC)']],
  ['token refused', 'token_expired', {}, ['You can also resume it in Ads Manager']],
  ['permission taken back', 'token_expired', { token: takenBack, held: [] }, ['(ads_management)']],
  [
    'deauthorized',
    'deauthorized',
    { user: leaving('deauthorize'), acts: [resumed, { ...resumed, id: '2' }, alone], subscription },
    ['You removed SmartPause', 'Resumed in Chen "Outdoor" (1', 'Already running (1', 'can still be charged'],
  ],
  [
    'deleted',
    'deleted',
    {
      ...{ user: leaving('delete'), subscription, confirmationCode: 'ABC123' },
      acts: [{ ...alone, happened: endedBy('access_lost') }],
    },
    ['Please check 1 campaign in Ads Manager', 'ABC123', 'ended with your account', 'won’t be charged again'],
    ['Not resumed'],
  ],
  [
    'deleted after the subscription was over',
    'deleted',
    { user: leaving('delete'), subscription: { ...subscription, status: 'canceled', currentPeriodEnd: at } },
    ['Your Stripe customer record is deleted.'],
    ['ended with your account'],
  ],
  [
    'the pause: status, campaigns and what comes next',
    'paused',
    { unfinished: 2 },
    [
      'high disruptions\n\nWhen the disruption drops below your threshold',
      '\n⬣ High disruption since Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC). Your threshold is medium.\n',
      'Paused in Chen "Outdoor" (1 campaign):\n- Spring & <Sale>: 9:10 PM EST\n',
      '2 more campaigns are not paused yet',
      'resumes exactly the paused campaign at the next 12:01 AM EST (Jan 9, 05:01 UTC, at the earliest), and',
      'To run it sooner, press Resume now in SmartPause. It stays protected for the next outage.',
    ],
    // In a chat it may stand after those that still run.
    ['still run', 'this campaign'],
  ],
  [
    'a pause in the second of two outages',
    'paused',
    { acts: [{ ...paused, cause: { ...cause, decidedAt: later } }], outages: [outage, second] },
    ['High disruption since Jan 8, 2026, 11:08 PM EST', '<Sale>: 9:10 PM EST\n', `${publicUrl}/activity\n`],
  ],
  [
    'a pause outside of an outage',
    'paused',
    { outages: [] },
    [
      '\n⬣ High disruption. Your threshold is medium.\n',
      '<Sale>: Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)\n',
      `${publicUrl}/activity\n`,
    ],
  ],
  [
    'a resume that is scheduled',
    'paused',
    { status: { ...ended, matchSince: { LOW: at, MEDIUM: at, HIGH: at } } },
    [
      'below your threshold. SmartPause resumes exactly the paused campaign on Jan 9, 2026, 12:01 AM EST (05:01 UTC)',
    ],
  ],
  [
    'a user who leaves',
    'paused',
    { user: leaving('delete') },
    ['You asked us to', 'exactly the paused campaign now'],
  ],
  [
    'one of two is held',
    'paused',
    { acts: [paused, { ...paused, campaignId: '2', isHeld: false, end: { reason: null, at: later } }] },
    [
      'SmartPause resumes the 1 campaign still paused at',
      '(2 campaigns):\n9:10 PM EST\n- Spring & <Sale>\n- Spring & <Sale>: resumed 11:08 PM EST',
    ],
    ['exactly'],
  ],
  [
    '[FR-02] of three, Meta denies access to one and refuses changes of another',
    'paused',
    { acts: [paused, denied, { ...paused, campaignId: '3', isBlocked: true }] },
    [
      'SmartPause resumes 1 of the 3 paused campaigns at',
      `Meta denies SmartPause access to 1 paused campaign. Log in to SmartPause again, or resume it in Ads Manager.\n${publicUrl}/auth/facebook\n`,
      'Meta refuses our changes to 1 paused campaign until',
    ],
    ['No action needed'],
  ],
  [
    '[FR-01] a refused pause, with Meta’s own words',
    'paused',
    { acts: [paused, refused] },
    [
      'SmartPause paused 1 campaign, 1 not paused: Meta reports',
      'Meta refused to pause 1 campaign. SmartPause does not try again in this disruption. Check it in Ads Manager.\n\nMeta says: “Campaign has ended”.\n',
      'Not paused (1 campaign):\n- Autumn: Chen "Outdoor", 9:10 PM EST\n',
    ],
    ['No action needed'],
  ],
  [
    '[FR-01] all refused',
    'paused',
    { acts: [refused], coverage: [runsRefused] },
    [
      'Meta refused to pause 1 campaign during high disruptions\n\nSmartPause does not try again in this disruption.',
      '1 campaign still runs (€50/day).\n\n',
    ],
    ['resumes'],
  ],
  [
    '[FR-01] a pause that was refused until the disruption became smaller',
    'paused',
    {
      acts: [{ ...refused, happened: retrying('pause') }],
      status: { ...lower, known: 'LOW_DISRUPTION' },
      coverage: [runsRefused],
    },
    ['The disruption has since dropped below your threshold.\n\nMeta says: “Two-factor required”.\n\n⬣'],
    ['spending', 'still runs'],
  ],
  [
    'the resume: duration, and what was not resumed',
    'resumed',
    { acts: [resumed, alone, neverPaused, kept, gone], unfinished: 1, status: ended },
    [
      'SmartPause resumed 1 campaign, 1 not resumed, 2 already running, 1 kept paused',
      'the disruption is over',
      '1 kept paused\n\nSmartPause stays on for 1 campaign in the next disruption. 3 campaigns are no longer protected. Turn SmartPause on for them to protect them again.\n',
      'Outage: Jan 8, 2026, 9:10 PM EST to 11:08 PM EST (Jan 9, 02:10 to 04:08 UTC)\nDuration: 1 h 58 min\nPeak: high disruptions',
      'Not resumed (1 campaign):\n- Winter',
      'Already running (2 campaigns):\nChen "Outdoor", 11:08 PM EST\n- Autumn: it was already running again',
      '1 more campaign is not resumed yet',
    ],
  ],
  [
    'late writes that could not be undone',
    'resumed',
    { acts: [keepsRunning, staysPaused] },
    [
      'SmartPause did not resume 1 campaign, 1 not paused again\n',
      'it stays paused: Meta applied our earlier pause late and refused to undo it: Too many\n',
      'Not paused again (1 campaign):\n- Autumn: Chen "Outdoor", 11:08 PM EST: it stays active: Meta applied our earlier resume late and it could not be undone\n',
      'SmartPause does not try again to resume 1 campaign. Resume it in Ads Manager, or resume it in SmartPause after you turn SmartPause off for it.',
    ],
  ],
  [
    'a resume, and another disruption',
    'resumed',
    { acts: [resumed] },
    [
      'resumed 1 campaign\n\nNo action needed. SmartPause stays on for it in the next disruption.\n',
      'High disruption: your threshold is met.',
      'Duration: 1 h 58 min',
    ],
    ['is over', 'Resumed (', 'From tomorrow'],
  ],
  [
    '[SPEND-02] all are resumed: from when it is known what the outage kept',
    'resumed',
    { acts: [resumed], held: [], status: ended },
    [
      'From tomorrow morning its page says what the outage kept, as far as that is known.\nhttps://smartpause.example/activity/12\n',
    ],
  ],
  [
    'a campaign that is kept paused, while the status is unknown',
    'resumed',
    { acts: [kept], status: unknownStatus },
    ['1 campaign stays paused\n', 'Unknown: we can’t read Meta’s status right now.', 'Kept paused (1'],
    ['is over', 'not resume'],
  ],
  [
    'a smaller disruption that goes on',
    'resumed',
    { acts: [alone], outages: [{ ...outage, endedAt: null }], status: lower },
    [
      'did not need to resume 1 campaign',
      'below your threshold now.',
      '9:10 PM EST (Jan 9, 02:10 UTC), still ongoing\nPeak',
    ],
    ['is over', 'Duration'],
  ],
  [
    'two external changes, one on again',
    'disabled',
    { acts: [{ ...alone, ...disabled, isOn: true }, alone] },
    [
      'SmartPause was disabled for 2 campaigns',
      'won’t pause the 1 campaign that is still off',
      'Chen "Outdoor", Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC): it was already running again\n- Autumn\n- Winter: SmartPause has been turned on again',
    ],
  ],
  ['a deleted campaign', 'disabled', { acts: [gone] }, ['was disabled'], ['To protect']],
  ...UNKNOWN_EMAILS,
  ...EARLY_WARNINGS,
  ...REFUSED,
  ...REMINDERS,
  ...SUMMARIES,
  ...SUSPENDED_EMAILS,
  [
    '[FR-29, ENG-21, TEST-02] a live test whose resume Meta refuses',
    'live_test',
    {
      acts: [
        tested,
        {
          ...{
            ...tested,
            happened: { event: 'test_retrying', facts: retrying('resume').facts } as ActivityEvent,
          },
          ...{ message: 'Test: Meta refused to resume {campaigns}', detail: 'Two-factor required' },
        },
      ],
    },
    [
      'Test: Meta refused to resume “Spring & <Sale>”\n\nIt stays paused until Meta accepts the resume.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute, after 10 minutes, and then every hour. We’ll tell you when it is resumed.\n\nTo try at once, press Retry now in SmartPause, or resume it in Ads Manager.\n',
    ],
    ['No action needed', 'isn’t over'],
  ],
  [
    '[TEST-02] a live test',
    'live_test',
    {
      unfinished: 1,
      acts: [
        tested,
        {
          ...tested,
          message: 'Test: did not resume {campaigns}',
          detail: 'it was resumed outside SmartPause',
        },
      ],
    },
    [
      'There was no outage.',
      'The test isn’t over yet',
      'What happened:\nChen "Outdoor", Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC)\n- paused “Spring & <Sale>”\n- did not resume “Spring & <Sale>”: it was resumed outside SmartPause\n',
    ],
  ],
];
