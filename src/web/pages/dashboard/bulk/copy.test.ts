import { describe, expect, test } from 'vitest';
import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { namesLabel } from '#core/labels.ts';
import type { BulkAction } from './actions.ts';
import type { BulkRun } from './state.ts';
import type { Effect } from './targets.ts';
import { byEffect } from './targets.ts';
import { ACTION_COPY, consequenceCopy, leftCopy, outcomeLabel, pausingCopy, skippedCopy } from './copy.ts';

const ENDED = { why: 'ended', at: '2026-03-16T23:30:00.000Z' } as const;
const SCHEDULED = { why: 'scheduled', at: '2026-03-16T23:30:00.000Z' } as const;

const account = { id: 'act_1', name: 'Lind Outdoor', currency: 'USD' };
const user: UserStatus = {
  resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  outageThreshold: 'MEDIUM',
  email: null,
  resumeAt: null,
};

function campaign(name: string, given: Partial<Campaign> = {}): Campaign {
  const usual = { id: name, objective: '', dailyBudget: null, held: false, status: 'ACTIVE' } as const;
  return { ...usual, name, smartPauseSetting: 'OFF', ...given };
}

describe('campaigns by what an action does to them', () => {
  const namesOf = (all: Campaign[], action: BulkAction) =>
    Object.fromEntries(
      Object.entries(byEffect(all, action)).map(([effect, group]) => [effect, group.map(({ name }) => name)]),
    );

  test('SmartPause on and off', () => {
    const all = [
      campaign('on', { smartPauseSetting: 'ON' }),
      campaign('off'),
      campaign('disabled', { smartPauseSetting: 'DEACTIVATED' }),
      campaign('legacy', { isLegacyAdvantage: true }),
      campaign('legacy and on', { isLegacyAdvantage: true, smartPauseSetting: 'ON', held: true }),
      campaign('archived', { status: 'ARCHIVED' }),
      campaign('archived and on', { status: 'ARCHIVED', smartPauseSetting: 'ON' }),
      campaign('ended', { undelivered: ENDED }),
      campaign('scheduled', { undelivered: SCHEDULED }),
      campaign('archived legacy', { status: 'ARCHIVED', isLegacyAdvantage: true }),
    ];
    expect(namesOf(all, 'on')).toEqual({
      change: ['off', 'disabled', 'scheduled'],
      unchanged: ['on', 'legacy and on', 'archived and on'],
      smartpause_on: [],
      ended: ['archived', 'ended'],
      not_allowed: ['legacy', 'archived legacy'],
    });
    expect(namesOf(all, 'off')).toEqual({
      change: ['on', 'legacy and on', 'archived and on'],
      unchanged: ['off', 'disabled', 'legacy', 'archived', 'ended', 'scheduled', 'archived legacy'],
      ...{ smartpause_on: [], ended: [], not_allowed: [] },
    });
  });

  test('[DASH-13] manual pause and resume need SmartPause off', () => {
    const all = [
      campaign('running'),
      campaign('disabled', { smartPauseSetting: 'DEACTIVATED' }),
      campaign('paused', { status: 'PAUSED' }),
      campaign('protected', { smartPauseSetting: 'ON' }),
      campaign('held', { status: 'PAUSED', smartPauseSetting: 'ON', held: true }),
      campaign('legacy', { isLegacyAdvantage: true }),
      campaign('paused legacy', { status: 'PAUSED', isLegacyAdvantage: true }),
      campaign('archived', { status: 'ARCHIVED' }),
      campaign('other', { status: 'IN_PROCESS' }),
      campaign('ended', { undelivered: ENDED }),
      campaign('ended and paused', { status: 'PAUSED', undelivered: ENDED }),
      campaign('scheduled', { undelivered: SCHEDULED }),
    ];
    expect(namesOf(all, 'pause')).toEqual({
      change: ['running', 'disabled', 'scheduled'],
      unchanged: ['paused', 'held', 'paused legacy', 'ended and paused'],
      smartpause_on: ['protected'],
      ended: ['archived', 'other', 'ended'],
      not_allowed: ['legacy'],
    });
    expect(namesOf(all, 'resume')).toEqual({
      change: ['paused'],
      unchanged: ['running', 'disabled', 'protected', 'legacy', 'ended', 'scheduled'],
      smartpause_on: ['held'],
      ended: ['archived', 'other', 'ended and paused'],
      not_allowed: ['paused legacy'],
    });
  });
});

test('the confirmation says how many selected campaigns are skipped, and why', () => {
  const none = { unchanged: 0, smartpause_on: 0, not_allowed: 0, ended: 0 };
  const skipped = (action: BulkAction, given: Partial<Record<Effect, number>>) =>
    skippedCopy(action, { ...none, ...given });
  const reason = 'Meta no longer allows changes to this campaign type through its API.';
  expect(skipped('on', {})).toEqual([]);
  expect(skipped('on', { unchanged: 1, ended: 1, not_allowed: 1 })).toEqual([
    '1 more is selected, where SmartPause is on already.',
    `1 more is skipped. ${reason}`,
    '1 more is skipped: it has ended or was archived.',
  ]);
  expect(skipped('off', { unchanged: 2 })).toEqual(['2 more are selected, where SmartPause is off already.']);
  expect(skipped('on', { ended: 2 })).toEqual(['2 more are skipped: they have ended or were archived.']);
  expect(skipped('pause', { unchanged: 1, smartpause_on: 2, not_allowed: 2, ended: 1 })).toEqual([
    '1 more is paused already.',
    '2 more are skipped, because SmartPause is on. Turn it off to pause them manually.',
    `2 more are skipped. ${reason}`,
    '1 more is skipped: it has ended or was archived.',
  ]);
  expect(skipped('resume', { unchanged: 2, smartpause_on: 1 })).toEqual([
    '2 more are active already.',
    '1 more is skipped, because SmartPause is on. Turn it off to resume it manually.',
  ]);
});

test('the question and its button name the action and the number', () => {
  const { ask, confirm } = ACTION_COPY.pause;
  expect([ask('3 campaigns'), confirm('3 campaigns')]).toEqual(['Pause 3 campaigns?', 'Pause 3 campaigns']);
  expect(ACTION_COPY.off.ask('1 campaign')).toBe('Turn SmartPause off for 1 campaign?');
});

test.each([
  [1, 'c1'],
  [2, 'c1 and c2'],
  [4, 'c1, c2, c3 and c4'],
  [5, 'c1, c2, c3 and 2 more'],
  [5000, 'c1, c2, c3 and 4,997 more'],
])('%d campaigns are named', (count, words) => {
  expect(namesLabel(Array.from({ length: count }, (_, index) => ({ name: `c${index + 1}` })))).toBe(words);
});

describe('the effect of the change', () => {
  const targets = [campaign('a'), campaign('b', { status: 'PAUSED', held: true }), campaign('c')];

  test('while the level is UP', () => {
    expect(
      consequenceCopy({ targets, action: 'on', delay: null, isMatched: false, held: 1, user }).join(' '),
    ).toMatch(/When a disruption meets your threshold.*When it ends, they are resumed 5 minutes later\./);
  });

  test('on during a disruption that meets the threshold pauses running campaigns immediately', () => {
    const words = (given: Campaign[]) =>
      consequenceCopy({ targets: given, action: 'on', delay: null, isMatched: true, held: 0, user }).join(
        ' ',
      );
    expect(words(targets)).toMatch(/right now: the 2 running ones are paused immediately/);
    expect(words([campaign('a')])).toMatch(/right now: the running one is paused immediately/);
    expect(words([campaign('b', { status: 'PAUSED' })])).toMatch(/None of them is running/);
  });

  test('[UX-03] off names how many campaigns SmartPause has paused, and asks what becomes of them', () => {
    const words = (held: number, delay: string | null = null) =>
      consequenceCopy({ targets, action: 'off', delay, isMatched: true, held, user }).join(' ');
    expect(words(0)).not.toMatch(/paused by SmartPause/);
    expect(words(1)).toMatch(
      /1 of them is paused by SmartPause right now\. Resume it now, or keep it paused/,
    );
    expect(words(2)).toMatch(/2 of them are paused by SmartPause right now\. Resume them now, or keep them/);
    expect(words(1, 'Meta isn’t responding.')).toMatch(
      /right now\. Meta isn’t responding\. With SmartPause off, it stays paused until you resume it\.$/,
    );
  });

  test('a manual pause is not undone by SmartPause; a manual resume during a match is not protected', () => {
    const usual = { targets: [campaign('a')], held: 0, delay: null, user };
    const words = (action: BulkAction, isMatched: boolean) =>
      consequenceCopy({ ...usual, action, isMatched });
    expect(words('pause', true)).toEqual(['It stays paused until you resume it.']);
    expect(words('resume', false)).toEqual([]);
    expect(words('resume', true)).toEqual([
      'Meta’s status meets your threshold right now, and SmartPause is off for it.',
    ]);
  });
});

describe('the result', () => {
  const targets = ['a', 'b', 'c'].map((name) => campaign(name));
  const [a = campaign('a'), b = campaign('b')] = targets;
  const failure = (target: Campaign, reason = 'It is busy.') => ({ target, reason });
  const run = (given: Partial<BulkRun>): BulkRun => ({
    ...{ account, action: 'on', isUndo: false, targets, resume: new Set(), already: 0, state: 'ended' },
    ...{ done: 3, changed: targets, failed: [], stillPaused: [], unknown: [], left: [], obstacle: null },
    ...given,
  });

  test('has exact counts, names the failed campaigns and gives the reasons', () => {
    expect(outcomeLabel(run({}))).toBe('SmartPause turned on for 3 campaigns.');
    const partly = run({ done: 1, failed: [failure(a)], left: [a, b] });
    expect(outcomeLabel(partly)).toBe('SmartPause turned on for 1 of 3 campaigns.');
    expect(leftCopy(partly)).toBe('1 failed: a. It is busy. 1 was left as it is.');
    expect(leftCopy(run({ already: 2, done: 1 }))).toBe('2 were on already.');
    expect(leftCopy(run({ done: 0, left: targets, obstacle: 'No access.' }))).toBe(
      '3 were left as they are. No access.',
    );
  });

  test('of a manual action', () => {
    expect(outcomeLabel(run({ action: 'pause' }))).toBe('Paused 3 campaigns.');
    const partly = run({
      action: 'resume',
      done: 1,
      left: [a, b],
      failed: [failure(a), failure(b, 'Gone.')],
    });
    expect(outcomeLabel(partly)).toBe('Resumed 1 of 3 campaigns.');
    expect(leftCopy(partly)).toBe('1 failed: a. It is busy. 1 failed: b. Gone.');
    expect(leftCopy(run({ action: 'pause', already: 1 }))).toBe('1 was paused already.');
  });

  test('names the most frequent reasons only', () => {
    const failed = ['x', 'y', 'y', 'z', 'w'].map((reason, at) => failure(campaign(`c${at}`), `${reason}!`));
    const left = failed.map(({ target }) => target);
    expect(leftCopy(run({ failed, left }))).toBe(
      '2 failed: c1 and c2. y! 1 failed: c0. x! 2 failed: c3 and c4.',
    );
  });

  test('[UX-03] of Resume now names those that were not resumed, and those whose state is unknown', () => {
    const held = (name: string) => ({ accountId: account.id, id: name, name });
    const off = run({
      action: 'off',
      stillPaused: [{ target: held('a'), reason: 'It is busy.' }],
      unknown: [{ target: held('b'), reason: 'Lost.' }],
    });
    expect(leftCopy(off)).toBe(
      '1 not resumed: a. SmartPause is off for it now, so it stays paused until you resume it. It is busy. No clear response about b: check the list. Lost.',
    );
  });
});

test.each<[string, BulkAction, number, boolean]>([
  ['SmartPause pauses the 2 that were running.', 'on', 2, true],
  ['SmartPause pauses the one that was running.', 'on', 1, true],
  ['', 'on', 0, true],
  ['', 'on', 2, false],
  ['', 'off', 2, true],
])('[UX-01] after a change the report says what is paused: "%s"', (said, action, running, isMatched) => {
  const changed = Array.from({ length: 3 }, (_, n) =>
    campaign(`${n}`, { status: n < running ? 'ACTIVE' : 'PAUSED' }),
  );
  expect(pausingCopy({ action, changed }, isMatched)).toBe(said);
});
