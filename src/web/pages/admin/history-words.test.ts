import { expect, test } from 'vitest';
import { answerTimes, readingWords, saidWords } from './history-words.ts';

const NOW = Date.parse('2026-01-09T02:47:00Z');
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const answer = {
  id: '1',
  firstAt: at(30),
  lastAt: at(10),
  times: 120,
  level: 'UP',
  message: '',
  services: [],
  trouble: null,
  tookMs: 12,
  longestMs: 900,
} as const;

test.each([
  [['No known issues'], 'UP', null, '“No known issues”'],
  [['Wobbly', 'outage: Wobbly'], null, null, '“Wobbly”, outage: “Wobbly”, not understood'],
  [[], null, null, 'not on the page'],
  [[], null, 'HTTP 503', 'not read'],
] as const)('%j as %s, with the trouble %s: %s', (said, level, trouble, words) => {
  expect(saidWords({ service: 'Ads Delivery', level, said: [...said] }, { trouble })).toBe(words);
});

test('since when, for how long, and how often', () => {
  const mutable = { ...answer, services: [] };
  expect(answerTimes(mutable, true, NOW)).toBe('Since 9:17 PM EST');
  expect(answerTimes(mutable, false, NOW)).toBe('9:17 PM EST, for 20 min');
  expect(answerTimes({ ...mutable, times: 1 }, true, NOW)).toBe('9:17 PM EST, 30 minutes ago');
  expect(readingWords(mutable)).toBe('120 readings, the last in 12 ms, 900 ms at most');
  expect(readingWords({ ...mutable, times: 1 })).toBe('1 reading, 12 ms');
});
