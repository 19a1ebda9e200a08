import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SmartPauseSetting } from '../campaign.ts';
import type { WorldUser, LiveCampaign } from './world.ts';
import { newHold } from './world.ts';
import type { Hold } from './hold.ts';
import type { DryRunReason, NotProtected } from '../outages/reasons.ts';
import { keepsSpending, NOT_PROTECTED } from '../outages/reasons.ts';
import { dryRun } from './dry-run.ts';
import type { Level } from '../smartpause/level.ts';
import { INITIAL_STATUS, nextStatus } from '../smartpause/status.ts';

const START = Date.parse('2026-01-09T02:10:00Z');
const SET_UP = { isSetUp: true, notProtected: null as NotProtected | null };
const USER: WorldUser = {
  ...{ id: 'a', threshold: 'MEDIUM', resume: { mode: 'instant' }, mayHold: true, hasAccess: true },
  ...{ isLeaving: false, writesBlockedUntil: null, settings: new Map(), leftAlone: new Map() },
  ...{ refusedResumes: new Map(), signals: [] },
};

interface Line extends Partial<LiveCampaign> {
  setting?: SmartPauseSetting;
  held?: Partial<Hold>;
}

function run(lines: Line[], over: Partial<WorldUser> = {}, level: Level = 'UP', given = SET_UP) {
  const named = lines.map((line, index) => ({ id: String(index), ...line }));
  const status = nextStatus(INITIAL_STATUS, { trueLevel: level }, START);
  const settings = named.map(({ id, setting = 'ON' }) => [id, { setting, changedAt: 0 }] as const);
  const user = { ...USER, settings: new Map(settings), ...over };
  const hold = newHold({ status, readAt: START }, user, START);
  const holds = named.flatMap(({ id, held }): [string, Hold][] =>
    held === undefined ? [] : [[id, { ...hold, state: 'paused', pausedAt: START, ...held }]],
  );
  const campaigns = named.map((line): LiveCampaign => ({ status: 'ACTIVE', dailyBudget: null, ...line }));
  const world = { status, campaigns, readAt: START, holds: new Map(holds), writes: new Map() };
  return dryRun(
    {
      ...world,
      logOf: () => 'unreadable',
      accepted: new Set(),
      schedules: new Map(),
      timeZone: null,
      ofMany: new Set(),
    },
    user,
    given,
    START,
  );
}

describe('[TEST-01] what would happen if Meta’s status met the threshold now', () => {
  test.each<[string, Line, Partial<WorldUser>, DryRunReason | 'paused']>([
    ['ON and running', {}, {}, 'paused'],
    ['SmartPause off', { setting: 'OFF' }, {}, 'smartpause_off'],
    ['disabled', { setting: 'DEACTIVATED' }, {}, 'smartpause_deactivated'],
    ['already paused', { status: 'PAUSED' }, {}, 'already_paused'],
    ['legacy', { isLegacyAdvantage: true }, {}, 'legacy_advantage'],
    ['[FR-01] ended', { stopTime: START }, {}, 'ended'],
    ['[FR-01] not started yet', { startTime: START + 1 }, {}, 'scheduled'],
    ['held', { status: 'PAUSED', held: {} }, {}, 'held'],
    ['held, and due for a resume that waits', { status: 'PAUSED', held: { state: 'resuming' } }, {}, 'held'],
    ['[UX-21] held, and resumed in Ads Manager', { held: {} }, {}, 'held_running'],
    ['held, with a pause to be repeated', { held: { state: 'pausing', pausedAt: null } }, {}, 'held'],
    [
      'held, and Meta refuses the pause',
      { held: { state: 'pausing', refusal: 'Not now' } },
      {},
      'pause_refused',
    ],
    [
      'held by another user whose pause Meta refuses',
      { held: { userId: 'b', state: 'pausing', refusal: 'Not now' } },
      {},
      'pause_refused',
    ],
    ['held by another user', { status: 'PAUSED', held: { userId: 'b' } }, {}, 'held_by_other_user'],
    ['no subscription', {}, { mayHold: false }, 'no_subscription'],
    ['no token', {}, { hasAccess: false }, 'access_refused'],
    ['leaving', {}, { isLeaving: true }, 'access_refused'],
  ])('%s', (_title, line, over, expected) => {
    const { paused, notPaused } = run([line], over);
    expect(paused.length > 0 ? 'paused' : notPaused[0]?.reason).toBe(expected);
  });

  test.each(NOT_PROTECTED)('[FR-07] %s', (notProtected) => {
    const { paused, notPaused } = run([{}], {}, 'UP', { isSetUp: true, notProtected });
    expect([paused, notPaused]).toEqual([[], [{ id: '0', reason: notProtected }]]);
  });

  test('before the setup', () => {
    expect(run([{}], { mayHold: false }, 'UP', { ...SET_UP, isSetUp: false }).notPaused).toEqual([
      { id: '0', reason: 'not_set_up' },
    ]);
  });

  test('every threshold is met, also while the status is unknown', () => {
    for (const threshold of ['LOW', 'MEDIUM', 'HIGH'] as const)
      expect(run([{}], { threshold }, 'UNKNOWN').paused).toEqual(['0']);
  });

  test('what runs and is neither paused nor held keeps spending', () => {
    const line = fc.record({
      status: fc.constantFrom('ACTIVE' as const, 'PAUSED' as const),
      setting: fc.constantFrom('ON' as const, 'OFF' as const, 'DEACTIVATED' as const),
      isLegacyAdvantage: fc.boolean(),
      stopTime: fc.constantFrom(null, START),
    });
    const given = fc.constantFrom(
      SET_UP,
      { ...SET_UP, isSetUp: false },
      { ...SET_UP, notProtected: 'role' as const },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.boolean(), given, (lines, mayHold, one) => {
        const { paused, notPaused } = run(lines, { mayHold }, 'UP', one);
        const running = lines.filter(({ status, stopTime }) => status === 'ACTIVE' && stopTime === null);
        expect(paused.length + notPaused.filter(({ reason }) => keepsSpending(reason)).length).toBe(
          running.length,
        );
      }),
    );
    const { notPaused } = run([{ held: {} }, { status: 'PAUSED', held: {} }]);
    expect(notPaused.map(({ reason }) => keepsSpending(reason))).toEqual([true, false]);
  });

  test('each campaign that can run again is in exactly one list', () => {
    const line = fc.record({
      status: fc.constantFrom('ACTIVE' as const, 'PAUSED' as const, 'ARCHIVED' as const, 'AWAY' as const),
      setting: fc.constantFrom('ON' as const, 'OFF' as const, 'DEACTIVATED' as const),
      isLegacyAdvantage: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.boolean(), (lines, mayHold) => {
        const { paused, notPaused } = run(lines, { mayHold });
        const listed = [...paused, ...notPaused.map(({ id }) => id)].map(Number).toSorted((a, b) => a - b);
        const running = lines.flatMap(({ status }, index) =>
          status === 'ACTIVE' || status === 'PAUSED' ? [index] : [],
        );
        expect(listed).toEqual(running);
      }),
    );
  });
});
