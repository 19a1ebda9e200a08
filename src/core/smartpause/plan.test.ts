import { describe, expect, test } from 'vitest';
import { HOLD_STATES, LATE_WRITE_MS } from './hold.ts';
import { REREAD_MS, needsReading, plan } from './plan.ts';
import type { Owner } from './plan.ts';
import { currentStatus, nextStatus } from './status.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, holdOn, statusAfter, steps, world } from './worlds.fixture.ts';

const HIGH = statusAfter('UP', 'HIGH_DISRUPTION');
const OVER = statusAfter('HIGH_DISRUPTION', 'UP');
const UNKNOWN_AFTER_HIGH = statusAfter('HIGH_DISRUPTION', 'UNKNOWN');
const UNKNOWN_AFTER_UP = statusAfter('HIGH_DISRUPTION', 'UP', 'UNKNOWN');
const now = START;

function planned(status: typeof HIGH, campaigns: CampaignLine[], owner: Partial<Owner> = {}): string[] {
  return steps(plan(world({ status, owner, campaigns }), now));
}

describe('pausing', () => {
  test.each<[string, CampaignLine, Partial<Owner>, string[]]>([
    ['ON and ACTIVE is paused', { id: 'a', live: 'ACTIVE' }, {}, ['a pause']],
    ['already PAUSED is not held', { id: 'a', live: 'PAUSED' }, {}, []],
    ['ARCHIVED is left alone', { id: 'a', live: 'ARCHIVED' }, {}, []],
    ['SmartPause OFF is left alone', { id: 'a', live: 'ACTIVE', setting: 'OFF' }, {}, []],
    ['DEACTIVATED is left alone', { id: 'a', live: 'ACTIVE', setting: 'DEACTIVATED' }, {}, []],
    ['one that could not be read is left alone', { id: 'a', live: undefined }, {}, []],
    ['legacy Advantage+ is left alone', { id: 'a', live: 'ACTIVE', isLegacyAdvantage: true }, {}, []],
    ['without subscription or setup', { id: 'a', live: 'ACTIVE' }, { mayHold: false }, []],
    ['without a usable token', { id: 'a', live: 'ACTIVE' }, { tokenUsable: false }, []],
    ['for a leaving user', { id: 'a', live: 'ACTIVE' }, { leaving: true }, []],
  ])('[ENG-04] during a match: %s', (_title, campaign, owner, expected) => {
    expect(planned(HIGH, [campaign], owner)).toEqual(expected);
  });

  test.each<[string, Partial<CampaignLine>, string[]]>([
    ['its end date is now', { stopTime: now }, []],
    ['it ends in a moment', { stopTime: now + 1 }, ['a pause']],
    ['it starts in a moment', { startTime: now + 1 }, []],
    ['it starts now', { startTime: now, stopTime: now + 1 }, ['a pause']],
    ['Meta refused its pause in this match', { refusedAt: now }, []],
    ['Meta refused its pause in an earlier match', { refusedAt: now - 1 }, ['a pause']],
  ])('[FR-01] a campaign: %s', (_title, line, expected) => {
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', ...line }])).toEqual(expected);
  });

  test('[FR-01] the next look is when a campaign starts during the match', () => {
    const startTime = now + 90_000;
    const lookAt = (line: Partial<CampaignLine>, status = HIGH) =>
      plan(world({ status, campaigns: [{ id: 'a', live: 'ACTIVE', startTime, ...line }] }), now).lookAt;
    expect(lookAt({})).toBe(startTime);
    expect(lookAt({ live: 'PAUSED' })).toBe(now + REREAD_MS);
    expect(lookAt({ setting: 'OFF' })).toBeNull();
    expect(lookAt({}, OVER)).toBeNull();
  });

  test('[ENG-04] pauses nothing while the threshold is not met', () => {
    const low = statusAfter('UP', 'LOW_DISRUPTION');
    expect(planned(low, [{ id: 'a', live: 'ACTIVE' }])).toEqual([]);
    expect(planned(low, [{ id: 'a', live: 'ACTIVE' }], { threshold: 'LOW' })).toEqual(['a pause']);
  });

  test('pauses the highest budget first', () => {
    const campaigns: CampaignLine[] = [
      { id: 'cheap', live: 'ACTIVE', budget: 100 },
      { id: 'none', live: 'ACTIVE' },
      { id: 'dear', live: 'ACTIVE', budget: 90_000 },
      { id: 'middle', live: 'ACTIVE', budget: 5000 },
    ];
    expect(planned(HIGH, campaigns)).toEqual(['dear pause', 'middle pause', 'cheap pause', 'none pause']);
  });

  test('[ENG-12] turning SmartPause on during a match pauses at once', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', setting: 'OFF' }])).toEqual([]);
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', setting: 'ON' }])).toEqual(['a pause']);
  });

  test('leaves a campaign alone that another user’s hold covers', () => {
    const shared = {
      ...world({ status: HIGH, campaigns: [{ id: 'a', live: 'ACTIVE' }] }),
      heldByOthers: new Set(['a']),
    };
    expect(steps(plan(shared, now))).toEqual([]);
  });
});

describe('resuming', () => {
  test('[ENG-05] resumes only what SmartPause paused', () => {
    const campaigns: CampaignLine[] = [
      { id: 'held', live: 'PAUSED', hold: {} },
      { id: 'theirs', live: 'PAUSED' },
    ];
    expect(planned(OVER, campaigns)).toEqual(['held resume']);
  });

  test('[ENG-05] a hold on a legacy Advantage+ campaign is resumed like any other', () => {
    const held: CampaignLine = { id: 'a', live: 'PAUSED', isLegacyAdvantage: true, hold: {} };
    expect(planned(OVER, [held])).toEqual(['a resume']);
  });

  test('[ENG-06] instant resumes as soon as the threshold is no longer met, also at a lower level', () => {
    const lower = statusAfter('HIGH_DISRUPTION', 'LOW_DISRUPTION');
    expect(planned(lower, [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual(['a resume']);
  });

  test('[ENG-07] delay resumes at the due time and not before', () => {
    const resume = { mode: 'delay', delay: { value: 3, unit: 'minutes' } } as const;
    const held = world({
      status: OVER,
      owner: { resume },
      campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }],
    });
    const dueAt = START + 3 * 60_000;
    expect(plan(held, dueAt - 1)).toEqual({ changes: [], lookAt: dueAt, needsLog: false });
    expect(steps(plan(held, dueAt))).toEqual(['a resume']);
  });

  test('[ENG-08] next_day resumes at 12:01 AM New York', () => {
    const owner = { resume: { mode: 'next_day' } } as const;
    const held = world({ status: OVER, owner, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    const dueAt = Date.parse('2026-01-09T05:01:00Z');
    expect(steps(plan(held, dueAt - 1))).toEqual([]);
    expect(steps(plan(held, dueAt))).toEqual(['a resume']);
  });

  test('[ENG-09] a new match cancels the schedule', () => {
    const again = statusAfter('HIGH_DISRUPTION', 'UP', 'MEDIUM_DISRUPTION');
    const held = world({ status: again, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    expect(plan(held, now)).toEqual({ changes: [], lookAt: now + REREAD_MS, needsLog: false });
  });

  test('[ENG-10] UNKNOWN lets writes in progress complete', () => {
    const begun = { sentAt: START - 1000 };
    expect(
      planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'ACTIVE', hold: { ...begun, state: 'pausing' } }]),
    ).toEqual(['a pause']);
    expect(
      planned(UNKNOWN_AFTER_UP, [{ id: 'a', live: 'PAUSED', hold: { ...begun, state: 'resuming' } }]),
    ).toEqual(['a resume']);
  });

  test.each<[string, Partial<Owner>]>([
    ['a lapsed subscription', { mayHold: false }],
    ['a leaving user', { leaving: true }],
  ])('holds still end with %s', (_title, owner) => {
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: {} }], owner)).toEqual(['a resume']);
  });

  test('a leaving user gets all campaigns resumed at once, also during an outage', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: {} }], { leaving: true })).toEqual(['a resume']);
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'PAUSED', hold: {} }], { leaving: true })).toEqual([
      'a resume',
    ]);
  });

  test('without a usable token, holds of a leaving user are released without a resume', () => {
    const owner = { leaving: true, tokenUsable: false };
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: {} }], owner)).toEqual([
      'a released released: access_lost',
    ]);
  });

  test('[ENG-09] after a refused resume, a new match sets the schedule', () => {
    const owner = { resume: { mode: 'delay', delay: { value: 3, unit: 'minutes' } } } as const;
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: { state: 'resuming' } }], owner)).toEqual([
      'a paused',
    ]);
  });
});

describe('without a usable token', () => {
  const sentAt = now - 1000;

  test.each<[string, Partial<CampaignLine>, string[], number | null]>([
    ['a pause stays', { hold: {} }, [], null],
    ['a pause of SmartPause off ends', { setting: 'OFF', hold: {} }, ['a released: smartpause_off'], null],
    ['a live test stays', { setting: 'OFF', hold: { testUntil: now } }, [], null],
    [
      'an end that waited comes now',
      { hold: { release: 'paused_outside' } },
      ['a released: paused_outside'],
      null,
    ],
    ['a resume ends', { hold: { state: 'resumed' } }, ['a ends'], null],
    [
      'an end waits for a copy that can arrive',
      { hold: { state: 'resumed', sentAt } },
      [],
      sentAt + LATE_WRITE_MS,
    ],
  ])('%s', (_title, line, expected, lookAt) => {
    const owner = { tokenUsable: false };
    const found = plan(world({ status: OVER, owner, campaigns: [{ id: 'a', ...line }] }), now);
    expect(steps(found)).toEqual(expected);
    expect(found.lookAt).toBe(lookAt);
  });
});

test.each(HOLD_STATES)('a hold that is %s stays while the campaign cannot be read', (state) => {
  const expected = state === 'resumed' ? ['a ends'] : [];
  const unread = world({ status: OVER, campaigns: [{ id: 'a', live: undefined, hold: { state } }] });
  // Without a copy that can arrive, no decision needs the activity log.
  const found = plan({ ...unread, log: null }, now);
  expect(steps(found)).toEqual(expected);
  expect(found.needsLog).toBe(false);
});

describe('[ENG-10] while the status is UNKNOWN', () => {
  const inThreeMinutes = { resume: { mode: 'delay', delay: { value: 3, unit: 'minutes' } } } as const;
  // The match ended two minutes before START.
  const unknownAfterEnd = statusAfter('HIGH_DISRUPTION', 'UP', 'UNKNOWN', 'UNKNOWN');
  const resumeTime = START + 60_000;

  test('pauses no campaign', () => {
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'ACTIVE' }])).toEqual([]);
  });

  test('a matched campaign stays paused', () => {
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual([]);
  });

  test('a scheduled resume happens on time', () => {
    const held = world({
      status: unknownAfterEnd,
      owner: inThreeMinutes,
      campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }],
    });
    expect(plan(held, resumeTime - 1)).toEqual({ changes: [], lookAt: resumeTime, needsLog: false });
    expect(steps(plan(held, resumeTime))).toEqual(['a resume']);
  });

  test('a resume that was due before the status became UNKNOWN is written', () => {
    expect(planned(UNKNOWN_AFTER_UP, [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual(['a resume']);
  });

  test('a pause in progress is confirmed and then resumed on time', () => {
    const hold = { state: 'pausing', sentAt: START - LATE_WRITE_MS } as const;
    const held = world({
      status: unknownAfterEnd,
      owner: inThreeMinutes,
      campaigns: [{ id: 'a', live: 'PAUSED', hold }],
    });
    expect(steps(plan(held, resumeTime - 1))).toEqual(['a paused']);
    expect(steps(plan(held, resumeTime))).toEqual(['a paused resume']);
  });

  test('edited resume settings count from the same moment', () => {
    const line: CampaignLine = { id: 'a', live: 'PAUSED', hold: {} };
    expect(planned(unknownAfterEnd, [line], inThreeMinutes)).toEqual([]);
    expect(planned(unknownAfterEnd, [line], { resume: { mode: 'instant' } })).toEqual(['a resume']);
  });

  test('a stale status keeps the schedule and starts no pause', () => {
    const stale = (status: typeof HIGH) => currentStatus({ ...status, checkedAt: 0 }, now, 60_000);
    expect(planned(stale(OVER), [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual(['a resume']);
    expect(planned(stale(HIGH), [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual([]);
    expect(planned(stale(HIGH), [{ id: 'a', live: 'ACTIVE' }])).toEqual([]);
  });

  test('after a restore, resumes nothing until the status is known', () => {
    const line: CampaignLine = { id: 'a', live: 'PAUSED', hold: {} };
    const restored = { ...OVER, knownIsFromBackup: true };
    const unread = currentStatus({ ...restored, checkedAt: null }, now, 60_000);
    expect(planned(unread, [line])).toEqual([]);
    expect(planned(nextStatus(unread, { trueLevel: 'UNKNOWN' }, now), [line])).toEqual([]);
    expect(planned(unread, [line], { leaving: true })).toEqual(['a resume']);
    expect(planned(nextStatus(unread, { trueLevel: 'UP' }, now), [line])).toEqual(['a resume']);
    expect(planned(nextStatus(unread, { directive: 'FORCE_UP' }, now), [line])).toEqual(['a resume']);
  });
});

describe('next read', () => {
  test('with holds, every account is read again every 5 minutes', () => {
    const held = world({ status: HIGH, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    expect(plan(held, now).lookAt).toBe(now + 5 * 60_000);
  });

  test('is when a copy of a manual change can no longer arrive, or when a test ends', () => {
    const quiet = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE' }] });
    const one = { id: '1', userId: '1', campaignId: 'a', status: 'ACTIVE', requestedAt: now } as const;
    const lookAt = (sentAt: number | null) =>
      plan({ ...quiet, manualChanges: [{ ...one, sentAt, metaSaid: null, isOver: true }] }, now).lookAt;
    expect([null, now - LATE_WRITE_MS, now - 1].map(lookAt)).toEqual([null, null, now - 1 + LATE_WRITE_MS]);
    const hold = { state: 'pausing', testUntil: now + 1, retryAt: now + 2 } as const;
    const tested = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold }] });
    expect(plan(tested, now).lookAt).toBe(now + 1);
  });

  test('without a match and without holds, nothing is scheduled and the platform is not called', () => {
    const quiet = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE' }] });
    expect(plan(quiet, now)).toEqual({ changes: [], lookAt: null, needsLog: false });
    expect(needsReading(quiet)).toBe(false);
    expect(needsReading(world({ status: HIGH, campaigns: [{ id: 'a' }] }))).toBe(true);
    expect(needsReading({ ...quiet, holds: [holdOn('a')] })).toBe(true);
    expect(needsReading({ ...quiet, owner: { ...quiet.owner, tokenUsable: false } })).toBe(false);
  });
});
