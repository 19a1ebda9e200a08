import { describe, expect, test } from 'vitest';
import { shrink } from '../simulation/shrink.ts';
import type { Report, Task } from '../simulation/worker.ts';

/** A world that fails when all these moments are present, with one of two violations. */
function worldBrokenBy(culprits: number[], others: number[] = []) {
  return ({ seed, only }: Task): Promise<Report> => {
    const has = (some: number[]): boolean =>
      some.length > 0 && some.every((one) => only === null || only.includes(one));
    const violations = has(culprits)
      ? ['2026-01-01T00:00:00.000Z campaign 9000001 was resumed']
      : has(others)
        ? ['2026-01-01T00:00:00.000Z hold 3 never ends']
        : [];
    const rest = { steps: 1, statements: 1, virtualMs: 1, digest: '', facts: {}, trace: [] };
    return Promise.resolve({ seed, only, events: 40, violations, ...rest });
  };
}

describe('the shortest history', () => {
  test.each([[[0]], [[39]], [[3, 31]], [[5, 6, 20, 38]]])('of %j is exactly that', async (culprits) => {
    const play = worldBrokenBy(culprits);
    const shortest = await shrink(play, await play({ seed: '1', only: null }));
    expect(shortest.only).toEqual(culprits);
  });

  test('fails in the same way', async () => {
    const play = worldBrokenBy([3, 31], [7]);
    const shortest = await shrink(play, await play({ seed: '1', only: null }));
    expect(shortest.only).toEqual([3, 31]);
  });

  test('is the whole history when every moment matters', async () => {
    const all = Array.from({ length: 40 }, (_none, index) => index);
    const play = worldBrokenBy(all);
    const whole = await play({ seed: '1', only: null });
    expect(await shrink(play, whole)).toEqual(whole);
  });
});
