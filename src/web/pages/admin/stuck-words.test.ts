import { expect, test } from 'vitest';
import type { StuckEntry } from '#contract/admin.ts';
import { RETRIED_PARTS, STUCK_PARTS } from '#contract/failing.ts';
import { cappedCount, isRetried, retriedWords, retryQuestion, stuckFacts, stuckName } from './stuck-words.ts';

const NOW = Date.parse('2026-01-09T02:47:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const entry: StuckEntry = {
  id: '7',
  people: [],
  accountId: 'act_7',
  campaign: { id: '9', name: null },
  kind: 'paused',
  since: at(-10),
  failures: 3,
  lastError: 'transient (2)',
  nextAt: at(4),
  blockedUntil: null,
  silentWorker: null,
};

test.each([
  [0, '0'],
  [10_000, '10,000'],
  [10_001, '10,000+'],
])('%d is told as %s', (count, words) => expect(cappedCount(count)).toBe(words));

test.each([
  [{ count: 2, blocked: 0, blockedUntil: null }, '2 due now.'],
  [{ count: 0, blocked: 0, blockedUntil: null }, 'It is not stuck any more.'],
  [
    { count: 0, blocked: 1, blockedUntil: at(5) },
    'Nothing is due now: 1 ad account left alone for Meta’s limit, the first of them until 9:52 PM EST.',
  ],
  [
    { count: 1200, blocked: 2, blockedUntil: at(5) },
    '1,200 due now. 2 ad accounts left alone for Meta’s limit, the first of them until 9:52 PM EST.',
  ],
])('what came of trying again: %j', (retried, words) => expect(retriedWords(retried, NOW)).toBe(words));

test('since when, how often, and when it comes round by itself, unless Meta’s limit blocks it', () => {
  expect(stuckFacts('accounts_failing', entry, NOW)).toBe(
    'Since 9:37 PM EST · failed 3 times · tried by itself in 4 min',
  );
  expect(stuckFacts('accounts_failing', { ...entry, blockedUntil: at(5) }, NOW)).toBe(
    'Since 9:37 PM EST · failed 3 times · Meta’s limit blocks it until 9:52 PM EST',
  );
});

test.each(STUCK_PARTS)('a thing of %s has a name', (part) => {
  expect(stuckName(part, entry)).toMatch(/^[A-Za-z].*[A-Za-z0-9]$/);
  expect(isRetried(part)).toBe(RETRIED_PARTS.some((one) => one === part));
});

test.each(RETRIED_PARTS)('%s: one and many are said rightly', (part) => {
  expect(retryQuestion(part, 1).title).toMatch(/^Try 1 [a-z ]*[^s] again now\?$/);
  expect(retryQuestion(part, 2).title).toMatch(/^Try 2 [a-z ]*s again now\?$/);
});
