import { expect, test } from 'vitest';
import { Breaks } from './breaks.ts';

/** Pieces of work that come at the same moment; how many of them were done in each round of the event loop. */
async function roundsOf(pieces: number, msEach: number): Promise<number[]> {
  let nowMs = 0;
  let done = 0;
  const breaks = new Breaks(() => nowMs);
  const rounds: number[] = [];
  const look = (): void => {
    rounds.push(done);
    done = 0;
    if (rounds.reduce((sum, one) => sum + one, 0) < pieces) setImmediate(look);
  };
  setImmediate(look);
  const work = async (): Promise<void> => {
    if (breaks.areDue()) await breaks.take();
    nowMs += msEach;
    done += 1;
  };
  await Promise.all(Array.from({ length: pieces }, work));
  await new Promise((resolve) => setImmediate(resolve));
  return rounds.filter((count) => count > 0);
}

test('what comes at the same moment is done in several rounds, 8 ms of it in each', async () => {
  expect(await roundsOf(10, 3)).toEqual([3, 3, 3, 1]);
});

test('what takes longer than that is alone in its round', async () => {
  expect(await roundsOf(3, 50)).toEqual([1, 1, 1]);
});

test('what takes little time is done at once', async () => {
  expect(await roundsOf(5, 1)).toEqual([5]);
});
