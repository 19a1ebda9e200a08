import { expect, test } from 'vitest';
import { WorkBudget } from './work-budget.ts';

/** Starts all pieces of work at once; returns how many were done in each iteration of the event loop. */
async function tasksOf(pieces: number, msEach: number): Promise<number[]> {
  let nowMs = 0;
  let done = 0;
  const budget = new WorkBudget(() => nowMs);
  const task: number[] = [];
  const look = (): void => {
    task.push(done);
    done = 0;
    if (task.reduce((sum, one) => sum + one, 0) < pieces) setImmediate(look);
  };
  setImmediate(look);
  const work = async (): Promise<void> => {
    if (budget.isSpent()) await budget.renewed();
    nowMs += msEach;
    done += 1;
  };
  await Promise.all(Array.from({ length: pieces }, work));
  await new Promise((resolve) => setImmediate(resolve));
  return task.filter((count) => count > 0);
}

test('simultaneous work is split into iterations of 8 ms', async () => {
  expect(await tasksOf(10, 3)).toEqual([3, 3, 3, 1]);
});

test('a longer piece of work runs alone in its iteration', async () => {
  expect(await tasksOf(3, 50)).toEqual([1, 1, 1]);
});

test('short work is done in one iteration', async () => {
  expect(await tasksOf(5, 1)).toEqual([5]);
});
