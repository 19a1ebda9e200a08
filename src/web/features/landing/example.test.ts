import { expect, test } from 'vitest';
import { hours } from '#core/time.ts';
import { amountsOf } from '../../components/spend-copy.ts';
import { exampleOfKept } from './example.ts';

test('[SPEND-03] the example of the landing page is estimated as for every user', () => {
  const { estimate, spent } = exampleOfKept();
  expect(estimate.inputs).toMatchObject({ basis: 'hours', campaigns: 1, waste: { isMeasured: false } });
  const { notSpent, later, kept } = estimate;
  // It spends up to $160 an hour in the evening, and Meta catches up on two fifths.
  expect(notSpent?.likely).toBeGreaterThan(25_000);
  expect(notSpent?.likely).toBeLessThan(35_000);
  expect((later?.likely ?? NaN) / (notSpent?.likely ?? NaN)).toBeCloseTo(0.4, 1);
  expect((kept?.likely ?? NaN) + (later?.likely ?? NaN)).toBeCloseTo(notSpent?.likely ?? NaN, -3);
  expect(amountsOf(estimate).map(({ label, span }) => [label, span !== null])).toEqual([
    ['Not spent while paused', true],
    ['Spent later the same day', true],
    ['Kept', true],
    ['Protected from waste', true],
  ]);
  expect(spent).toHaveLength(12);
  expect(new Date(spent[0]?.from ?? 0).toISOString()).toBe('2026-01-08T17:00:00.000Z');
  expect(spent[10]?.spend).toBe(0);
  expect(spent[11]?.to).toBe((spent[0]?.from ?? 0) + hours(12));
});
