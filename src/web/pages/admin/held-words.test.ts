import { expect, test } from 'vitest';
import { OUTLOOKS } from '#core/smartpause/outlook.ts';
import { outlookWords, whyWords } from './held-words.ts';

const NOW = Date.parse('2026-01-09T02:47:00Z');
const soon = new Date(NOW + 4 * 60_000).toISOString();

test.each([
  ['due', null, 'Due now'],
  ['due', soon, 'Due now; the next try is in 4 min (9:51 PM EST)'],
  ['scheduled', soon, 'Resumes in 4 min (9:51 PM EST)'],
  ['matched', null, 'Not resumed yet: the disruption still meets the threshold'],
  ['limited', soon, 'Due, but Meta’s limit for the ad account is used up; it ends in 4 min (9:51 PM EST)'],
  ['watched', soon, 'Resumed; watched for a write that could still arrive, until 9:51 PM EST at the latest'],
] as const)('%s, %s', (kind, at, words) => {
  expect(outlookWords({ outlook: { kind, at } }, NOW)).toBe(words);
});

test.each(OUTLOOKS)('%s is said with and without a time', (kind) => {
  for (const at of [null, soon]) {
    expect(outlookWords({ outlook: { kind, at } }, NOW)).toMatch(
      /^[A-Z](?!.*(null|undefined|Invalid)).{5,}[^ .]$/,
    );
  }
});

test('why it is held, also where the level was not noted and where nobody pays any more', () => {
  const why = { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' } as const;
  expect(whyWords({ why, isProtected: true })).toBe('High disruption met the threshold Medium.');
  expect(whyWords({ why: { ...why, level: null }, isProtected: false })).toBe(
    'A disruption met the threshold Medium. There is no subscription any more, so nothing new is paused.',
  );
});
