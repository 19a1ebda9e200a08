import { describe, expect, test } from 'vitest';
import type { HoldState, LiveStatus } from './hold.ts';
import { LATE_SIGHT_MS, LATE_WRITE_MS, SECOND_SIGHT_MS } from './hold.ts';
import { disputable, plan } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, statusAfter, steps, world } from './worlds.fixture.ts';

const HIGH = statusAfter('UP', 'HIGH_DISRUPTION');
const OVER = statusAfter('HIGH_DISRUPTION', 'UP');
const now = START;

const planned = (line: Omit<CampaignLine, 'id'>, at = now, status = HIGH) =>
  steps(plan(world({ status, campaigns: [{ id: 'a', ...line }] }), at));

describe('SmartPause is off, and a write of ours may still arrive', () => {
  test.each<[HoldState, LiveStatus | undefined]>([
    ['pausing', 'ACTIVE'],
    ['resuming', 'PAUSED'],
    ['pausing', undefined],
  ])('[ENG-12, ENG-14] %s, found %s: it is waited for', (state, live) => {
    const hold = { state, inDoubt: true, sentAt: START - 1000 };
    const off = world({ status: HIGH, campaigns: [{ id: 'a', live, setting: 'OFF', hold }] });
    const over = START - 1000 + LATE_WRITE_MS;
    expect(plan(off, now)).toMatchObject({ changes: [], lookAt: over });
    expect(steps(plan(off, over)).at(-1)).toBe('let_go a smartpause_off');
  });

  test('[ENG-12] a resume that was overtaken and is carried out is told', () => {
    const hold = { lateResumeUntil: START + 5000 };
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold })).toEqual(['confirm_resumed a']);
    expect(planned({ live: 'PAUSED', setting: 'OFF', hold })).toEqual([]);
  });

  test('[ENG-12] a pause that was overtaken and is carried out is told', () => {
    const hold = { state: 'resuming', inDoubt: true, sentAt: START, latePauseUntil: START + 5000 } as const;
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold })).toEqual([]);
    expect(planned({ live: 'PAUSED', setting: 'OFF', hold }, START + LATE_WRITE_MS)).toEqual([
      'confirm_paused a',
      'let_go a smartpause_off',
    ]);
  });
});

describe('a hand has paused the campaign, and a resume of ours may still arrive', () => {
  const hold = { givenUp: 'manual_pause', lateResumeUntil: START + 5000 } as const;

  test('as long as it does not, nothing is done, and then it is over', () => {
    expect(planned({ live: 'PAUSED', hold })).toEqual([]);
    expect(planned({ live: 'PAUSED', hold }, START + 5000)).toEqual(['let_go a manual_pause']);
    expect(planned({ live: 'PAUSED', hold }, START + 5000, OVER)).toEqual(['let_go a manual_pause']);
  });

  test('[ENG-14] when it does, it is taken back, outage or not', () => {
    expect(planned({ live: 'ACTIVE', hold })).toEqual(['pause a']);
    expect(planned({ live: 'ACTIVE', hold }, START + 5000 + LATE_SIGHT_MS - 1, OVER)).toEqual(['pause a']);
    expect(planned({ live: 'ACTIVE', hold }, START + 5000 + LATE_SIGHT_MS, OVER)).toEqual([
      'let_go a manual_pause',
    ]);
  });

  test('but not over another hand, and not when SmartPause is off', () => {
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold }] });
    expect(disputable(plan(given, now))).toHaveLength(1);
    expect(steps(plan({ ...given, changedByOthers: new Set(['a']) }, now))).toEqual([
      'let_go a manual_pause',
    ]);
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold })).toEqual(['let_go a manual_pause']);
  });
});

describe('somebody else was the last to change a held campaign, and it is PAUSED', () => {
  test.each([
    ['paused', {}],
    ['resuming, in doubt', { state: 'resuming', inDoubt: true }],
  ] as const)('[ENG-05] %s: it is theirs, and not resumed', (_state, hold) => {
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'PAUSED', hold }] });
    expect(disputable(plan(given, now))).toHaveLength(1);
    const known = { ...given, changedByOthers: new Set(['a']) };
    expect(steps(plan(known, now))).toEqual(['suspect a']);
    const seen = { ...hold, suspicion: { status: 'PAUSED', since: now } } as const;
    const again = world({ status: OVER, campaigns: [{ id: 'a', live: 'PAUSED', hold: seen }] });
    const later = now + SECOND_SIGHT_MS;
    expect(steps(plan({ ...again, changedByOthers: known.changedByOthers }, later - 1))).toEqual([]);
    expect(steps(plan({ ...again, changedByOthers: known.changedByOthers }, later))).toEqual([
      'let_go a paused_outside',
    ]);
  });

  test('[ENG-11] and is found ACTIVE a moment later: they had resumed it, and SmartPause stays out', () => {
    const seen = { suspicion: { status: 'PAUSED', since: now } } as const;
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold: seen }] });
    expect(steps(plan(given, now + SECOND_SIGHT_MS))).toEqual(['suspect a']);
  });

  test('the log tells of nobody any more: it is resumed', () => {
    const seen = { suspicion: { status: 'PAUSED', since: now } } as const;
    expect(planned({ live: 'PAUSED', hold: seen }, now, OVER)).toEqual(['resume a']);
  });

  test('nobody is asked who changed it while nothing is to be written', () => {
    const given = world({ status: HIGH, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    expect(disputable(plan(given, now))).toEqual([]);
  });
});
