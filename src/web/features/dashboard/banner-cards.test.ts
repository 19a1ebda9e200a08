import { describe, expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { cardsOf } from '../banners/banner.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { refusingToRead } from '../campaigns/dashboard-facts.ts';
import type { Given } from './banner-list.fixture.ts';
import {
  HIGH,
  LOW,
  SOON,
  TWO,
  UP,
  at,
  covers,
  isHeld,
  matched,
  outdoor,
  quiet,
  runs,
  shown,
  told,
} from './banner-list.fixture.ts';

describe('[UX-19] few campaigns have names', () => {
  const lists = (...campaigns: Campaign[]): DashboardFacts['lists'] => [
    { id: 'act_1', state: 'read', campaigns: [...campaigns, runs('Protected', { smartPauseSetting: 'ON' })] },
  ];

  test('paused ones, and those that still run', () => {
    const known = lists(
      runs('Hats', isHeld),
      runs('Shoes', isHeld),
      runs('Boots'),
      runs('Old', { status: 'PAUSED' }),
    );
    const user = { ...matched(covers({ off: 1 })), ...TWO };
    expect(told({ lists: known, user })[0]).toContain(
      '2 paused Hats and Shoes | 1 still running €10/day · Boots | ',
    );
    expect(told({ status: UP, lists: known, user: { ...quiet(), ...TWO, resumeAt: SOON } })[0]).toContain(
      'Hats and Shoes in Lind Outdoor.',
    );
  });

  test('not if a list lacks one', () => {
    const user = { ...matched(covers({ off: 1 })), ...TWO };
    expect(told({ lists: lists(runs('Hats', isHeld), runs('Boots')), user })[0]).toContain(
      '2 paused in Lind Outdoor | 1 still running €10/day · Boots',
    );
  });

  test('[UX-05] a refused resume is shown in Meta’s words, without a time that passed', () => {
    const refused = { action: 'resume', words: 'Two-factor authentication required', retryAt: SOON };
    const known = lists(runs('Hats', { ...isHeld, refused }), runs('Shoes', { ...isHeld, refused }));
    const heldAccounts = [{ ...outdoor, delayedBy: 'refused' as const }];
    const user = { ...quiet(covers({})), heldCampaigns: 2, heldAccounts, resumeAt: at(1) };
    expect(told({ status: UP, lists: known, user }).slice(0, 2)).toEqual([
      'refused red: Meta refuses to resume 2 campaigns | Meta says “Two-factor authentication required”. | SmartPause tries again at 9:47 PM EST. [retry, Open Ads Manager]',
      'resume blue: SmartPause Resume Scheduled | 2 campaigns in Lind Outdoor. [show_held, See what happened]',
    ]);
    expect(shown({ status: UP, lists: known, user })[1]).toMatchObject({ resumeAt: Date.parse(SOON) });
    const many = Array.from({ length: 8 }, (_, index) => ({ id: `act_${index}`, name: `Client ${index}` }));
    const settings = { resumeSettings: null, outageThreshold: null, email: null };
    const refusingAccounts = many.map(({ id }) => id);
    const given = { accounts: many, lists: known, user: { ...user, refusingAccounts } };
    expect(told({ status: UP, ...given })[0]).toContain('Meta also refuses changes in 3 more ad accounts.');
    expect(refusingToRead({ ...given, user: { ...settings, ...given.user } })).toEqual([
      ...['act_1', 'act_0', 'act_2', 'act_3', 'act_4'],
    ]);
    const isSuspended = { ...user, isSuspended: true } as const;
    const suspended = told({ status: UP, lists: known, user: isSuspended });
    expect(suspended.join()).not.toMatch(/tries again|retry/);
    for (const banner of shown({ status: UP, user: isSuspended })) expect(banner.resumeAt).toBeUndefined();
  });
});

test('[FR-02] where Meta refuses all changes, the banner has its words', () => {
  const refused = { action: 'pause', words: 'Confirm your identity', retryAt: SOON, isBlocked: true };
  const known: DashboardFacts['lists'] = [
    { id: 'act_1', state: 'read', campaigns: [runs('Hats', { refused }), runs('Shoes', { refused })] },
  ];
  const accounts = [{ id: 'act_1', name: 'Lind Outdoor', notProtected: 'unconfirmed' as const }];
  const user = matched(covers({ blocked: 2 }));
  expect(told({ lists: known, accounts, user }).join()).toContain(
    'Not protected: Lind Outdoor | Meta says “Confirm your identity”. | Meta refuses our changes until',
  );
});

test('[FR-02, FR-29] a pause that Meta refuses alone stands apart from those that it blocks, each with its retry', () => {
  const blocked = {
    action: 'pause' as const,
    words: 'Confirm your identity',
    retryAt: SOON,
    isBlocked: true,
  };
  const final = { action: 'pause' as const, words: 'Campaign has ended', retryAt: SOON };
  const campaigns = [runs('Hats', { refused: blocked }), runs('Shoes', { refused: final })];
  const lists: DashboardFacts['lists'] = [{ id: 'act_1', state: 'read', campaigns }];
  const accounts = [{ id: 'act_1', name: 'Lind Outdoor', notProtected: 'unconfirmed' as const }];
  const all = told({ lists, accounts, user: matched(covers({ blocked: 2 })) });
  expect(all.find((one) => one.startsWith('refused_pause'))).toBe(
    'refused_pause red: Meta refuses to pause 1 campaign | Shoes: | Meta says “Campaign has ended”. | SmartPause tries again at 9:47 PM EST. [retry, Open Ads Manager]',
  );
  const notProtected = all.find((one) => one.startsWith('not_protected'));
  expect(notProtected).toMatch(
    /Meta says “Confirm your identity”\. \| .*\[Confirm Lind Outdoor in .*, retry\]$/,
  );
  expect(notProtected).not.toContain('ended');
});

test('[UX-05, FR-29] several causes name their campaigns, and several ad accounts have a retry each', () => {
  const refused = (words: string | null) => ({ action: 'resume' as const, words, retryAt: SOON });
  const listOf = (id: string, campaign: Campaign) => ({ id, state: 'read' as const, campaigns: [campaign] });
  const lists: DashboardFacts['lists'] = [
    listOf('act_1', runs('Hats', { ...isHeld, refused: refused('Campaign has ended') })),
    listOf('act_2', runs('Shoes', { ...isHeld, refused: refused(null) })),
  ];
  const accounts = [outdoor, { id: 'act_2', name: 'Lind Kids' }];
  const [banner] = told({ status: UP, lists, accounts, user: { ...quiet(covers({})), ...TWO } });
  expect(banner).toBe(
    'refused red: Meta refuses to resume 2 campaigns | Hats: Meta says “Campaign has ended”. | Shoes: Confirm your account in Ads Manager first. | SmartPause tries again at 9:47 PM EST. [Retry now in Lind Outdoor, Retry now in Lind Kids, Open Ads Manager]',
  );
  const left = (name: string, words: string) =>
    runs(name, { status: 'PAUSED', notResumed: { words, at: SOON } });
  const campaigns = [left('Hats', 'Campaign has ended'), left('Shoes', 'No budget')];
  const known: DashboardFacts['lists'] = [{ id: 'act_1', state: 'read', campaigns }];
  expect(told({ status: UP, lists: known, user: quiet(covers({})) })[0]).toContain(
    'Meta refused | Hats: Meta says “Campaign has ended”. | Shoes: Meta says “No budget”. | They stay paused',
  );
});

describe('[UX-05, FR-34] each time is of its own cause', () => {
  const until = '2026-01-09T11:15:00.000Z';
  const postponed = { count: 1, until };
  const base = { ...quiet(covers({})), resumeAt: at(1) };
  const TOOL =
    'Another tool has 1 campaign in Lind Outdoor off at this time: it resumes on Jan 9, 2026, 6:15 AM EST at the latest.';

  test('all wait for another tool’s hours', () => {
    const heldAccounts = [{ ...outdoor, count: 1, delayedBy: 'other_tool' as const, postponed }];
    const given = {
      status: UP,
      now: Date.parse(until) - 7 * 3_600_000 + 60_000,
      user: { ...base, heldCampaigns: 1, heldAccounts },
    };
    expect(told(given)[0]).toBe(
      `resume blue: 1 campaign resumes on Jan 9, 2026, 6:15 AM EST at the latest · in 6 h 59 min | SmartPause Resume Scheduled | ${TOOL} | 1 campaign in Lind Outdoor. [show_held, See what happened, resume_now]`,
    );
    expect(shown(given)[0]).toMatchObject({ resumeAt: Date.parse(until) });
  });

  test('one is refused, one blocked, one waits for another tool', () => {
    const refused = { action: 'resume' as const, words: 'Two-factor authentication required', retryAt: SOON };
    const blocked = { ...refused, words: null, retryAt: '2026-01-09T03:30:00.000Z' };
    const known = [
      {
        id: 'act_1',
        state: 'read' as const,
        campaigns: [runs('Hats', { ...isHeld, refused }), runs('Shoes', { ...isHeld, refused: blocked })],
      },
    ];
    const heldAccounts = [{ ...outdoor, count: 3, delayedBy: 'refused' as const, postponed }];
    const given = {
      status: UP,
      now: Date.parse(SOON) - 60_000,
      lists: known,
      user: { ...base, heldCampaigns: 3, heldAccounts },
    };
    expect(told(given).slice(0, 2)).toEqual([
      expect.stringContaining(
        '“Two-factor authentication required”. | SmartPause tries again at 9:47 PM EST. | ',
      ),
      expect.stringContaining(`resume blue: SmartPause Resume Scheduled | ${TOOL} [`),
    ]);
    expect(told(given)[0]).toContain('in Ads Manager first. | SmartPause tries again at 10:30 PM EST.');
    expect(shown(given)[1]).not.toHaveProperty('resumeAt');
    const rest = {
      ...given,
      user: {
        ...given.user,
        heldCampaigns: 4,
        heldAccounts: [{ ...outdoor, count: 4, delayedBy: 'refused' as const, postponed }],
      },
    };
    expect(shown(rest)[1]).not.toHaveProperty('resumeAt');
    expect(told(rest)[1]).toContain('1 campaign in Lind Outdoor, resuming now.');
  });
});

describe('[UX-05, UX-20] a resume that Meta refuses, but that is not scheduled', () => {
  const refused = { action: 'resume', words: 'Two-factor authentication required', retryAt: SOON };
  const REFUSED =
    'refused red: Meta refuses to resume 1 campaign | Hats: | Meta says “Two-factor authentication required”. | SmartPause tries again at 9:47 PM EST. [retry, Open Ads Manager]';
  const known = (given: object): DashboardFacts['lists'] => [
    { id: 'act_1', state: 'read', campaigns: [runs('Hats', { ...given, refused })] },
  ];

  test('in an outage, after Resume now', () => {
    const user = { ...matched(covers({})), ...TWO };
    const given = { lists: known(isHeld), user };
    expect(told(given)[1]).toBe(REFUSED);
    expect(told({ ...given, access: 'expired' }).some((one) => one.startsWith('refused'))).toBe(false);
    expect(told({ ...given, plansAt: '/payment' })[1]).toBe(REFUSED);
  });

  test('after a live test', () => {
    const given = { lists: known({ status: 'PAUSED', testUntil: at(1) }), user: quiet(covers({ on: 1 })) };
    expect(told({ status: UP, ...given })[0]).toBe(REFUSED);
  });
});

test('[UX-05, FR-29] a refused pause is shown like a refused resume, once', () => {
  const refused = { action: 'pause', words: 'Two-factor authentication required', retryAt: SOON };
  const campaigns = [runs('Hats', { smartPauseSetting: 'ON', refused })];
  const given = {
    lists: [{ id: 'act_1', state: 'read' as const, campaigns }],
    user: { ...matched(covers({ blocked: 1 })), ...TWO, pauseRefused: 1 },
  };
  const all = told(given).join('\n');
  expect(told(given)[1]).toBe(
    'refused_pause red: Meta refuses to pause 1 campaign | Hats: | Meta says “Two-factor authentication required”. | SmartPause tries again at 9:47 PM EST. [retry, Open Ads Manager]',
  );
  expect(all).not.toContain('can’t pause');
  expect(all).not.toContain('refused to pause');
});

test('[UX-05, FR-29] a resume that Meta refused for good is an answer before the counts, and says what to do', () => {
  const notResumed = { words: 'Campaign has ended', at: at(5) };
  const campaigns = [runs('Hats', { status: 'PAUSED', smartPauseSetting: 'ON', notResumed })];
  const given = {
    status: UP,
    lists: [{ id: 'act_1', state: 'read' as const, campaigns }],
    user: { ...quiet(covers({ on: 41 })), refusingAccounts: ['act_1'] },
  };
  expect(told(given)[0]).toBe(
    'not_resumed red: 1 campaign not resumed: Meta refused | Hats: | Meta says “Campaign has ended”. | It stays paused until you resume it. [Open Ads Manager]',
  );
});

describe('[UX-09, DASH-01] the setup', () => {
  const setup = { isFinished: false, hasTest: true };
  const user = quiet(covers({ off: 3 }));
  test.each<[string, Given, string | undefined]>([
    [
      'before it',
      { isSetUp: false },
      'setup orange: Account Setup Required | Nothing is protected yet. [Complete your setup]',
    ],
    [
      'before the choice',
      {},
      'setup gray: Choose campaigns to protect | Step 3 of 4: use the switches below. [try]',
    ],
    [
      'without a campaign',
      { user: quiet(covers({})) },
      'setup gray: Choose campaigns to protect | Step 3 of 4: nothing is protected yet.',
    ],
    [
      'finished',
      { setup: { ...setup, isFinished: true } },
      'setup gray: Setup complete | The switches below change what is paused. [try]',
    ],
    [
      'finished, in an outage',
      { status: HIGH, setup: { ...setup, isFinished: true }, user: matched() },
      undefined,
    ],
    ['before the choice, in an outage', { status: HIGH, user: matched(covers({ off: 3 })) }, undefined],
    ['without a subscription', { plansAt: '/payment' }, undefined],
  ])('%s', (_case, given, banner) => {
    expect(told({ status: UP, setup, user, ...given }).find((one) => one.startsWith('setup'))).toBe(banner);
  });

  test('one button turns SmartPause on for all', () => {
    expect(told({ status: UP, setup, user })[1]).toMatch(/\[Turn on for all active campaigns\]$/);
  });
});

describe('one answer, and what belongs to it', () => {
  /** `lead button + note + note`. */
  const drawn = (given: Given) =>
    cardsOf(shown(given)).map(({ lead, notes }) => {
      const button = lead.acts.find((act) => 'label' in act && act.act !== 'visit');
      const label = button !== undefined && 'label' in button ? ` “${button.label}”` : '';
      return [`${lead.kind}${label}`, ...notes.map(({ kind }) => kind)].join(' + ');
    });
  const accounts = [{ id: 'act_1', name: 'Lind Outdoor', notProtected: 'unconfirmed' as const }];

  test('the reason of a button stands beside it', () => {
    const given = { accounts, user: { ...matched(covers({ blocked: 1 })), pauseRefused: 1 } };
    expect(cardsOf(shown(given))[0]?.lead.sentences.join(' ')).toMatch(
      /^Not protected: Lind Outdoor\. Meta refuses our changes until you confirm/,
    );
  });

  test.each<[string, Given, string[]]>([
    ['no disruption', { status: UP, user: quiet(covers({ off: 1 })) }, ['protection “Protect it”']],
    ['an outage', { user: { ...matched(covers({ off: 1 })), ...TWO } }, ['outage “Pause it too” + status']],
    [
      'an outage, where Meta wants a confirmation',
      { accounts, user: { ...matched(covers({ blocked: 1 })), pauseRefused: 1 } },
      ['outage “Confirm Lind Outdoor in Ads Manager” + status'],
    ],
    [
      'no access in an outage',
      { access: 'expired', user: { ...matched(covers({ off: 1 })), ...TWO } },
      ['outage “Log in again” + access + status'],
    ],
    [
      'no access, and a scheduled resume',
      { status: LOW, access: 'expired', user: { ...quiet(covers({ off: 1 })), ...TWO, resumeAt: SOON } },
      ['access “Log in again” + resume + status + protection'],
    ],
    [
      'a scheduled resume, whose button is not that of the other campaigns',
      { status: UP, user: { ...quiet(covers({ off: 1 })), ...TWO, resumeAt: SOON } },
      ['resume + protection'],
    ],
    ['below the threshold', { status: LOW, user: quiet(covers({ off: 1 })) }, ['status + protection']],
    [
      'an access that ends soon, in a trial',
      { status: UP, access: 'stale', trial: { days: 1, text: '' }, user: quiet(covers({ on: 1 })) },
      ['protection “Log in again” + access + trial'],
    ],
    ['a code in the address', { status: UP, code: 'SERVER_ERROR' }, ['address', 'protection']],
  ])('%s', (_case, given, cards) => {
    expect(drawn(given)).toEqual(cards);
  });
});
