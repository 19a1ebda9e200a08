import { describe, expect, test } from 'vitest';
import type { WorldUser, World, LiveCampaign } from './world.ts';
import type { ActualStatus, CampaignWrite, Hold } from './hold.ts';
import { STALE_READ_MS } from './hold.ts';
import { withWish } from './manual-write.ts';
import { REREAD_MS, blockerOf, needsReading, planAccount } from './plan-account.ts';
import {
  NOW,
  MATCHED,
  statusOf,
  user,
  turnedOff,
  campaign,
  worldOf,
  held,
  short,
} from '../../../test/support/account-plan.ts';

describe('a new hold', () => {
  test.each<[string, Partial<World>, string[]]>([
    ['[ENG-04] begins in a match', {}, ['c a pausing PAUSED']],
    ['[ENG-10] not while the status is unknown', { status: statusOf('HIGH_DISRUPTION', 'UNKNOWN') }, []],
    ['not below the threshold', { status: statusOf('LOW_DISRUPTION') }, []],
    ['not with SmartPause off', { users: [user('a', {}, [])] }, []],
    ['not without a subscription', { users: [user('a', { mayHold: false })] }, []],
    ['not without access', { users: [user('a', { hasAccess: false })] }, []],
    ['not for a leaving user', { users: [user('a', { isLeaving: true })] }, []],
    [
      'of another user instead',
      { users: [user('a', { mayHold: false }), user('b')] },
      ['c b pausing PAUSED'],
    ],
    [
      '[FR-02] of another user while writes of the first one are blocked',
      { users: [user('a', { writesBlockedUntil: NOW + 1 }), user('b')] },
      ['c b pausing PAUSED'],
    ],
    ['[FR-01] not for an ended campaign', { campaigns: [campaign({ stopTime: NOW })] }, []],
    ['[FR-01] not before its start', { campaigns: [campaign({ startTime: NOW + 1 })] }, []],
    [
      '[FR-01] not after a refusal in this match',
      { users: [user('a', { leftAlone: new Map([['c', { since: NOW, why: 'pause_refused' }]]) })] },
      [],
    ],
    ['[FR-02] not while writes are blocked', { users: [user('a', { writesBlockedUntil: NOW + 1 })] }, []],
  ])('%s', (_title, over, expected) => {
    expect(short(worldOf(over))).toEqual(expected);
  });

  test('the highest budget comes first', () => {
    const campaigns = [campaign({ id: 'c', dailyBudget: 1 }), campaign({ id: 'd', dailyBudget: 2 })];
    const users = [user('a', {}, ['c', 'd'])];
    expect(short(worldOf({ campaigns, users }))).toEqual(['d a pausing PAUSED', 'c a pausing PAUSED']);
  });
});

describe('[ENG-18] a hold changes its user without a write', () => {
  test.each<[string, WorldUser[], Partial<Hold>, string[]]>([
    [
      'when the match of the holder ends',
      [user('a'), user('b', { threshold: 'LOW' })],
      { threshold: 'HIGH' },
      ['c b taken_over paused'],
    ],
    ['when the holder leaves', [user('a', { isLeaving: true }), user('b')], {}, ['c b taken_over paused']],
    [
      'when the holder has no access',
      [user('a', { hasAccess: false }), user('b')],
      {},
      ['c b taken_over paused'],
    ],
    [
      'to a user who can resume, if none is matched',
      [user('a', { hasAccess: false }), user('b', { threshold: 'HIGH' })],
      {},
      ['c b taken_over resuming ACTIVE'],
    ],
    [
      '[FR-02] when the writes of the holder are blocked, and one is due',
      [user('a', { writesBlockedUntil: NOW + 1 }), user('b')],
      { state: 'pausing', pausedAt: null },
      ['c b pausing'],
    ],
    [
      '[FR-02] not to a user whose writes are blocked as well',
      [user('a', { writesBlockedUntil: NOW + 1 }), user('b', { writesBlockedUntil: NOW + 1 })],
      { state: 'pausing', pausedAt: null },
      ['c a pausing'],
    ],
    ['[FR-02] not while none is due', [user('a', { writesBlockedUntil: NOW + 1 }), user('b')], {}, []],
    ['not to a user with SmartPause off', [user('a', { hasAccess: false }), user('b', {}, [])], {}, []],
    ['not from a holder who is matched', [user('a'), user('b')], {}, []],
    [
      'not if the holder turned it off, even without access',
      [user('a', { hasAccess: false }, []), user('b')],
      {},
      ['c a smartpause_off'],
    ],
    ['not if the holder turned it off', [user('a', {}, []), user('b')], {}, ['c a smartpause_off']],
    [
      '[ENG-17] when the holder turned it off while the pause was unconfirmed',
      [turnedOff('a', MATCHED - 1), user('b')],
      {},
      ['c b taken_over paused'],
    ],
    [
      '[ENG-17] when the holder turns it off while the pause is unconfirmed',
      [turnedOff('a', NOW), user('b')],
      { state: 'cancelling', pausedAt: null },
      ['c b pausing'],
    ],
    [
      '[ENG-17] not to a user who is not matched',
      [turnedOff('a', NOW), user('b', { threshold: 'HIGH' })],
      { state: 'cancelling', pausedAt: null },
      ['c a not_needed not_needed'],
    ],
  ])('%s', (_title, users, hold, expected) => {
    const status = statusOf('HIGH_DISRUPTION', 'MEDIUM_DISRUPTION');
    expect(short(worldOf({ ...held('a', hold), users, status }))).toEqual(expected);
  });
});

describe('a hold', () => {
  test('keeps the threshold it began with', () => {
    const users = [user('a', { threshold: 'HIGH' })];
    const status = statusOf('MEDIUM_DISRUPTION');
    expect(short(worldOf({ ...held('a', { threshold: 'MEDIUM' }), users, status }))).toEqual([]);
  });

  test('is honoured without a subscription', () => {
    const users = [user('a', { mayHold: false })];
    expect(short(worldOf({ ...held('a'), users, status: statusOf('UP') }))).toEqual(['c a resuming ACTIVE']);
  });

  test('waits while Meta blocks the user, and for the next login', () => {
    const over = { ...held('a'), status: statusOf('UP') };
    const blocked = [user('a', { writesBlockedUntil: NOW + 7 })];
    expect(planAccount(worldOf({ ...over, users: blocked }), NOW).lookAt).toBe(NOW + 7);
    const users = [user('a', { hasAccess: false })];
    expect(planAccount(worldOf({ ...over, users, campaigns: null }), NOW)).toMatchObject({
      changes: [],
      lookAt: null,
    });
  });

  test.each([{ hasAccess: false }, { writesBlockedUntil: NOW + 1 }])(
    'is left behind by a leaving user who cannot resume: %o',
    (over) => {
      const users = [user('a', { isLeaving: true, ...over })];
      expect(short(worldOf({ ...held('a'), users }))).toEqual(['c a released access_lost']);
    },
  );

  test('of a user whose write failed is taken up by another one at once', () => {
    const write = {
      ...withWish(null, { userId: 'a', status: 'ACTIVE', requestedAt: MATCHED }),
      wanted: null,
    };
    const open = { origin: 'hold', state: 'open', retryAt: NOW + 1 } as const;
    const writes = new Map([['c', { ...write, ...open }]]);
    const over = { ...held('a', { state: 'resuming' }), writes, status: statusOf('UP') };
    expect(short(worldOf(over))).toEqual([]);
    const users = [user('a', { hasAccess: false }), user('b')];
    expect(short(worldOf({ ...over, users }))).toEqual(['c b taken_over resuming ACTIVE']);
    const refused = { ...write, ...open, refusals: 1 };
    const final = new Map([['c', { ...refused, finalRefusals: 1 }]]);
    expect(short(worldOf({ ...over, users, writes: final }))).toEqual(['c b taken_over resuming']);
    // Each user is tried once: the cause may be the user's.
    const both = [user('a'), user('b')];
    const other = (refusals: number) => new Map([['c', { ...refused, refusals }]]);
    expect(short(worldOf({ ...over, users: both, writes: other(1) }))).toEqual([
      'c b taken_over resuming ACTIVE',
    ]);
    expect(short(worldOf({ ...over, users: both, writes: other(2) }))).toEqual([]);
  });

  test('is looked at every five minutes', () => {
    expect(planAccount(worldOf(held('a')), NOW).lookAt).toBe(NOW + REREAD_MS);
    // Without an allowance the write is not sent.
    expect(planAccount(worldOf(), NOW).lookAt).toBe(NOW + REREAD_MS);
  });

  test('[TEST-02] of a live test is kept by an outage', () => {
    const over = held('a', { testUntil: NOW + 30_000 });
    const [change] = planAccount(worldOf(over), NOW).changes;
    expect(change).toMatchObject({
      hold: { state: 'paused', testUntil: null },
      reports: ['paused'],
      send: null,
    });
  });

  test('[TEST-02] of a live test is not kept once its resume is on its way', () => {
    expect(short(worldOf(held('a', { testUntil: NOW, state: 'resuming' })))).toEqual(['c a resuming ACTIVE']);
  });

  test('[TEST-02] of a live test is looked at when the test ends, although its pause has to wait longer', () => {
    const over = {
      ...held('a', { testUntil: NOW + 1, state: 'pausing', pausedAt: null }),
      status: statusOf('UP'),
    };
    const users = [user('a', { writesBlockedUntil: NOW + REREAD_MS })];
    expect(planAccount(worldOf({ ...over, users }), NOW).lookAt).toBe(NOW + 1);
  });
});

test.each<[string, number, ActualStatus, ActualStatus | undefined]>([
  ['may be older than it', NOW - STALE_READ_MS + 1, 'ACTIVE', undefined],
  ['is later', NOW - STALE_READ_MS, 'ACTIVE', 'ACTIVE'],
  ['shows that the campaign is gone', NOW - 1, 'ARCHIVED', 'ARCHIVED'],
])('a read after a confirmed pause %s', (_title, at, status, surprise) => {
  const wished = withWish(null, { userId: 'a', status: 'PAUSED', requestedAt: MATCHED });
  const write: CampaignWrite = { ...wished, wanted: null, confirmed: { status: 'PAUSED', at } };
  const writes = new Map([['c', write]]);
  const world = worldOf({ ...held('a'), campaigns: [campaign({ status })], writes });
  expect(planAccount(world, NOW).changes[0]?.hold?.surprise?.status).toBe(surprise);
});

describe('[UX-20] a hold whose resume a user has asked for', () => {
  const asked = (by: string, over: Partial<Hold> = {}) =>
    held('a', { resumeAsked: { by, at: NOW - 1000 }, ...over });
  const both = (a: Partial<WorldUser> = {}): WorldUser[] => [user('a', a), user('b')];
  const unsent = { state: 'pausing', pausedAt: null } as const;
  const off = new Map([['c', { setting: 'OFF', changedAt: NOW }]]) as WorldUser['settings'];

  test.each<[string, Partial<World>, string[]]>([
    [
      'is resumed in the match, and not handed over',
      { ...asked('b'), users: both() },
      ['c a resuming ACTIVE'],
    ],
    [
      'is resumed without a subscription',
      { ...asked('a'), users: [user('a', { mayHold: false })] },
      ['c a resuming ACTIVE'],
    ],
    [
      'is resumed although SmartPause was turned off since',
      { ...asked('a'), users: [user('a', { settings: off })] },
      ['c a resuming ACTIVE'],
    ],
    [
      'is resumed by who asked for it, if the other has no access',
      { ...asked('b'), users: [user('a', { hasAccess: false }), user('b', {}, [])] },
      ['c b taken_over resuming ACTIVE'],
    ],
    [
      'ends without a write if its pause was not sent',
      { ...asked('a', unsent), campaigns: [campaign()] },
      ['c a released resumed_now'],
    ],
    [
      'of another user is theirs',
      { ...asked('b', unsent), users: both(), campaigns: [campaign()] },
      ['c a released resumed_by_other'],
    ],
  ])('%s', (_title, over, expected) => {
    expect(short(worldOf(over))).toEqual(expected);
  });

  test('leaves its campaign alone until the user’s match is over', () => {
    const left = (since: number) => user('a', { leftAlone: new Map([['c', { since, why: 'resumed_now' }]]) });
    expect(short(worldOf({ users: [left(NOW - 1)] }))).toEqual([]);
    expect(short(worldOf({ users: [left(MATCHED - 1)] }))).toEqual(['c a pausing PAUSED']);
    // The hold of another user is not kept for it either, only resumed in time for who has lost access.
    const low = { ...left(NOW - 1), threshold: 'LOW' } as const;
    const ofOther = (over: Partial<WorldUser>, threshold: Hold['threshold'] = 'HIGH') =>
      worldOf({
        ...held('b', { threshold }),
        users: [user('b', over), low],
        status: statusOf('LOW_DISRUPTION'),
      });
    expect(short(ofOther({}))).toEqual(['c b resuming ACTIVE']);
    expect(short(ofOther({ hasAccess: false }))).toEqual(['c a taken_over resuming ACTIVE']);
    expect(short(ofOther({ hasAccess: false }, 'LOW'))).toEqual(['c a taken_over paused']);
  });
});

test('the platform is asked only if something depends on it', () => {
  expect(needsReading(worldOf(), NOW)).toBe(true);
  expect(needsReading(worldOf({ status: statusOf('UP') }), NOW)).toBe(false);
  expect(needsReading(worldOf({ ...held('a'), status: statusOf('UP') }), NOW)).toBe(true);
  expect(needsReading(worldOf({ users: [user('a', { hasAccess: false })] }), NOW)).toBe(false);
});

const resumeWished = withWish(null, { userId: 'a', status: 'ACTIVE', requestedAt: NOW });

test.each<[string, Partial<LiveCampaign>, Partial<World>]>([
  ['already_paused', { status: 'PAUSED' }, {}],
  ['ended', { stopTime: NOW }, {}],
  ['scheduled', { startTime: NOW + 1 }, {}],
  ['legacy_advantage', { isLegacyAdvantage: true }, {}],
  ['held', {}, held('a')],
  ['held_by_other_user', {}, held('b')],
  ['smartpause_off', { id: 'other' }, {}],
  ['manual_resume', {}, { writes: new Map([['c', resumeWished]]) }],
  ['manual_resume', {}, { writes: new Map([['c', { ...resumeWished, state: 'open', wanted: null }]]) }],
])('[TEST-01] why a campaign is not paused: %s', (blocker, over, world) => {
  expect(blockerOf(worldOf(world), user('a'), campaign(over), NOW)).toBe(blocker);
});

test('a user with access writes an external change again when the one whose late copy undid it has none', () => {
  const wished = withWish(null, { userId: 'a', status: 'ACTIVE', requestedAt: NOW });
  const write: CampaignWrite = {
    ...wished,
    origin: 'restore',
    target: 'ACTIVE',
    state: 'open',
    wanted: null,
  };
  const users = [user('a', { hasAccess: false }, []), user('b', {}, [])];
  const world = worldOf({
    users,
    campaigns: [campaign({ status: 'PAUSED' })],
    writes: new Map([['c', write]]),
  });
  const [change] = planAccount(world, NOW).changes;
  expect(change).toMatchObject({ send: 'ACTIVE', write: { requestedBy: 'b' } });
});

test('a write that a read confirms counts from the start of that read', () => {
  const wish = { userId: 'a', status: 'PAUSED', requestedAt: MATCHED } as const;
  const write: CampaignWrite = {
    ...withWish(null, wish),
    ...{ origin: 'hold', state: 'open', statusBefore: 'ACTIVE', wanted: null },
    ...{ firstSentAt: MATCHED, unansweredUntil: MATCHED + 65_000, unclearSince: MATCHED + 65_000 },
  };
  const hold = held('a', { state: 'pausing', pausedAt: null });
  const world = worldOf({ ...hold, writes: new Map([['c', write]]), readAt: NOW - 5000 });
  const [change] = planAccount(world, NOW).changes;
  expect(change?.write).toMatchObject({
    state: 'done',
    confirmed: { status: 'PAUSED', at: NOW - 5000 },
  });
});

test('[ENG-05] a new hold counts from the start of the read that showed the campaign running', () => {
  const [change] = planAccount(worldOf({ readAt: NOW - 5000 }), NOW).changes;
  expect(change?.hold).toMatchObject({ readAt: NOW - 5000, decidedAt: NOW });
});
