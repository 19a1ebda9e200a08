import { expect, test } from 'vitest';
import type { EarlyWarning } from '#contract/early-warning.ts';
import { questionOf } from './acting-switch.tsx';

const found: EarlyWarning = {
  ...{ actingSince: null, chosen: { pause: 12, notify: 1 }, delivery: { accounts: 40, compared: 31 } },
  ...{ hasControls: true, canary: null, votesAMinute: 64 },
  shortFailures: { count: 0, medianMinutes: 0, longestMinutes: 0 },
  recorded: { suspicions: 61, pauses: 2 },
  states: [],
};

test('[EARLY-03] before it acts, an admin reads whom it concerns and what the last 28 days would have been', () => {
  const { sentences, confirm } = questionOf(found);
  expect(sentences).toEqual([
    '12 users chose to be paused, 1 to be notified only.',
    'The record of 28 days has 61 suspicions, of which 2 would pause campaigns.',
    expect.stringMatching(/^From now on/),
  ]);
  expect(confirm).toBe('Let them act');
});

test('[EARLY-03] a record without a suspicion says so', () => {
  const { sentences } = questionOf({ ...found, recorded: { suspicions: 0, pauses: 0 } });
  expect(sentences).toContain('The record of 28 days has no suspicion.');
});

test.each([
  ['PROBABLE', 'A warning goes on now: it can pause their campaigns at once.'],
  ['SUSPECTED', 'A warning goes on now: it notifies them at once.'],
] as const)('[EARLY-03] a %s warning that goes on is said before it acts', (state, sentence) => {
  const since = '2026-01-09T02:10:00Z';
  const one = { source: 'early_warning', state, acts: false, since, until: null, evidence: '' } as const;
  const said = (states: EarlyWarning['states']) => questionOf({ ...found, states }).sentences;
  expect(said([one]).at(-1)).toBe(sentence);
  for (const other of [
    { ...one, until: since },
    { ...one, source: 'calls' as const },
  ])
    expect(said([other]).join(' ')).not.toContain('goes on');
});

test('[EARLY-03] before it stops, an admin reads that warnings end at once', () => {
  const { sentences } = questionOf({ ...found, actingSince: '2026-01-09T02:30:00Z' });
  expect(sentences.join(' ')).toMatch(/ends at once\. What it paused resumes by each user’s settings/);
});
