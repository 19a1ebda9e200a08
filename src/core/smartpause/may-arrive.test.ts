import { describe, expect, test } from 'vitest';
import type { HoldState, LiveStatus } from './hold.ts';
import { LATE_SIGHT_MS, LATE_WRITE_MS, SECOND_SIGHT_MS, afterStep, afterWriteDone } from './hold.ts';
import { disputable, plan } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, holdOn, statusAfter, steps, world } from './worlds.fixture.ts';

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
    const hold = { pausedAt: START - 60_000, lateResumeUntil: START + 5000 };
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold })).toEqual(['confirm_resumed a']);
    const given = world({ status: HIGH, campaigns: [{ id: 'a', live: 'ACTIVE', setting: 'OFF', hold }] });
    expect(disputable(plan(given, now))).toHaveLength(1);
    expect(steps(plan({ ...given, changedByOthers: new Set(['a']) }, START + 5000))).toEqual([
      'let_go a smartpause_off',
    ]);
    // Of what was never seen paused, running tells nothing.
    const never = { ...hold, state: 'pausing', pausedAt: null } as const;
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold: never })).toEqual([]);
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

describe('SmartPause was turned off, and on again before the hold was over', () => {
  const hold = { turnedOff: true, pausedAt: START - 60_000, latePauseUntil: START + 5000 } as const;

  test.each<[string, Partial<CampaignLine>, string[]]>([
    [
      'found running while the threshold is met: held anew',
      { live: 'ACTIVE' },
      ['let_go a smartpause_off', 'pause a'],
    ],
    ['found paused: held on', { live: 'PAUSED' }, ['hold_on a']],
    ['not to be read: no information', { live: undefined }, []],
    ['archived: as ever', { live: 'ARCHIVED' }, ['suspect a']],
    ['off again: waited for', { live: 'ACTIVE', setting: 'OFF' }, []],
    [
      'resumed by us and watched: held anew',
      { live: 'ACTIVE', hold: { ...hold, state: 'resuming', inDoubt: true, resumedAt: START - 1000 } },
      ['confirm_resumed a', 'pause a'],
    ],
    [
      'what nobody has answered: waited for',
      { live: 'ACTIVE', hold: { turnedOff: true, state: 'pausing', inDoubt: true, sentAt: START - 1000 } },
      [],
    ],
  ])('[ENG-12] %s', (_title, line, expected) => {
    expect(planned({ hold, ...line })).toEqual(expected);
  });

  test('[ENG-13] our late pause is carried out only then: the campaign is held on, and resumed', () => {
    const sent = { turnedOff: true, state: 'pausing', inDoubt: true, sentAt: START - 1000 } as const;
    const line = { live: 'PAUSED', hold: sent } as const;
    expect(planned(line, now, OVER)).toEqual(['hold_on a', 'confirm_paused a', 'resume a']);
    expect(afterStep(holdOn('a', sent), { kind: 'hold_on' }, now)).toMatchObject({ turnedOff: false });
  });

  test('[ENG-14] a resume of ours that came late is told first', () => {
    const late = { ...hold, lateResumeUntil: START + 5000 };
    expect(planned({ live: 'ACTIVE', hold: late })).toEqual(['confirm_resumed a', 'pause a']);
  });

  test('[ENG-12] found running when the outage is over it is not held any more', () => {
    expect(planned({ live: 'ACTIVE', hold }, now, OVER)).toEqual([]);
    const after = START + 5000;
    expect(planned({ live: 'ACTIVE', hold }, after, OVER)).toEqual(['suspect a']);
    const seen = { ...hold, suspicion: { status: 'ACTIVE', since: after } } as const;
    expect(planned({ live: 'ACTIVE', hold: seen }, after + SECOND_SIGHT_MS - 1, OVER)).toEqual([]);
    expect(planned({ live: 'ACTIVE', hold: seen }, after + SECOND_SIGHT_MS, OVER)).toEqual([
      'let_go a smartpause_off',
    ]);
    expect(planned({ live: 'PAUSED', hold: seen }, after, OVER)).toEqual([
      'hold_on a',
      'trust a',
      'resume a',
    ]);
    expect(planned({ live: undefined, hold }, after, OVER)).toEqual([]);
  });

  test.each(['ON', 'OFF'] as const)(
    '[ENG-14] resumed late, while a later pause may still be carried out: that is waited for (SmartPause is %s)',
    (setting) => {
      const lost = {
        ...hold,
        latePauseUntil: null,
        state: 'pausing',
        inDoubt: true,
        sentAt: START - 1000,
        lateResumeUntil: START + 5000,
      } as const;
      const line = { live: 'ACTIVE', setting, hold: lost } as const;
      expect(planned(line)).toEqual([]);
      expect(planned(line, START - 1000 + LATE_WRITE_MS, OVER)).toEqual(['confirm_resumed a']);
    },
  );

  test('[ENG-14] a pause that nobody saw, and a hand has undone: the log tells of it', () => {
    const sentAt = START - LATE_WRITE_MS;
    const lost = { turnedOff: true, state: 'pausing', inDoubt: true, sentAt } as const;
    const given = world({ status: HIGH, campaigns: [{ id: 'a', live: 'ACTIVE', hold: lost }] });
    expect(steps(plan(given, now))).toEqual(['let_go a smartpause_off', 'pause a']);
    expect(disputable(plan(given, now))).toHaveLength(1);
    const known = { ...given, pausedByUs: new Set(['a']) };
    expect(steps(plan(known, now))).toEqual(['confirm_paused a', 'let_go a smartpause_off', 'pause a']);
  });
});

describe('a hand has paused the campaign, and a resume of ours may still arrive', () => {
  const hold = {
    givenUp: 'manual_pause',
    resumedAt: START - 1000,
    sentAt: null,
    lateResumeUntil: START + 5000,
  } as const;

  test('as long as it does not, nothing is done, and then it is over', () => {
    expect(planned({ live: 'PAUSED', hold })).toEqual([]);
    expect(planned({ live: 'PAUSED', hold }, START + 5000)).toEqual(['let_go a manual_pause']);
    expect(planned({ live: 'PAUSED', hold }, START + 5000, OVER)).toEqual(['let_go a manual_pause']);
  });

  test('[ENG-14] when it does, it is taken back, outage or not', () => {
    expect(planned({ live: 'ACTIVE', hold })).toEqual(['pause a']);
    expect(planned({ live: 'ACTIVE', hold }, START + 5000 + 10 * LATE_SIGHT_MS, OVER)).toEqual(['pause a']);
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

describe('a resume that was sent twice, and may be carried out once more', () => {
  const LATE = START + 20_000;
  const watched = { state: 'resuming', inDoubt: true, resumedAt: START, lateResumeUntil: LATE } as const;

  test('is watched for that long', () => {
    expect(
      plan(world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold: watched }] }), now),
    ).toEqual({
      changes: [],
      lookAt: LATE,
    });
    expect(planned({ live: 'ACTIVE', hold: watched }, LATE, OVER)).toEqual(['confirm_resumed a']);
  });

  test('is over at once when the campaign is to be paused again', () => {
    expect(planned({ live: 'ACTIVE', hold: watched })).toEqual(['confirm_resumed a', 'pause a']);
  });

  test('whoever pauses it meanwhile has paused what was resumed: it is over when nothing can arrive any more', () => {
    const paused = world({ status: OVER, campaigns: [{ id: 'a', live: 'PAUSED', hold: watched }] });
    expect(plan(paused, now)).toEqual({ changes: [], lookAt: LATE });
    expect(steps(plan(paused, LATE))).toEqual(['confirm_resumed a']);
    const late = { ...watched, latePauseUntil: LATE };
    expect(planned({ live: 'PAUSED', hold: late }, now, OVER)).toEqual(['resume a']);
  });

  test('[ENG-14] nobody saw their pause, and the log tells that we have undone it: it is taken back', () => {
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold: watched }] });
    expect(disputable(plan(given, LATE))).toHaveLength(1);
    const undone = { ...given, undone: new Set(['a']) };
    expect(steps(plan(undone, LATE))).toEqual(['give_up a paused_outside', 'pause a']);
  });

  test('a pause that may have come late is none of a hand’s, however long nobody could look', () => {
    const hold = { ...watched, latePauseUntil: LATE, lateResumeUntil: null };
    const later = LATE + 10 * LATE_SIGHT_MS;
    expect(planned({ live: 'PAUSED', hold }, later, OVER)).toEqual(['resume a']);
    expect(planned({ live: 'PAUSED', setting: 'OFF', hold }, later, OVER)).toEqual([
      'confirm_paused a',
      'let_go a smartpause_off',
    ]);
  });

  test('[ENG-14] the log tells of their pause while a resume of ours may still arrive: it is waited for', () => {
    const suspicion = { status: 'PAUSED', since: START - SECOND_SIGHT_MS } as const;
    const hold = { state: 'resuming', inDoubt: true, sentAt: START - 20_000, suspicion } as const;
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'PAUSED', hold }] });
    const theirs = { ...given, changedByOthers: new Set(['a']) };
    expect(steps(plan(theirs, now))).toEqual(['give_up a paused_outside']);
    expect(plan(theirs, now).lookAt).toBe(START - 20_000 + LATE_WRITE_MS);
    // It may have run in between.
    expect(plan(theirs, now).changes).toMatchObject([{ step: { unsettled: 'resuming' } }]);
  });

  test('[ENG-11] given up and found running, it is theirs unless the log tells that we have undone their pause', () => {
    const hold = { givenUp: 'paused_outside', sentAt: null, resumedAt: now, lateResumeUntil: LATE } as const;
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold }] });
    expect(plan(given, now)).toEqual({ changes: [], lookAt: LATE });
    expect(steps(plan(given, LATE))).toEqual(['let_go a paused_outside']);
    expect(disputable(plan(given, LATE))).toHaveLength(1);
    expect(steps(plan({ ...given, undone: new Set(['a']) }, LATE))).toEqual(['pause a']);
  });

  test('given up, it is the hand’s to be paused', () => {
    const given = afterStep(
      holdOn('a', watched),
      { kind: 'give_up', reason: 'paused_outside', hand: 'PAUSED', unsettled: null },
      now,
    );
    const expected = { state: 'paused', givenUp: 'paused_outside', inDoubt: false, lateResumeUntil: LATE };
    expect(given).toMatchObject(expected);
    const lost = holdOn('a', { state: 'resuming', inDoubt: true, sentAt: START });
    expect(
      afterStep(lost, { kind: 'give_up', reason: 'paused_outside', hand: 'PAUSED', unsettled: null }, now),
    ).toMatchObject({
      ...expected,
      lateResumeUntil: START + LATE_WRITE_MS,
      resumedAt: now,
    });
  });
});

describe('a hand has resumed the campaign, and a pause of ours may still arrive', () => {
  const hold = {
    state: 'resuming',
    givenUp: 'smartpause_off',
    resumedAt: START - 1000,
    sentAt: null,
    latePauseUntil: START + 5000,
  } as const;

  test.each(['ON', 'OFF'] as const)(
    'as long as it does not, nothing is done (SmartPause is %s)',
    (setting) => {
      const line = { live: 'ACTIVE', setting, hold } as const;
      expect(planned(line, now, OVER)).toEqual([]);
      expect(planned(line, START + 5000, OVER)).toEqual(['let_go a smartpause_off']);
    },
  );

  test.each(['ON', 'OFF'] as const)(
    '[ENG-14] when it does, it is taken back (SmartPause is %s)',
    (setting) => {
      const line = { live: 'PAUSED', setting, hold } as const;
      expect(planned(line, now, OVER)).toEqual(['resume a']);
      expect(planned(line, START + 5000 + 10 * LATE_SIGHT_MS, OVER)).toEqual(['resume a']);
    },
  );

  test('[ENG-14] it is tried until it is done, however long that takes', () => {
    const begun = { ...hold, sentAt: now - 600_000, latePauseUntil: now - 900_000 };
    expect(planned({ live: 'PAUSED', setting: 'OFF', hold: begun })).toEqual(['resume a']);
    expect(planned({ live: 'PAUSED', setting: 'OFF', hold: { ...begun, retryAt: now + 1 } })).toEqual([]);
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold: begun })).toEqual(['confirm_resumed a']);
  });

  test('done, it is watched as before while another one may arrive, and then it is over', () => {
    const sent = holdOn('a', { ...hold, sentAt: now, inDoubt: true });
    const expected = { state: 'resuming', givenUp: 'smartpause_off', sentAt: null, inDoubt: false };
    expect(afterWriteDone(sent, now)).toMatchObject(expected);
    expect(afterStep(sent, { kind: 'confirm_resumed' }, now)).toMatchObject(expected);
    expect(afterWriteDone(sent, START + 5000)).toBeNull();
    const paused = {
      ...sent,
      state: 'pausing',
      givenUp: 'manual_pause',
      lateResumeUntil: START + 5000,
    } as const;
    expect(afterWriteDone(paused, now)).toMatchObject({ state: 'paused', sentAt: null, inDoubt: false });
    expect(afterStep(paused, { kind: 'confirm_paused' }, START + 5000)).toBeNull();
  });

  test('[ENG-14] nobody saw their resume, and the log tells that we have undone it: it is taken back', () => {
    const held = { latePauseUntil: START - 1 };
    const given = world({
      status: HIGH,
      campaigns: [{ id: 'a', live: 'PAUSED', setting: 'OFF', hold: held }],
    });
    expect(steps(plan(given, now))).toEqual(['let_go a smartpause_off']);
    expect(disputable(plan(given, now))).toHaveLength(1);
    const undone = { ...given, undone: new Set(['a']) };
    expect(steps(plan(undone, now))).toEqual(['give_up a smartpause_off', 'resume a']);
  });

  test('turned on again while the threshold is met, it is held anew', () => {
    expect(planned({ live: 'ACTIVE', hold })).toEqual(['let_go a smartpause_off', 'pause a']);
    expect(planned({ live: 'PAUSED', hold })).toEqual(['resume a']);
    expect(planned({ live: 'ACTIVE', setting: 'OFF', hold })).toEqual([]);
    expect(planned({ live: 'ACTIVE', hold }, now, statusAfter('HIGH_DISRUPTION', 'UNKNOWN'))).toEqual([]);
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
