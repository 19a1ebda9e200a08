import { describe, expect, test } from 'vitest';
import type { HeldAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import type { Banner } from '../banners/banner.ts';
import type { BannerFacts } from './banner-facts.ts';
import { bannersOf } from './banner-list.ts';

const NOW = Date.parse('2026-01-09T02:30:00Z');
const at = (ago: number) => new Date(NOW - minutes(ago)).toISOString();
const is = (level: PlatformStatus['status']): PlatformStatus => ({ status: level, message: '' });
const UP = is('UP');
const HIGH: PlatformStatus = {
  ...is('HIGH_DISRUPTION'),
  ...{ since: at(3), downSince: at(12), down: [{ name: 'Ads Delivery', level: 'HIGH_DISRUPTION' }] },
};

const outdoor: HeldAccount = { id: 'act_1', name: 'Lind Outdoor', count: 2 };
const kids: HeldAccount = { id: 'act_2', name: 'Lind Kids', count: 1 };
const spend = (count: number, budget: number, unknownBudgets = 0) => ({ count, budget, unknownBudgets });
type Counts = Partial<Record<'on' | 'off' | 'blocked' | 'resumed' | 'checking', number>>;
const covers = (given: Counts & { isUnread?: true }) => {
  const { on = 0, off = 0, blocked = 0, resumed, checking, isUnread } = given;
  const groups = {
    protected: spend(on, on * 100),
    open: spend(off, off * 1000),
    blocked: spend(blocked, blocked * 500),
    ...(resumed !== undefined && { resumed: spend(resumed, resumed * 900) }),
    ...(checking !== undefined && { checking: spend(checking, checking * 900) }),
  };
  return { id: 'act_1', name: 'Lind Outdoor', currency: 'EUR', isUnread, ...groups };
};
const UNREAD = { ...covers({}), id: 'act_9', name: 'Lind Tents', isUnread: true } as const;
/** As the server sends it: in a match with the counts of the match. */
const quiet = (...coverage: ReturnType<typeof covers>[]) => ({
  heldCampaigns: 0,
  heldAccounts: [],
  coverage,
});
const matched = (...coverage: ReturnType<typeof covers>[]) => ({
  ...quiet(...coverage),
  protectedRunning: 2,
});
const TWO = { heldCampaigns: 2, heldAccounts: [outdoor] };
const THREE = { heldCampaigns: 3, heldAccounts: [outdoor, kids] };

type Given = Partial<Omit<BannerFacts, 'user'>> & { user?: Partial<UserStatus> };

function shown({ user, ...given }: Given): Banner[] {
  const settings = {
    resumeSettings: { mode: 'instant' },
    outageThreshold: 'MEDIUM',
    email: null,
    resumeAt: null,
  } as const;
  const page = { code: null, missing: null, access: 'ok', lacking: null, leaving: null } as const;
  const usual = {
    now: NOW,
    status: HIGH,
    accounts: [],
    isSetUp: true,
    plansAt: null,
    trial: null,
    hasActivity: true,
  };
  return bannersOf({ ...page, ...usual, ...given, user: { ...settings, ...user } });
}

/** One line for each banner: kind, tone, what it says, what it offers. */
function told(given: Given): string[] {
  return shown(given).map(({ kind, tone, headline, figures = [], title, sentences, acts }) => {
    const offers = acts.map((act) => ('label' in act ? act.label : act.act));
    const says = [headline, ...figures.map(({ value, label }) => `${value} ${label}`), title, ...sentences];
    const words = says.filter((one) => one !== undefined).join(' | ');
    return `${kind} ${tone}: ${words}${offers.length === 0 ? '' : ` [${offers.join(', ')}]`}`;
  });
}

const WHY = 'See what wasn’t paused, and why';
const DOWN = 'outage red: Meta Ads Delivery is down · 12 min';
const BACK = 'Back as soon as the outage ends';
const MATCHED = 'status yellow: SmartPause Activated - Threshold Matched';
const REFUSED = 'Meta no longer accepts our access';

describe('[UX-19, UX-01, UX-02, DASH-03] in an outage that meets the threshold', () => {
  test.each<[string, Given, string[]]>([
    [
      'some paused, some unprotected, some that cannot be paused, an account without a list',
      { user: { ...matched(covers({ off: 6, blocked: 2 }), UNREAD), ...THREE } },
      [
        `${DOWN} | 3 paused | 8 still running (€70/day) | ${BACK} | SmartPause can’t pause 2 of them. | Not counted: Lind Tents, no current list from Meta. [Pause the 6 too]`,
        `${MATCHED} | 3 campaigns paused in 2 accounts. [show_held, ${WHY}]`,
      ],
    ],
    [
      'all paused',
      { user: { ...matched(covers({})), ...TWO } },
      [
        `${DOWN} | 2 paused | 0 still running | ${BACK}`,
        `${MATCHED} | 2 campaigns paused in 1 account. [show_held, ${WHY}]`,
      ],
    ],
    [
      'one more of two is being paused; a delayed resume',
      {
        user: {
          ...{ ...matched(covers({ on: 1, off: 1 })), ...TWO, notYetPaused: { count: 1, because: 'limit' } },
          resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
        },
      },
      [
        `${DOWN} | 2 paused | 1 being paused | 1 still running (€10/day) | Back 5 minutes after the outage ends [Pause the other one too]`,
        `${MATCHED} | 2 campaigns paused in 1 account. | Pausing 1 more. | Meta’s rate limit for the ad account is reached, so we continue when Meta allows it. [show_held, ${WHY}]`,
      ],
    ],
    [
      'the settings are of the moment before the outage',
      { user: { ...quiet(covers({ on: 2, off: 6 })), resumeSettings: { mode: 'next_day' } } },
      [
        `${DOWN} | 0 paused | 2 being paused | 6 still running (€60/day) | Back at 12:01 AM EST on the day after the outage ends [Pause the 6 too]`,
        `${MATCHED} | Pausing 2 campaigns. [${WHY}]`,
      ],
    ],
    [
      'SmartPause is off for all',
      { user: { ...matched(covers({ off: 6 })), protectedRunning: 0 } },
      [
        `${DOWN} | 6 still running (€60/day) | Nothing is protected in this disruption | SmartPause is off for them, so they keep spending. [Pause all 6 now, choose]`,
      ],
    ],
    [
      'nothing can be paused',
      { user: { ...matched(covers({ blocked: 1 })), protectedRunning: 0 } },
      [
        `${DOWN} | 1 still running (€5/day) | Nothing is protected in this disruption | SmartPause doesn’t pause it, so it keeps spending. | SmartPause can’t pause it.`,
      ],
    ],
    [
      'nothing runs',
      { user: { ...matched(covers({})), protectedRunning: 0 } },
      [
        `${DOWN} | 0 paused | 0 still running`,
        `${MATCHED} | None of your campaigns is running, so there is nothing to pause. [${WHY}]`,
      ],
    ],
    [
      'another user’s hold covers the only one',
      { user: matched(covers({})) },
      [
        `${DOWN} | 0 paused | 0 still running`,
        `${MATCHED} | No campaign is paused by SmartPause right now. [${WHY}]`,
      ],
    ],
    [
      'Meta refused two pauses',
      { user: { ...matched(covers({ blocked: 2 })), pauseRefused: 2 } },
      [
        `${DOWN} | 0 paused | 2 still running (€10/day) | SmartPause can’t pause them.`,
        `${MATCHED} | Meta refused to pause 2 campaigns. They keep running and aren’t protected. [${WHY}]`,
      ],
    ],
    [
      'one was resumed in SmartPause, which is no risk',
      { user: { ...matched(covers({ resumed: 1 })), protectedRunning: 0 } },
      [
        `${DOWN} | 0 paused | 1 resumed early | 0 still running`,
        `${MATCHED} | No campaign is paused by SmartPause right now. [${WHY}]`,
      ],
    ],
    [
      'two were resumed, and SmartPause is off for another one',
      { user: { ...matched(covers({ resumed: 2, off: 1 })), protectedRunning: 0 } },
      [
        `${DOWN} | 2 resumed early | 1 still running (€10/day) | Nothing is protected in this disruption | SmartPause is off for it, so it keeps spending. [Pause it now, choose]`,
      ],
    ],
    [
      'Meta shows a paused one running',
      { user: { ...matched(covers({ checking: 1, off: 1 })), ...TWO } },
      [
        `${DOWN} | 2 paused | 1 being checked | 1 still running (€10/day) | ${BACK} [Pause the other one too]`,
        `${MATCHED} | 2 campaigns paused in 1 account. [show_held, ${WHY}]`,
      ],
    ],
    [
      'a refused token, and one that is being checked',
      { access: 'expired', user: { ...matched(covers({ checking: 1 })), ...TWO } },
      [
        expect.stringContaining(`${DOWN} | 2 paused | 1 still running (€9/day) | Back once you reconnect`),
        expect.stringMatching(/^access yellow/),
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
        `${DOWN} | 2 paused | 2 still running (€11/day) | Back once you reconnect to Meta [Reconnect to Meta]`,
        'access yellow: Session Expired | Your Meta connection has expired. Until you reconnect, SmartPause can’t pause or resume your campaigns. [Log in again]',
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
        'outage red: The SmartPause team reports: Meta ad services are down | 0 paused | 1 still running (€1/day)',
        `${MATCHED} | No campaign is paused by SmartPause right now. [${WHY}]`,
      ],
    ],
    [
      'without a subscription',
      { plansAt: '/payment', user: { ...matched(covers({ on: 1 })), ...TWO } },
      [
        `${DOWN} | 2 paused | 1 still running (€1/day) | ${BACK}`,
        'held orange: 2 campaigns are paused by SmartPause right now | They still resume when the disruption ends, as set in Settings. You don’t need a subscription for that.',
        'protection blue: New outages won’t pause your campaigns | Without a subscription you can still turn SmartPause off for a campaign and resume it manually. [See plans]',
      ],
    ],
    [
      'a server of the specification',
      { status: is('HIGH_DISRUPTION'), hasActivity: false },
      [
        `outage red: Meta ad services are down | ${BACK}`,
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
      `protection yellow: 1 of 3 running campaigns is protected | The other 2 ${RISK}: €15/day. | SmartPause can’t protect 1 of them: Meta doesn’t accept our changes there. [Protect the other one]`,
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
      'protection yellow: 42 of 42 running campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over. | Not counted: Lind Tents, no current list from Meta.',
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
    ['protection gray: None of your campaigns is running', { user: quiet() }],
    [
      'protection gray: We have no current list of your campaigns | Not counted: Lind Tents, no current list from Meta.',
      { user: quiet(UNREAD) },
    ],
    ['protection gray: ', {}],
    ['protection gray: ', { status: null }],
  ])('%s', (banner, given) => {
    expect(told({ status: UP, ...given })).toEqual([banner]);
    expect(shown({ status: UP, ...given })[0]).toMatchObject({ times: 'up' });
  });

  test('with refused access nothing is protected, and the banner of the access has the button', () => {
    expect(told({ status: UP, access: 'expired', user: quiet(covers({ on: 2 })) })).toEqual([
      expect.stringMatching(/^access yellow: Session Expired .* \[Log in again\]$/),
      `protection orange: None of your 2 running campaigns is protected | They ${RISK}: €2/day. | ${REFUSED}.`,
    ]);
  });
});

const UNKNOWN =
  'status gray: Meta Status Unknown | We can’t read Meta’s status page. No campaigns will be paused until we can.';
const BELOW = 'status blue: Meta Ads Delivery is slightly disrupted | Meta Services Disruption Detected';
const LOW: PlatformStatus = {
  ...is('LOW_DISRUPTION'),
  down: [{ name: 'Ads Delivery', level: 'LOW_DISRUPTION' }],
};
const below = 'because the status is below your threshold (MEDIUM).';
const SOON = '2026-01-09T02:47:00.000Z';

describe('[DASH-02, DASH-04, FR-01, UX-05] other states', () => {
  test.each<[string, Given, string[]]>([
    [
      'below the threshold',
      { status: LOW, user: quiet(covers({ on: 1 })) },
      [
        `${BELOW} | Your campaigns remain active or are resuming, ${below}`,
        'protection green: Your running campaign is protected | SmartPause pauses it in an outage and resumes it when it’s over.',
      ],
    ],
    [
      'below the threshold, with a scheduled resume',
      { status: LOW, user: { ...quiet(), ...TWO, resumeAt: SOON } },
      [
        `${BELOW} | Your campaigns remain active or are resuming as scheduled, ${below}`,
        'resume blue: SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor. [show_held, See what happened, resume_now]',
        'protection green: All 2 campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      ],
    ],
    [
      'the holds began with a lower threshold',
      { status: LOW, user: { ...quiet(), ...TWO } },
      [
        `${BELOW} | 2 campaigns stay paused: the status still meets the threshold that they were paused for.`,
        'protection green: All 2 campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      ],
    ],
    [
      'an unknown status',
      { status: is('UNKNOWN'), user: quiet() },
      [UNKNOWN, 'protection gray: None of your campaigns is running'],
    ],
    [
      'an unknown status with holds',
      { status: is('UNKNOWN'), user: { ...quiet(), ...TWO } },
      [
        `${UNKNOWN} 2 campaigns stay paused until then. [show_held]`,
        'protection green: All 2 campaigns are protected | SmartPause pauses them in an outage and resumes them when it’s over.',
      ],
    ],
    [
      'a resume that is delayed everywhere, for a user of a server with few fields',
      {
        status: UP,
        user: { heldCampaigns: 2, heldAccounts: [{ ...outdoor, delayedBy: 'login' }], resumeAt: SOON },
      },
      [
        'resume blue: SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor. | Meta no longer accepts our access: nothing resumes until you reconnect. [show_held, See what happened, Reconnect to Meta]',
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
        user: { ...quiet(covers({ on: 1 })), ...TWO, resumeAt: SOON, isSuspended: true },
      },
      [
        expect.stringMatching(/^suspended red/),
        expect.stringMatching(/^address red: Server Error/),
        expect.stringMatching(/^leaving yellow: Your account is being deleted/),
        expect.stringMatching(/^access yellow: Token Refresh Required/),
        expect.stringMatching(/^resume blue/),
        `protection orange: Your running campaign isn’t protected | It ${RISK}: €1/day.`,
        expect.stringMatching(
          /^not_protected red: Not protected: Lind Outdoor .*\[Open Lind Outdoor in Ads Manager\]$/,
        ),
        'trial yellow: Your trial ends soon: 1 day left | Then it costs. [Go to Billing]',
      ],
    ],
  ])('%s', (_case, given, banners) => {
    expect(told(given)).toEqual(banners);
  });

  test('without the settings only the unknown status is shown', () => {
    for (const [status, kinds] of [
      [HIGH, []],
      [is('UNKNOWN'), ['status', 'protection']],
    ] as const) {
      const facts = { code: null, missing: null, access: 'ok', lacking: null, leaving: null } as const;
      const usual = { now: NOW, accounts: [], isSetUp: true, plansAt: null, trial: null, hasActivity: true };
      const banners = bannersOf({ ...facts, ...usual, status, user: undefined });
      expect(banners.map(({ kind }) => kind)).toEqual(kinds);
    }
  });
});
