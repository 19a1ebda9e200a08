import { describe, expect, test } from 'vitest';
import { LATE_WRITE_MS, SECOND_SIGHT_MS } from './hold.ts';
import { REREAD_MS, needsReading, plan } from './plan.ts';
import type { Owner } from './plan.ts';
import { currentStatus, nextStatus } from './status.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, carriedOut, holdOn, statusAfter, steps, world } from './worlds.fixture.ts';

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
    ['ON and ACTIVE is paused', { id: 'a', live: 'ACTIVE' }, {}, ['pause a']],
    ['already PAUSED is not held', { id: 'a', live: 'PAUSED' }, {}, []],
    ['ARCHIVED is left alone', { id: 'a', live: 'ARCHIVED' }, {}, []],
    ['SmartPause OFF is left alone', { id: 'a', live: 'ACTIVE', setting: 'OFF' }, {}, []],
    ['DEACTIVATED is left alone', { id: 'a', live: 'ACTIVE', setting: 'DEACTIVATED' }, {}, []],
    ['one that could not be read is left alone', { id: 'a', live: undefined }, {}, []],
    ['legacy Advantage+ is left alone', { id: 'a', live: 'ACTIVE', isLegacyAdvantage: true }, {}, []],
    ['without subscription or setup', { id: 'a', live: 'ACTIVE' }, { mayHold: false }, []],
    ['without a usable token', { id: 'a', live: 'ACTIVE' }, { tokenUsable: false }, []],
    ['for somebody who is leaving', { id: 'a', live: 'ACTIVE' }, { leaving: true }, []],
  ])('[ENG-04] during a match: %s', (_title, campaign, owner, expected) => {
    expect(planned(HIGH, [campaign], owner)).toEqual(expected);
  });

  test('[ENG-04] nothing is paused while the threshold is not met', () => {
    const low = statusAfter('UP', 'LOW_DISRUPTION');
    expect(planned(low, [{ id: 'a', live: 'ACTIVE' }])).toEqual([]);
    expect(planned(low, [{ id: 'a', live: 'ACTIVE' }], { threshold: 'LOW' })).toEqual(['pause a']);
  });

  test('the dearest campaigns come first', () => {
    const campaigns: CampaignLine[] = [
      { id: 'cheap', live: 'ACTIVE', budget: 100 },
      { id: 'none', live: 'ACTIVE' },
      { id: 'dear', live: 'ACTIVE', budget: 90_000 },
      { id: 'middle', live: 'ACTIVE', budget: 5000 },
    ];
    expect(planned(HIGH, campaigns)).toEqual(['pause dear', 'pause middle', 'pause cheap', 'pause none']);
  });

  test('[ENG-12] turning SmartPause on during a match pauses at once', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', setting: 'OFF' }])).toEqual([]);
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', setting: 'ON' }])).toEqual(['pause a']);
  });

  test('a campaign under somebody else’s hold is theirs', () => {
    const shared = {
      ...world({ status: HIGH, campaigns: [{ id: 'a', live: 'ACTIVE' }] }),
      heldByOthers: new Set(['a']),
    };
    expect(steps(plan(shared, now))).toEqual([]);
  });
});

describe('resuming', () => {
  test('[ENG-05] only what we paused is resumed', () => {
    const campaigns: CampaignLine[] = [
      { id: 'held', live: 'PAUSED', hold: {} },
      { id: 'theirs', live: 'PAUSED' },
    ];
    expect(planned(OVER, campaigns)).toEqual(['resume held']);
  });

  test('[ENG-05] a hold on a legacy Advantage+ campaign is resumed like any other', () => {
    const held: CampaignLine = { id: 'a', live: 'PAUSED', isLegacyAdvantage: true, hold: {} };
    expect(planned(OVER, [held])).toEqual(['resume a']);
  });

  test('[ENG-06] instant: as soon as the threshold is no longer met, also at a lower level', () => {
    const lower = statusAfter('HIGH_DISRUPTION', 'LOW_DISRUPTION');
    expect(planned(lower, [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual(['resume a']);
  });

  test('[ENG-07] delay: not before its time, and looked at exactly then', () => {
    const resume = { mode: 'delay', delay: { value: 3, unit: 'minutes' } } as const;
    const held = world({
      status: OVER,
      owner: { resume },
      campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }],
    });
    const dueAt = START + 3 * 60_000;
    expect(plan(held, dueAt - 1)).toEqual({ changes: [], lookAt: dueAt });
    expect(steps(plan(held, dueAt))).toEqual(['resume a']);
  });

  test('[ENG-08] next_day: at 12:01 AM New York', () => {
    const owner = { resume: { mode: 'next_day' } } as const;
    const held = world({ status: OVER, owner, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    const dueAt = Date.parse('2026-01-09T05:01:00Z');
    expect(steps(plan(held, dueAt - 1))).toEqual([]);
    expect(steps(plan(held, dueAt))).toEqual(['resume a']);
  });

  test('[ENG-09] a new match cancels the schedule', () => {
    const again = statusAfter('HIGH_DISRUPTION', 'UP', 'MEDIUM_DISRUPTION');
    const held = world({ status: again, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    expect(plan(held, now)).toEqual({ changes: [], lookAt: now + REREAD_MS });
  });

  test('[ENG-10] what was begun before the status became UNKNOWN is finished', () => {
    const begun = { inDoubt: true, retryAt: null };
    expect(
      planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'ACTIVE', hold: { ...begun, state: 'pausing' } }]),
    ).toEqual(['pause a']);
    expect(
      planned(UNKNOWN_AFTER_UP, [{ id: 'a', live: 'PAUSED', hold: { ...begun, state: 'resuming' } }]),
    ).toEqual(['resume a']);
  });

  test.each<[string, Partial<Owner>]>([
    ['a lapsed subscription', { mayHold: false }],
    ['somebody leaving', { leaving: true }],
  ])('holds are honoured in spite of %s', (_title, owner) => {
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: {} }], owner)).toEqual(['resume a']);
  });

  test('who leaves gets everything back at once, outage or not', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: {} }], { leaving: true })).toEqual(['resume a']);
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'PAUSED', hold: {} }], { leaving: true })).toEqual([
      'resume a',
    ]);
  });

  test('who leaves without a usable token cannot be given anything back', () => {
    const owner = { leaving: true, tokenUsable: false };
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: {} }], owner)).toEqual(['let_go a access_lost']);
  });

  test('[ENG-09] a resume that was refused for certain keeps to what a new match scheduled', () => {
    const owner = { resume: { mode: 'delay', delay: { value: 3, unit: 'minutes' } } } as const;
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: { state: 'resuming' } }], owner)).toEqual([
      'stay_paused a',
    ]);
  });
});

describe('[ENG-10] while the status is UNKNOWN', () => {
  const inThreeMinutes = { resume: { mode: 'delay', delay: { value: 3, unit: 'minutes' } } } as const;
  // The match ended two minutes before START.
  const unknownAfterEnd = statusAfter('HIGH_DISRUPTION', 'UP', 'UNKNOWN', 'UNKNOWN');
  const resumeTime = START + 60_000;

  test('no campaign is paused', () => {
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'ACTIVE' }])).toEqual([]);
  });

  test('a campaign of a match stays paused', () => {
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual([]);
  });

  test('a scheduled resume happens on time', () => {
    const held = world({
      status: unknownAfterEnd,
      owner: inThreeMinutes,
      campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }],
    });
    expect(plan(held, resumeTime - 1)).toEqual({ changes: [], lookAt: resumeTime });
    expect(steps(plan(held, resumeTime))).toEqual(['resume a']);
  });

  test('a resume that was due before the status became UNKNOWN is written', () => {
    expect(planned(UNKNOWN_AFTER_UP, [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual(['resume a']);
  });

  test('a pause in flight is confirmed and then resumed on time', () => {
    const hold = { state: 'pausing', inDoubt: true } as const;
    const held = world({
      status: unknownAfterEnd,
      owner: inThreeMinutes,
      campaigns: [{ id: 'a', live: 'PAUSED', hold }],
    });
    expect(steps(plan(held, resumeTime - 1))).toEqual(['confirm_paused a']);
    expect(steps(plan(held, resumeTime))).toEqual(['confirm_paused a', 'resume a']);
  });

  test('edited resume settings count from the same moment', () => {
    const line: CampaignLine = { id: 'a', live: 'PAUSED', hold: {} };
    expect(planned(unknownAfterEnd, [line], inThreeMinutes)).toEqual([]);
    expect(planned(unknownAfterEnd, [line], { resume: { mode: 'instant' } })).toEqual(['resume a']);
  });

  test('a stale status keeps the schedule and starts no pause', () => {
    const stale = (status: typeof HIGH) => currentStatus({ ...status, checkedAt: 0 }, now, 60_000);
    expect(planned(stale(OVER), [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual(['resume a']);
    expect(planned(stale(HIGH), [{ id: 'a', live: 'PAUSED', hold: {} }])).toEqual([]);
    expect(planned(stale(HIGH), [{ id: 'a', live: 'ACTIVE' }])).toEqual([]);
  });

  test('after a restore nothing is resumed until the status is known', () => {
    const line: CampaignLine = { id: 'a', live: 'PAUSED', hold: {} };
    const restored = { ...OVER, knownIsFromBackup: true };
    const unread = currentStatus({ ...restored, checkedAt: null }, now, 60_000);
    expect(planned(unread, [line])).toEqual([]);
    expect(planned(nextStatus(unread, { trueLevel: 'UNKNOWN' }, now), [line])).toEqual([]);
    expect(planned(unread, [line], { leaving: true })).toEqual(['resume a']);
    expect(planned(nextStatus(unread, { trueLevel: 'UP' }, now), [line])).toEqual(['resume a']);
    expect(planned(nextStatus(unread, { directive: 'FORCE_UP' }, now), [line])).toEqual(['resume a']);
  });
});

describe('an answer that was lost', () => {
  const doubt = { inDoubt: true, sentAt: START - 1000 };

  test('[ENG-14] a pause in doubt and found PAUSED was ours', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: { ...doubt, state: 'pausing' } }])).toEqual([
      'confirm_paused a',
    ]);
  });

  test('[ENG-14] a pause in doubt and found ACTIVE is sent again', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', hold: { ...doubt, state: 'pausing' } }])).toEqual([
      'pause a',
    ]);
  });

  test('[ENG-14] a resume in doubt is confirmed or sent again', () => {
    expect(planned(OVER, [{ id: 'a', live: 'ACTIVE', hold: { ...doubt, state: 'resuming' } }])).toEqual([
      'confirm_resumed a',
    ]);
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: { ...doubt, state: 'resuming' } }])).toEqual([
      'resume a',
    ]);
  });

  test('a confirmed pause whose outage is over is resumed in the same plan', () => {
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold: { ...doubt, state: 'pausing' } }])).toEqual([
      'confirm_paused a',
      'resume a',
    ]);
  });

  test('a confirmed resume during a new match is paused again in the same plan, as a new hold', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', hold: { ...doubt, state: 'resuming' } }])).toEqual([
      'confirm_resumed a',
      'pause a',
    ]);
  });

  test('a retry waits for its time', () => {
    const hold = { ...doubt, state: 'pausing', retryAt: now + 5000 } as const;
    const waiting = plan(world({ status: HIGH, campaigns: [{ id: 'a', live: 'ACTIVE', hold }] }), now);
    expect(waiting).toEqual({ changes: [], lookAt: now + 5000 });
  });

  test('a pause that was refused for certain and found PAUSED is somebody else’s', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: { state: 'pausing' } }])).toEqual([
      'let_go a paused_outside',
    ]);
  });

  test('a pause that is no longer wanted is dropped once it cannot arrive any more', () => {
    const late = { id: 'a', live: 'ACTIVE', hold: { ...doubt, state: 'pausing' } } as const;
    const held = world({ status: OVER, campaigns: [late] });
    expect(plan(held, now)).toEqual({ changes: [], lookAt: START - 1000 + LATE_WRITE_MS });
    expect(steps(plan(held, START - 1000 + LATE_WRITE_MS))).toEqual(['let_go a not_needed']);
    expect(planned(OVER, [{ id: 'a', live: 'ACTIVE', hold: { state: 'pausing' } }])).toEqual([
      'let_go a not_needed',
    ]);
  });

  test('a resume overtaken by a new match is taken back', () => {
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: { state: 'resuming' } }])).toEqual([
      'stay_paused a',
    ]);
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: { ...doubt, state: 'resuming' } }])).toEqual([
      'pause a',
    ]);
  });
});

describe('the advertiser’s own hand', () => {
  test.each([
    ['ACTIVE', 'resumed_outside'],
    ['ARCHIVED', 'archived'],
    ['DELETED', 'deleted'],
    ['GONE', 'deleted'],
  ] as const)('[ENG-11] a held campaign found %s twice is deactivated and left alone', (live, reason) => {
    const seen = world({ status: HIGH, campaigns: [{ id: 'a', live, hold: {} }] });
    const first = plan(seen, now);
    expect(steps(first)).toEqual(['suspect a']);
    expect(first.lookAt).toBe(now + SECOND_SIGHT_MS);
    const suspicious = carriedOut(seen, first, now);
    expect(steps(plan(suspicious, now + SECOND_SIGHT_MS - 1))).toEqual([]);
    const second = plan(suspicious, now + SECOND_SIGHT_MS);
    expect(steps(second)).toEqual([`deactivate a ${reason}`]);
    expect(steps(plan(carriedOut(suspicious, second, now), now + SECOND_SIGHT_MS))).toEqual([]);
  });

  test('[ENG-11] one stale reading is forgiven', () => {
    const suspicion = { status: 'ACTIVE', since: now - 60_000 } as const;
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold: { suspicion } }])).toEqual(['trust a']);
  });

  test.each([
    ['pausing', 'PAUSED', ['confirm_paused a', 'let_go a smartpause_off']],
    ['pausing', 'ACTIVE', ['let_go a smartpause_off']],
    ['resuming', 'ACTIVE', ['confirm_resumed a']],
    ['resuming', 'PAUSED', ['confirm_paused a', 'let_go a smartpause_off']],
  ] as const)(
    '[ENG-12, ENG-14] SmartPause off while %s is in doubt, found %s: what was done is told first',
    (state, live, expected) => {
      const line: CampaignLine = { id: 'a', live, setting: 'OFF', hold: { state, inDoubt: true } };
      expect(planned(HIGH, [line])).toEqual(expected);
    },
  );

  test.each(['pausing', 'paused', 'resuming'] as const)(
    '[ENG-12] SmartPause off ends a hold that is %s',
    (state) => {
      expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', setting: 'OFF', hold: { state } }])).toEqual([
        'let_go a smartpause_off',
      ]);
      const noToken = planned(HIGH, [{ id: 'a', setting: 'OFF', hold: { state } }], { tokenUsable: false });
      expect(noToken).toEqual(['let_go a smartpause_off']);
    },
  );

  test('a resume that was refused for certain and found ACTIVE was somebody else’s', () => {
    expect(planned(OVER, [{ id: 'a', live: 'ACTIVE', hold: { state: 'resuming' } }])).toEqual([
      'let_go a already_active',
    ]);
  });
});

describe('looking again', () => {
  test('while something is held, every account is read again every 5 minutes', () => {
    const held = world({ status: HIGH, campaigns: [{ id: 'a', live: 'PAUSED', hold: {} }] });
    expect(plan(held, now).lookAt).toBe(now + 5 * 60_000);
  });

  test('without a match and without holds there is nothing to look at, and the platform is not asked', () => {
    const quiet = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE' }] });
    expect(plan(quiet, now)).toEqual({ changes: [], lookAt: null });
    expect(needsReading(quiet)).toBe(false);
    expect(needsReading(world({ status: HIGH, campaigns: [{ id: 'a' }] }))).toBe(true);
    expect(needsReading({ ...quiet, holds: [holdOn('a')] })).toBe(true);
    expect(needsReading({ ...quiet, owner: { ...quiet.owner, tokenUsable: false } })).toBe(false);
  });
});
