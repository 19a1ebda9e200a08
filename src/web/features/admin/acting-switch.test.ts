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

test('[EARLY-03] before it stops, an admin reads that warnings end at once', () => {
  const { sentences } = questionOf({ ...found, actingSince: '2026-01-09T02:30:00Z' });
  expect(sentences.join(' ')).toMatch(/ends at once\. What it paused resumes by each user’s settings/);
});
