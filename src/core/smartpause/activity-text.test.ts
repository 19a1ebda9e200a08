import { expect, test } from 'vitest';
import { byHandText, letGoText, pausedText, resumedText } from './activity-text.ts';

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

test.each([
  ['pausing', 'Meta did not say whether our pause before that was carried out.'],
  ['resuming', 'Meta did not say whether our resume before that was carried out.'],
] as const)('a write that nobody will ever know of is told with the end of its hold: %s', (state, doubt) => {
  const left = 'Left "Shoes" alone: it was paused by hand here; it stays paused.';
  expect(letGoText('Shoes', 'manual_pause', null)).toBe(left);
  expect(letGoText('Shoes', 'manual_pause', state)).toBe(`${left} ${doubt}`);
  const act = { did: 'paused', unsettled: state } as const;
  expect(byHandText('Maya', 'Shoes', act)).toBe(`Maya paused "Shoes". ${doubt}`);
});
