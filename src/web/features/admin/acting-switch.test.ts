import { expect, test } from 'vitest';
import type { EarlyWarning } from '#contract/early-warning.ts';
import { days } from '#core/time.ts';
import { questionOf } from './acting-switch.tsx';

const NOW = Date.parse('2026-01-09T02:30:00Z');
const found: EarlyWarning = {
  ...{ actingSince: null, chosen: { pause: 12, notify: 1 }, delivery: { accounts: 40, compared: 31 } },
  ...{ hasControls: true, canary: null, votesAMinute: 64 },
  shortFailures: { count: 0, medianMinutes: 0, longestMinutes: 0 },
  states: [
    recorded('early_warning', 'SUSPECTED', 1),
    recorded('early_warning', 'PROBABLE', 2),
    recorded('early_warning', 'PROBABLE', 29),
    recorded('calls', 'SUSPECTED', 1),
  ],
};

function recorded(
  source: 'calls' | 'early_warning',
  state: 'SUSPECTED' | 'PROBABLE',
  daysAgo: number,
): EarlyWarning['states'][number] {
  const since = new Date(NOW - days(daysAgo)).toISOString();
  return { source, state, acts: false, since, until: since, evidence: 'Calls to Meta failed.' };
}

test('[EARLY-03] before it acts, an admin reads whom it concerns and what the last 28 days would have been', () => {
  const { sentences, confirm } = questionOf(found, NOW);
  expect(sentences).toEqual([
    '12 users chose to be paused, 1 to be notified only.',
    'The record of 28 days on this page has 1 suspicion and 1 would-be pause.',
    expect.stringMatching(/^From now on/),
  ]);
  expect(confirm).toBe('Let them act');
});

test('[EARLY-03] before it stops, an admin reads that warnings end at once', () => {
  const { sentences } = questionOf({ ...found, actingSince: new Date(NOW).toISOString() }, NOW);
  expect(sentences.join(' ')).toMatch(/ends at once\. What it paused resumes by each user’s settings/);
});
