import { expect, test } from 'vitest';
import { shortFailuresCopy } from './early-warning.tsx';

const none = { count: 0, medianMinutes: 0, longestMinutes: 0 };
const some = { count: 12, medianMinutes: 2, longestMinutes: 6 };

test.each([
  ['none were found among enough calls', none, 5, 'None recorded'],
  ['too few calls were tested', none, 4, 'Not measured: fewer than 5 businesses a minute'],
  ['some were found', some, 64, '12, usually 2 min, longest 6 min'],
  ['some were found in busy minutes', some, 4, '12, usually 2 min, longest 6 min'],
])('[EARLY-07] short failures where %s', (_name, shortFailures, votesAMinute, copy) => {
  expect(shortFailuresCopy(shortFailures, votesAMinute)).toBe(copy);
});
