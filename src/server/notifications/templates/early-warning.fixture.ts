import {
  FACTS,
  at,
  cause,
  ended,
  held,
  later,
  paused,
  resumed,
  retrying,
} from '../../../../test/support/email-facts.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { minutes } from '#core/time.ts';
import type { Facts } from '../facts.ts';

const evidence = 'Since 9:10 PM EST, reading campaigns and changing campaigns fail for 7 of 40 businesses.';
const begins = {
  ...paused,
  happened: { event: 'early_warning', facts: { since: at, pauses: false, evidence } },
} as const;
const ends = (isReported: boolean) =>
  ({ ...paused, happened: { event: 'early_warning_over', facts: { since: at, isReported } } }) as const;
const again = at + minutes(30);
const beginsAgain = {
  ...begins,
  happened: { event: 'early_warning', facts: { ...begins.happened.facts, since: again } },
} as const;
const endsAgain = {
  ...paused,
  happened: { event: 'early_warning_over', facts: { since: again, isReported: false } },
} as const;
const user = { ...FACTS.user, earlyWarning: 'pause' } as const;
const early = { ...cause, level: 'UP', by: 'early_warning' } as const;
const heldEarly = { ...held, by: 'early_warning' } as const;
const act = {
  ...paused,
  cause: early,
  happened: {
    event: 'paused',
    facts: { level: 'UP', threshold: 'MEDIUM', isOverride: false, wasTest: false, cause: 'early_warning' },
  },
} as const;
const warned = { user, warning: evidence, isWarned: true, outages: [], held: [heldEarly] };
const DISRUPTION = ['disruption', 'Meta reports'];

/** Emails of early warnings: the facts, what the email says, and what it does not say. */
export const EARLY_WARNINGS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    '[EARLY-06] an early warning begins',
    'early_warning',
    { user, acts: [begins], held: [], outages: [] },
    [
      'Early warning: an outage of Meta is suspected since 9:10 PM EST (Jan 9, 02:10 UTC)',
      'This is SmartPause’s own suspicion. Meta’s status page doesn’t say so yet, and it can be false.',
      evidence,
      'SmartPause pauses your campaigns and tells you',
      'because you chose early warnings',
    ],
    DISRUPTION,
  ],
  [
    '[EARLY-04] an early warning that only notifies',
    'early_warning',
    { user: { ...user, earlyWarning: 'notify' }, acts: [begins], held: [], outages: [] },
    ['SmartPause pauses nothing for it: you chose to be notified only.'],
  ],
  [
    '[EARLY-06] an early warning that pauses already',
    'early_warning',
    {
      user,
      acts: [{ ...begins, happened: { ...begins.happened, facts: { since: at, pauses: true, evidence } } }],
    },
    ['SmartPause pauses your campaigns for it, as you chose, and tells you.'],
    ['If many'],
  ],
  [
    '[EARLY-03] an admin ends what early warnings do',
    'early_warning',
    {
      user,
      acts: [
        {
          ...paused,
          happened: { event: 'early_warning_over', facts: { since: at, isReported: false, isEnded: true } },
        },
      ],
    },
    ['SmartPause’s team has ended it: early warnings are only recorded for now.'],
    ['has cleared'],
  ],
  [
    '[EARLY-06] an early warning begins before the end of the former one is reported',
    'early_warning',
    { user, acts: [ends(false), beginsAgain], held: [], outages: [] },
    ['Early warning: an outage of Meta is suspected since 9:40 PM EST (Jan 9, 02:40 UTC)'],
    ['is over'],
  ],
  [
    '[EARLY-06] an early warning is over, and another one has come and gone',
    'early_warning',
    { user, acts: [ends(false), beginsAgain, endsAgain], held: [], outages: [] },
    ['The early warning is over', 'The early warning began 1 h 58 min ago.'],
  ],
  [
    '[EARLY-06] an early warning is over that Meta never confirmed',
    'early_warning',
    { user, acts: [ends(false)], held: [heldEarly], outages: [], status: { ...FACTS.status, ...ended } },
    [
      'The early warning is over',
      'The early warning began 1 h 58 min ago. SmartPause no longer sees it. Meta’s status page reported no outage that met your threshold.',
      'The early warning no longer pauses campaigns. SmartPause resumes it',
    ],
    DISRUPTION,
  ],
  [
    '[EARLY-06] an early warning is over, and Meta reported the outage, too',
    'early_warning',
    { user, acts: [ends(true)], held: [], outages: [] },
    ['SmartPause no longer sees it. Meta’s status page reported the outage as well.'],
  ],
  [
    '[EARLY-06] an early warning has paused a campaign',
    'paused',
    { ...warned, acts: [act] },
    [
      'SmartPause paused 1 campaign: early warning of an outage',
      'This is SmartPause’s own suspicion.',
      evidence,
      'When the early warning no longer pauses campaigns, SmartPause resumes exactly the paused campaign',
    ],
    DISRUPTION,
  ],
  [
    '[EARLY-06] Meta refuses a pause of an early warning',
    'paused',
    { ...warned, acts: [{ ...act, isHeld: false, happened: retrying('pause') }], held: [] },
    ['Meta refused to pause 1 campaign during an early warning', 'It keeps running and spending'],
    DISRUPTION,
  ],
  [
    '[EARLY-06] Meta’s page confirms an early warning',
    'paused',
    {
      user,
      acts: [
        {
          ...{ ...paused, pausedAt: at - minutes(17) },
          happened: {
            event: 'paused',
            facts: { ...act.happened.facts, level: 'HIGH_DISRUPTION', wasEarly: true },
          },
        },
      ],
    },
    [
      'SmartPause keeps 1 campaign paused: Meta reports high disruptions',
      'An early warning had paused it 17 minutes before Meta’s page reported the disruption.',
      'When the disruption drops below your threshold, SmartPause resumes',
    ],
  ],
  [
    '[EARLY-06] the end of an early warning resumes a campaign',
    'resumed',
    {
      ...{ user, outages: [], held: [], status: { ...FACTS.status, ...ended } },
      acts: [{ ...resumed, cause: early, end: { reason: null, at: later } }],
    },
    [
      'SmartPause resumed 1 campaign',
      'The early warning no longer pauses campaigns. Meta’s status page reported no outage',
    ],
    ['your threshold is met', 'the disruption is over'],
  ],
];
