import { expect, test } from 'vitest';
import { withPlayer } from '../histories.ts';

test('a simulated history is identical when it is played again', async () => {
  const task = { seed: '3', only: null };
  const [first, again] = await withPlayer(
    { kind: 'simulation', mutant: null },
    async (play) => [await play(task), await play(task)] as const,
  );
  expect(first.violations).toEqual([]);
  expect(first.facts['writes']).toBeGreaterThan(0);
  expect(again.trace).toEqual(first.trace);
});
