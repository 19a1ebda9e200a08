import { describe, expect, test } from 'vitest';
import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { byToggleResult } from './targets.ts';
import {
  consequenceWords,
  endedWords,
  leftWords,
  namesWords,
  notAllowedWords,
  outcomeWords,
} from './words.ts';

const account = { id: 'act_1', name: 'Lind Outdoor', currency: 'USD' };
const person: UserStatus = {
  resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  outageThreshold: 'MEDIUM',
  email: null,
  resumeAt: null,
};

function campaign(name: string, given: Partial<Campaign> = {}): Campaign {
  const usual = { id: name, objective: '', dailyBudget: null, held: false, status: 'ACTIVE' } as const;
  return { ...usual, name, smartPauseSetting: 'OFF', ...given };
}

test('campaigns are grouped by what turning SmartPause on or off does to each', () => {
  const all = [
    campaign('on', { smartPauseSetting: 'ON' }),
    campaign('off'),
    campaign('disabled', { smartPauseSetting: 'DEACTIVATED' }),
    campaign('legacy', { isLegacyAdvantage: true }),
    campaign('legacy and on', { isLegacyAdvantage: true, smartPauseSetting: 'ON', held: true }),
    campaign('archived', { status: 'ARCHIVED' }),
    campaign('archived and on', { status: 'ARCHIVED', smartPauseSetting: 'ON' }),
    campaign('archived legacy', { status: 'ARCHIVED', isLegacyAdvantage: true }),
  ];
  const namesOf = (enabled: boolean) =>
    Object.fromEntries(
      Object.entries(byToggleResult(all, enabled)).map(([result, group]) => [
        result,
        group.map(({ name }) => name),
      ]),
    );
  expect(namesOf(true)).toEqual({
    change: ['off', 'disabled'],
    unchanged: ['on', 'legacy and on', 'archived and on'],
    ended: ['archived'],
    not_allowed: ['legacy', 'archived legacy'],
  });
  expect(namesOf(false)).toEqual({
    change: ['on', 'legacy and on', 'archived and on'],
    unchanged: ['off', 'disabled', 'legacy', 'archived', 'archived legacy'],
    ended: [],
    not_allowed: [],
  });
  expect([endedWords(1), endedWords(2)]).toEqual([
    '1 archived campaign is skipped.',
    '2 archived campaigns are skipped.',
  ]);
});

test.each([
  [1, '1 more is skipped. '],
  [2, '2 more are skipped. '],
])('%d that Meta allows no changes to: the reason is said', (count, words) => {
  const reason = 'Meta no longer allows changes to this campaign type through its API.';
  expect(notAllowedWords(count)).toBe(words + reason);
});

test.each([
  [1, 'c1'],
  [2, 'c1 and c2'],
  [4, 'c1, c2, c3 and c4'],
  [5, 'c1, c2, c3 and 2 more'],
  [5000, 'c1, c2, c3 and 4,997 more'],
])('%d campaigns are named', (count, words) => {
  expect(namesWords(Array.from({ length: count }, (_, index) => ({ name: `c${index + 1}` })))).toBe(words);
});

describe('what it brings about', () => {
  const targets = [campaign('a'), campaign('b', { status: 'PAUSED', held: true }), campaign('c')];

  test('while all is well', () => {
    expect(consequenceWords({ targets, enabled: true, isMatched: false, person }).join(' ')).toMatch(
      /When a disruption meets your threshold.*resumed when it is over: 5 minutes later\./,
    );
  });

  test('during a disruption that meets the threshold those running are paused at once', () => {
    const words = (given: Campaign[]) =>
      consequenceWords({ targets: given, enabled: true, isMatched: true, person }).join(' ');
    expect(words(targets)).toMatch(/right now: the 2 of them that are running are paused at once/);
    expect(words([campaign('a')])).toMatch(/right now: the one of them that is running is paused at once/);
    expect(words([campaign('b', { status: 'PAUSED' })])).toMatch(/None of them is running/);
  });

  test('turning off leaves what is held paused', () => {
    const words = consequenceWords({ targets, enabled: false, isMatched: true, person }).join(' ');
    expect(words).toMatch(/1 of them is held by SmartPause right now\. It stays paused: nothing resumes it/);
  });
});

test('the end says exactly how many, and which not', () => {
  const targets = ['a', 'b', 'c'].map((name) => campaign(name));
  const [first, second] = targets;
  const whole = { account, enabled: true, targets, already: 0 } as const;
  const run = { ...whole, state: 'ended', obstacle: null } as const;
  expect(outcomeWords({ ...run, done: 3, failed: [], left: [] })).toBe(
    'SmartPause turned on for 3 campaigns.',
  );
  const failed = first === undefined ? [] : [{ target: first, reason: 'no' }];
  const partly = { ...run, done: 1, failed, left: [first, second].filter((one) => one !== undefined) };
  expect(outcomeWords(partly)).toBe('SmartPause turned on for 1 of 3 campaigns.');
  expect(leftWords(partly)).toBe('1 failed: a. 1 was left as it is.');
  expect(leftWords({ ...run, already: 2, done: 1, failed: [], left: [] })).toBe('2 were on already.');
});
