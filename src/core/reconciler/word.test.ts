import { describe, expect, test } from 'vitest';
import { NOW, MATCHED, statusOf, user, worldOf, held, short } from '../../../test/support/account-plan.ts';
import { INITIAL_STATUS, nextStatus } from '../smartpause/status.ts';
import { planAccount } from './plan-account.ts';
import type { World } from './world.ts';

describe('[EARLY-08] the user’s own word', () => {
  const word = (until: number | null = null) => [{ source: 'user', since: MATCHED, until }] as const;
  const b = user('b', { threshold: 'LOW' });
  const up = nextStatus(INITIAL_STATUS, { trueLevel: 'UP' }, MATCHED - 600_000);
  const said = { ...up, directive: 'FORCE_UP' } as const;
  const ofWord = { ...held('a', { cause: 'user', level: 'UP' }), status: up };
  test.each<[string, Partial<World>, string[]]>([
    [
      'begins a hold while the page says UP',
      { status: up, users: [user('a', { signals: word() })] },
      ['c a pausing PAUSED'],
    ],
    [
      'while the page is UNKNOWN',
      { status: nextStatus(up, { trueLevel: 'UNKNOWN' }, MATCHED), users: [user('a', { signals: word() })] },
      ['c a pausing PAUSED'],
    ],
    [
      'while an admin forces UP',
      { status: said, users: [user('a', { signals: word() })] },
      ['c a pausing PAUSED'],
    ],
    [
      'not without a subscription',
      { status: up, users: [user('a', { signals: word(), mayHold: false })] },
      [],
    ],
    ['not with SmartPause off', { status: up, users: [user('a', { signals: word() }, [])] }, []],
    ['not after its end', { status: up, users: [user('a', { signals: word(NOW) })] }, []],
    [
      'of one user pauses nothing of another, who has the campaign on',
      { status: up, users: [user('a', { signals: word(), mayHold: false }), b] },
      [],
    ],
    ['goes on', { ...ofWord, users: [user('a', { signals: word() }), b] }, []],
    ['ends for all', { ...ofWord, users: [user('a', { signals: word(NOW) }), b] }, ['c a resuming ACTIVE']],
    [
      'ends, and the match of another user goes on',
      {
        ...ofWord,
        status: nextStatus(up, { trueLevel: 'LOW_DISRUPTION' }, MATCHED),
        users: [user('a', { signals: word(NOW) }), b],
      },
      ['c b taken_over paused'],
    ],
    [
      'ends, and the word of another user goes on',
      { ...ofWord, users: [user('a', { signals: word(NOW) }), { ...b, signals: word() }] },
      ['c b taken_over paused'],
    ],
    [
      'ends at once, however long other resumes wait',
      { ...ofWord, users: [user('a', { signals: word(NOW), resume: { mode: 'next_day' } })] },
      ['c a resuming ACTIVE'],
    ],
    [
      'keeps nothing paused that its user has resumed in it, and only writes for another user',
      {
        ...ofWord,
        users: [
          user('a', { hasAccess: false }),
          { ...b, signals: word(), leftAlone: new Map([['c', { since: NOW, why: 'resumed_now' }]]) },
        ],
      },
      ['c b taken_over resuming ACTIVE'],
    ],
    [
      '[UX-20] leaves a campaign alone that was resumed in it',
      {
        status: up,
        users: [
          user('a', { signals: word(), leftAlone: new Map([['c', { since: NOW, why: 'resumed_now' }]]) }),
        ],
      },
      [],
    ],
    [
      'pauses what was resumed before it',
      {
        users: [
          user('a', {
            signals: word(),
            leftAlone: new Map([['c', { since: MATCHED - 1, why: 'resumed_now' }]]),
          }),
        ],
      },
      ['c a pausing PAUSED'],
    ],
    [
      'keeps no outage that begins later from pausing what was resumed in it',
      {
        users: [
          user('a', {
            signals: [{ source: 'user', since: MATCHED - 9, until: null }],
            leftAlone: new Map([['c', { since: MATCHED - 1, why: 'resumed_now' }]]),
          }),
        ],
      },
      ['c a pausing PAUSED'],
    ],
    [
      'nor once it has ended in the outage',
      {
        users: [
          user('a', {
            signals: [{ source: 'user', since: MATCHED - 9, until: NOW }],
            leftAlone: new Map([['c', { since: MATCHED - 1, why: 'resumed_now' }]]),
          }),
        ],
      },
      ['c a pausing PAUSED'],
    ],
  ])('%s', (_title, over, expected) => {
    expect(short(worldOf(over))).toEqual(expected);
  });

  test('says why each hold began', () => {
    const causeIn = (over: Partial<World>) => planAccount(worldOf(over), NOW).changes[0]?.hold?.cause;
    const users = [user('a', { signals: word() })];
    expect(causeIn({ status: up, users })).toBe('user');
    expect(causeIn({ users })).toBe('status');
    expect(causeIn({ status: statusOf('HIGH_DISRUPTION', 'UNKNOWN'), users })).toBe('user');
  });

  describe('in an outage in which the campaign was resumed', () => {
    const leftAlone = new Map([['c', { since: MATCHED + 1, why: 'resumed_now' as const }]]);
    const since = MATCHED + 2;
    const said = (until: number | null) =>
      user('a', { leftAlone, signals: [{ source: 'user', since, until }] });

    test('pauses it as the word’s doing', () => {
      const { changes } = planAccount(worldOf({ users: [said(null)] }), NOW);
      expect(changes.map(({ hold }) => [hold?.state, hold?.cause])).toEqual([['pausing', 'user']]);
    });

    test.each([
      ['resumes it at its end', {}, ['c a resuming ACTIVE']],
      ['hands it to another user whom the outage concerns', { more: [b] }, ['c b taken_over paused']],
      ['resumes nothing that the outage has paused', { cause: 'status' as const }, []],
    ])(
      '%s',
      (
        _title,
        { more = [], cause = 'user' }: { more?: World['users']; cause?: 'status' | 'user' },
        expected,
      ) => {
        const hold = held('a', { cause, decidedAt: since });
        expect(short(worldOf({ ...hold, users: [said(NOW), ...more] }))).toEqual(expected);
      },
    );
  });

  test('the account is looked at when it begins by a clock that is ahead', () => {
    const world = {
      status: up,
      users: [user('a', { signals: [{ source: 'user', since: NOW + 9, until: null }] })],
    };
    expect(planAccount(worldOf(world), NOW).lookAt).toBe(NOW + 9);
  });

  test('a live test of a campaign that was resumed in it stays one', () => {
    const leftAlone = new Map([['c', { since: NOW - 9, why: 'resumed_now' as const }]]);
    const test = held('a', { testUntil: NOW + 1000, level: 'UP' });
    const later = { ...test, status: up, users: [user('a', { signals: word(), leftAlone })] };
    expect(short(worldOf(later))).toEqual([]);
    const kept = { ...later, users: [user('a', { signals: word() })] };
    expect(short(worldOf(kept))).toEqual(['c a paused paused']);
  });

  test('the account is looked at when it ends', () => {
    const world = { ...ofWord, users: [user('a', { signals: word(NOW + 60_000) })] };
    expect(planAccount(worldOf(world), NOW).lookAt).toBe(NOW + 60_000);
  });
});
