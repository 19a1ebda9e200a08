import { describe, expect, test } from 'vitest';
import type { Given } from './banner-list.fixture.ts';
import {
  HIGH,
  LOW,
  NOW,
  SOON,
  THREE,
  TWO,
  UNREAD,
  UP,
  covers,
  is,
  matched,
  outdoor,
  quiet,
  shown,
  told,
} from './banner-list.fixture.ts';
import { bannersOf } from './banner-list.ts';

const WHY = 'See what wasn’t paused, and why';
const DOWN = 'outage red: Meta Ads Delivery is down · since 9:18 PM EST · 12 min';
const BACK = 'Resume as soon as the outage ends';
const IN_OUTDOOR = 'in Lind Outdoor';
const MATCHED = 'status yellow: SmartPause Activated - Threshold Matched';
const REFUSED = 'Meta no longer accepts our access';

describe('[UX-19, UX-01, UX-02, DASH-03] in an outage that meets the threshold', () => {
  test.each<[string, Given, string[]]>([
    [
      'some paused, some unprotected, some that cannot be paused, an account without a list',
      { user: { ...matched(covers({ off: 6, blocked: 2 }), UNREAD), ...THREE } },
      [
        `${DOWN} | 3 paused in Lind Outdoor and Lind Kids | 8 still running €70/day · in Lind Outdoor | ${BACK} | SmartPause can’t pause 2 of them, in Lind Outdoor: use Ads Manager. | Not counted: Lind Tents, which couldn’t be read. [Pause the 6 too]`,
        `${MATCHED} | 3 campaigns paused in 2 accounts. [show_held, ${WHY}]`,
      ],
    ],
    [
      'an ad account has a banner of its own',
      {
        accounts: [{ id: 'act_2', name: 'Lind Kids', notProtected: 'unconfirmed' }],
        user: {
          ...matched(covers({ blocked: 2 }), { ...covers({ blocked: 1 }), id: 'act_2', name: 'Lind Kids' }),
          ...TWO,
        },
      },
      [
        `${DOWN} | 2 paused in Lind Outdoor | 3 still running €15/day · in Lind Outdoor and Lind Kids | ${BACK} | SmartPause can’t pause 2 of them, in Lind Outdoor: use Ads Manager.`,
        expect.stringMatching(/^not_protected red: Not protected: Lind Kids/),
        `${MATCHED} | 2 campaigns paused in 1 account. [show_held, ${WHY}]`,
      ],
    ],
    [
      'all paused',
      { user: { ...matched(covers({})), ...TWO } },
      [
        `${DOWN} | 2 paused ${IN_OUTDOOR} | 0 still running | ${BACK}`,
        `${MATCHED} | 2 campaigns paused in 1 account. [show_held, ${WHY}]`,
      ],
    ],
    [
      'one more of two waits for Meta, and spends until then; a delayed resume',
      {
        user: {
          ...{ ...matched(covers({ on: 1, off: 1 })), ...TWO, notYetPaused: { count: 1, because: 'limit' } },
          resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
        },
      },
      [
        `${DOWN} | 2 paused ${IN_OUTDOOR} | 2 still running €11/day | Resume 5 minutes after the outage ends [Pause it too]`,
        `${MATCHED} | 2 campaigns paused in 1 account. | Pausing 1 more. | Meta’s rate limit for the ad account is reached, so we continue when Meta allows it. [show_held, ${WHY}]`,
      ],
    ],
    [
      'the settings are of the moment before the outage',
      { user: { ...quiet(covers({ on: 2, off: 6 })), resumeSettings: { mode: 'next_day' } } },
      [
        `${DOWN} | 0 paused | 6 still running €60/day | Resume at 12:01 AM EST on the day after the outage ends [Pause the 6 too]`,
        `${MATCHED} | Pausing 2 campaigns. [${WHY}]`,
      ],
    ],
    [
      'SmartPause is off for all',
      { user: { ...matched(covers({ off: 6 })), protectedRunning: 0 } },
      [
        `${DOWN} | 6 still running €60/day | Nothing is protected in this disruption | SmartPause is off for them, so they keep spending. | Campaigns paused now resume as soon as the outage ends. [Pause all 6 now, choose]`,
      ],
    ],
    [
      'nothing can be paused',
      { user: { ...matched(covers({ blocked: 1 })), protectedRunning: 0 } },
      [
        `${DOWN} | 1 still running €5/day | Nothing is protected in this disruption | SmartPause doesn’t pause it, so it keeps spending. | SmartPause can’t pause it, in Lind Outdoor: use Ads Manager.`,
      ],
    ],
    [
      'nothing runs',
      { user: { ...matched(covers({})), protectedRunning: 0 } },
      [
        `${DOWN} | 0 still running`,
        `${MATCHED} | None of your campaigns is running, so there is nothing to pause. [${WHY}]`,
      ],
    ],
    [
      'another user’s hold covers the only one',
      { user: matched(covers({})) },
      [`${DOWN} | 0 still running`, `${MATCHED} | No campaign is paused by SmartPause right now. [${WHY}]`],
    ],
    [
      'Meta refused two pauses',
      { user: { ...matched(covers({ blocked: 2 })), pauseRefused: 2 } },
      [
        `${DOWN} | 2 still running €10/day | SmartPause can’t pause them, in Lind Outdoor: use Ads Manager.`,
        `${MATCHED} | Meta refused to pause 2 campaigns. [${WHY}]`,
      ],
    ],
    [
      'one was resumed in SmartPause, which is no risk',
      { user: { ...matched(covers({ resumed: 1 })), protectedRunning: 0 } },
      [
        `${DOWN} | 1 resumed early stays on`,
        `${MATCHED} | No campaign is paused by SmartPause right now. [${WHY}]`,
      ],
    ],
    [
      'two were resumed, and SmartPause is off for another one',
      { user: { ...matched(covers({ resumed: 2, off: 1 })), protectedRunning: 0 } },
      [
        `${DOWN} | 1 still running €10/day | 2 resumed early they stay on | Nothing is protected in this disruption | SmartPause is off for it, so it keeps spending. | A campaign paused now resumes as soon as the outage ends. [Pause it now, choose]`,
      ],
    ],
    [
      'Meta shows a paused one running',
      { user: { ...matched(covers({ checking: 1, off: 1 })), ...TWO } },
      [
        `${DOWN} | 2 paused ${IN_OUTDOOR} | 1 still running €10/day | ${BACK} | Meta shows 1 paused campaign running: we’re checking why. [Pause it too]`,
        `${MATCHED} | 2 campaigns paused in 1 account. [show_held, ${WHY}]`,
      ],
    ],
    [
      'a refused token, and one that is being checked',
      { access: 'expired', user: { ...matched(covers({ checking: 1 })), ...TWO } },
      [
        expect.stringContaining(
          `${DOWN} | 2 paused ${IN_OUTDOOR} | 1 still running €9/day | Can’t resume until`,
        ),
        expect.stringMatching(/^access red/),
        expect.stringMatching(/^status yellow/),
      ],
    ],
    [
      'a refused token',
      {
        access: 'expired',
        user: { ...matched(covers({ on: 1, off: 1 })), ...TWO, notYetPaused: { count: 1, because: null } },
      },
      [
        `${DOWN} | 2 paused ${IN_OUTDOOR} | 2 still running €11/day | Can’t resume until you log in again`,
        'access red: Reconnect to Meta: 2 paused campaigns can’t resume | Session Expired | Nothing resumes until you log in. [Log in again]',
        `${MATCHED} | 2 campaigns paused in 1 account. | 1 more can’t be paused: ${REFUSED}. [show_held, ${WHY}]`,
      ],
    ],
    [
      'SmartPause’s own app is suspended, in an override',
      {
        status: { ...is('HIGH_DISRUPTION'), isOverridden: true },
        user: { ...matched(covers({ on: 1 })), isSuspended: true },
      },
      [
        'suspended red: SmartPause’s own connection to Meta is suspended; your access is fine. | We’re working on it. Until it’s back, SmartPause can’t pause or resume campaigns. You can do both in Ads Manager.',
        'outage red: The SmartPause team reports: Meta ad services are down | 1 still running €1/day',
        `${MATCHED} | No campaign is paused by SmartPause right now. [${WHY}]`,
      ],
    ],
    [
      'without a subscription',
      { plansAt: '/payment', isTrialAvailable: false, user: { ...matched(covers({ on: 1 })), ...TWO } },
      [
        `${DOWN} | 2 paused ${IN_OUTDOOR} | 1 still running €1/day | ${BACK}, also without a subscription`,
        'protection gray: New outages won’t pause your campaigns | Without a subscription you can still turn SmartPause off for a campaign and resume it manually. [Subscribe again]',
      ],
    ],
    [
      'a server of the specification',
      { status: is('HIGH_DISRUPTION'), hasActivity: false },
      [
        'outage red: Meta ad services are down | Resume as soon as the outage ends',
        `${MATCHED} | Campaigns with SmartPause on that were running are paused.`,
      ],
    ],
  ])('%s', (_case, given, banners) => {
    expect(told(given)).toEqual(banners);
  });
});

const RISK = 'would keep spending in an outage';

describe('[UX-18] without an outage: what an outage would pause', () => {
  test.each<[string, Given]>([
    [
      `protection yellow: 36 of 42 running campaigns are protected | The other 6 ${RISK}: €60/day. [Protect the other 6]`,
      { user: quiet(covers({ on: 36, off: 6 })) },
    ],
    [
      `protection yellow: 1 of 3 running campaigns is protected | The other 2 ${RISK}: €15/day. | SmartPause can’t protect 1 of them: Meta doesn’t accept our changes there. [Protect it]`,
      { user: quiet(covers({ on: 1, off: 1, blocked: 1 })) },
    ],
    [
      'protection green: All 42 running campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      { user: quiet(covers({ on: 42 })) },
    ],
    [
      'protection green: Your running campaign is protected | SmartPause pauses it in an outage and resumes it when it’s over.',
      { user: quiet(covers({ on: 1 })) },
    ],
    [
      'protection yellow: 42 of 42 running campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over. | Not counted: Lind Tents, which couldn’t be read.',
      { user: quiet(covers({ on: 42 }), UNREAD) },
    ],
    [
      `protection orange: None of your 3 running campaigns is protected | They ${RISK}: €30/day. [Protect all 3]`,
      { user: quiet(covers({ off: 3 })) },
    ],
    [
      `protection orange: Your running campaign isn’t protected | It ${RISK}: €10/day. [Protect it]`,
      { user: quiet(covers({ off: 1 })) },
    ],
    [
      `protection orange: None of your 2 running campaigns is protected | They ${RISK}: €2/day.`,
      { isSetUp: false, user: quiet(covers({ on: 2 })) },
    ],
    ['protection gray: None of your campaigns is running', { user: quiet(covers({})) }],
    ['protection gray: Checking your campaigns…', { user: quiet() }],
    [
      'protection gray: Can’t check your campaigns right now | Not counted: Lind Tents, which couldn’t be read.',
      { user: quiet(UNREAD), lists: [{ id: 'act_9', state: 'failed', campaigns: [] }] },
    ],
    [
      'protection gray: ',
      { user: quiet(covers({})), lists: [{ id: 'act_1', state: 'read', campaigns: [] }] },
    ],
    ['protection gray: ', { user: quiet(), lists: [] }],
    ['protection gray: Checking your campaigns…', { user: quiet(), lists: null }],
    ['protection gray: ', {}],
    ['protection gray: ', { status: null }],
  ])('%s', (banner, given) => {
    expect(told({ status: UP, ...given })).toEqual([banner]);
    expect(shown({ status: UP, ...given })[0]).toMatchObject({ times: 'up' });
  });

  test('with refused access nothing is protected, and the banner of the access has the button', () => {
    expect(told({ status: UP, access: 'expired', user: quiet(covers({ on: 2 })) })).toEqual([
      expect.stringMatching(/^access red: Reconnect to Meta: nothing can be paused .* \[Log in again\]$/),
      `protection orange: None of your 2 running campaigns is protected | They ${RISK}: €2/day.`,
    ]);
  });
});

const UNKNOWN =
  'status gray: Meta Status Unknown | We can’t read Meta’s status page. Nothing is paused until we can read it again.';
const BELOW =
  'status blue: Meta Ads Delivery is slightly disrupted\u00a0· below your threshold | Meta Services Disruption Detected';
const REMAIN =
  'Your campaigns remain active or are resuming, because the status is below your threshold (MEDIUM).';

describe('[DASH-02, DASH-04, FR-01, UX-05] other states', () => {
  test.each<[string, Given, string[]]>([
    [
      'below the threshold',
      { status: LOW, user: quiet(covers({ on: 1 })) },
      [
        `${BELOW.replace('below your threshold', 'nothing is paused')} | ${REMAIN}`,
        'protection green: Your running campaign is protected | SmartPause pauses it in an outage and resumes it when it’s over.',
      ],
    ],
    [
      'below the threshold, unprotected',
      { status: LOW, user: quiet(covers({ off: 2 })) },
      [
        `${BELOW.replace('below your threshold', 'nothing is paused')} | ${REMAIN}`,
        'protection orange: None of your 2 running campaigns is protected | €20/day would keep spending if it met your threshold. [Protect all 2]',
      ],
    ],
    [
      'without access, until a scheduled resume',
      { status: UP, access: 'expired', user: { ...quiet(), ...TWO, resumeAt: SOON } },
      [
        'access red: Reconnect to Meta: 2 paused campaigns can’t resume | Session Expired | Nothing resumes until you log in. [Log in again]',
        'resume blue: 2 campaigns resume at 9:47 PM EST · in 17 min | SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor, if you log in again. [show_held, See what happened]',
        'protection gray: Checking your campaigns…',
      ],
    ],
    [
      'below the threshold, with a scheduled resume',
      { status: LOW, user: { ...quiet(), ...TWO, resumeAt: SOON } },
      [
        'resume blue: 2 campaigns resume at 9:47 PM EST · in 17 min | SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor. [show_held, See what happened, resume_now]',
        `${BELOW} | ${REMAIN}`,
        'protection green: Both campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      ],
    ],
    [
      'the holds began with a lower threshold',
      { status: LOW, user: { ...quiet(), ...TWO } },
      [
        `${BELOW} | 2 campaigns stay paused: the status still meets the threshold that they were paused for.`,
        'protection green: Both campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      ],
    ],
    [
      'below the threshold, without campaigns',
      { status: LOW, lists: [], user: quiet() },
      [`${BELOW.replace('below your threshold', 'nothing is paused')} | ${REMAIN}`],
    ],
    [
      'an unknown status',
      { status: is('UNKNOWN'), user: quiet(covers({})) },
      [UNKNOWN, 'protection gray: None of your campaigns is running'],
    ],
    [
      'an unknown status with holds',
      { status: is('UNKNOWN'), user: { ...quiet(), ...TWO } },
      [
        `${UNKNOWN} 2 campaigns stay paused until then. [show_held]`,
        'protection green: Both campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      ],
    ],
    [
      'a resume that is delayed everywhere, for a user of a server with few fields',
      {
        status: UP,
        user: { heldCampaigns: 2, heldAccounts: [{ ...outdoor, delayedBy: 'login' }], resumeAt: SOON },
      },
      [
        'resume blue: 2 campaigns can’t resume yet | SmartPause Resume Scheduled | Meta no longer accepts our access: nothing resumes until you log in again. | 2 campaigns in Lind Outdoor. [show_held, See what happened, Log in again]',
        'protection gray: ',
      ],
    ],
    [
      'everything at once, in its order',
      {
        status: UP,
        code: 'SERVER_ERROR',
        access: 'stale',
        leaving: 'delete',
        trial: { days: 1, text: 'Then it costs.' },
        accounts: [
          { id: 'act_1', name: 'Lind Outdoor', notProtected: 'role', protectedCampaigns: 1 },
          { id: 'act_2', name: 'Lind Kids', notProtected: 'role', protectedCampaigns: 0 },
        ],
        user: {
          ...{ ...quiet(covers({ on: 1 })), ...TWO, resumeAt: SOON, isSuspended: true },
          ...{ email: 'n@lind.example', unreached: { why: 'unconfirmed', at: null } },
        },
      },
      [
        expect.stringMatching(/^suspended red/),
        expect.stringMatching(/^address red: Server Error/),
        expect.stringMatching(/^leaving yellow: Your account is being deleted/),
        expect.stringMatching(/^access yellow: Token Refresh Required/),
        expect.stringMatching(/^resume blue/),
        expect.stringMatching(
          /^not_protected red: Not protected: Lind Outdoor .*\[Open Lind Outdoor in Ads Manager\]$/,
        ),
        `protection orange: Your running campaign isn’t protected | It ${RISK}: €1/day.`,
        'unreached orange: We can’t reach you yet | Confirm n@lind.example with a link, valid for 3 days. [Send the link]',
        'trial gray: Your trial ends soon: 1 day left | Then it costs. [Go to Billing]',
      ],
    ],
  ])('%s', (_case, given, banners) => {
    expect(told(given)).toEqual(banners);
  });

  test('without the settings only the unknown status is shown', () => {
    for (const [status, kinds] of [
      // A quiet line without words.
      [null, ['protection']],
      [HIGH, []],
      [is('UNKNOWN'), ['status']],
    ] as const) {
      const facts = { code: null, missing: null, access: 'ok', lacking: null, leaving: null } as const;
      const usual = {
        now: NOW,
        accounts: [],
        lists: null,
        setup: null,
        isSetUp: true,
        plansAt: null,
        isTrialAvailable: true,
        trial: null,
        ...{ hasActivity: true, hasPauseAll: true },
      };
      const banners = bannersOf({ ...facts, ...usual, status, user: undefined });
      expect(banners.map(({ kind }) => kind)).toEqual(kinds);
    }
  });
});
