import { expect, test } from 'vitest';
import { pausedText, resumedText } from './activity-text.ts';

test('an act tells the level, which need not be what Meta says, and the threshold', () => {
  expect(pausedText('Shoes', 'MEDIUM_DISRUPTION', 'LOW')).toBe(
    'Paused "Shoes": medium disruptions, your threshold is low.',
  );
});

test.each([
  ['at the end of an outage', 'UP', false, 'Resumed "Shoes": no disruptions.'],
  ['in the middle of one', 'HIGH_DISRUPTION', true, 'Resumed "Shoes": you are leaving SmartPause.'],
] as const)('a resume %s tells why', (_title, known, isLeaving, expected) => {
  expect(resumedText('Shoes', known, isLeaving)).toBe(expected);
});
