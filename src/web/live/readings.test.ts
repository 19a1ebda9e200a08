import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadings } from './readings.ts';

const LIST = ['campaigns', 'act_1'];

let client: QueryClient;
let asked: number[];
let answered: number;
let aborted: number;
let answerAfterMs: number;
let isBusy: boolean;
let readings: ReturnType<typeof createReadings>;
let stopShowing: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  [asked, answered, aborted, answerAfterMs, isBusy, stopShowing] = [[], 0, 0, 100, false, []];
  readings = createReadings(client, { isBusy: () => isBusy });
});
afterEach(() => {
  for (const stop of stopShowing) stop();
  client.clear();
  vi.useRealTimers();
});

function show(queryKey: readonly string[] = LIST): void {
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async ({ signal }) => {
      asked.push(performance.now());
      signal.addEventListener('abort', () => (aborted += 1));
      await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
      answered += 1;
      return answered;
    },
  });
  stopShowing.push(observer.subscribe(() => undefined));
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Shown and read for the first time, and then left alone for a while. */
async function shown(): Promise<void> {
  show();
  await pass(10_000);
  asked.length = 0;
}

test('the first change is read soon, the next ones of the same once in a while, and the last one for certain', async () => {
  await shown();
  const at = performance.now();
  for (let i = 0; i < 100; i += 1) {
    readings.readSoon(LIST, 80);
    await pass(50);
  }
  await pass(5000);
  const gaps = asked.map((one, index) => one - (asked[index - 1] ?? at));
  expect(gaps[0]).toBe(80);
  expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(1500);
  expect(asked).toHaveLength(5);
  expect(asked.at(-1)).toBeGreaterThanOrEqual(at + 99 * 50);
});

test('slow answers are waited for, never cancelled, and leave the server two thirds of the time', async () => {
  await shown();
  answerAfterMs = 4000;
  for (let i = 0; i < 400; i += 1) {
    readings.readSoon(LIST, 80);
    await pass(100);
  }
  await pass(30_000);
  const gaps = asked.slice(1).map((one, index) => one - (asked[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12_000);
  expect([asked.length, aborted]).toEqual([5, 0]);
});

test('a change that is heard of while the first answer is under way is read after it', async () => {
  answerAfterMs = 500;
  show();
  await pass(100);
  readings.readSoon(LIST, 80);
  await pass(300);
  expect(asked).toHaveLength(1);
  await pass(5000);
  expect([asked.length, answered, aborted]).toEqual([2, 2, 0]);
});

test('what was read meanwhile by itself is not read again', async () => {
  await shown();
  readings.readSoon(LIST, 1000);
  await pass(200);
  void client.invalidateQueries({ queryKey: LIST });
  await pass(5000);
  expect(asked).toHaveLength(1);
  readings.readSoon(LIST, 1000);
  await pass(10);
  readings.readSoon(LIST, 80);
  await pass(100);
  expect(asked).toHaveLength(2);
});

test('a reading that somebody cancels is made up for', async () => {
  await shown();
  readings.readSoon(LIST, 80);
  await pass(100);
  await client.cancelQueries({ queryKey: LIST });
  await pass(5000);
  expect([asked.length, aborted]).toEqual([2, 1]);
});

test('what is being changed in bulk is read at its end, and all else goes on', async () => {
  await shown();
  isBusy = true;
  readings.readSoon(LIST, 80);
  await pass(20_000);
  expect(asked).toHaveLength(0);
  isBusy = false;
  await pass(2000);
  expect(asked).toHaveLength(1);
});

test('what is not shown is read when it is shown again, not before', async () => {
  await shown();
  stopShowing.pop()?.();
  readings.readSoon(LIST, 80);
  await pass(5000);
  expect(asked).toHaveLength(0);
  expect(client.getQueryState(LIST)?.isInvalidated).toBe(true);
});

test('all that is shown is read when anything may have changed, but for what goes at its own pace', async () => {
  await shown();
  show(['status']);
  show(['activation']);
  await pass(10_000);
  asked.length = 0;
  readings.readAll({ withinMs: 4000 });
  await pass(4000);
  expect(asked).toHaveLength(2);
});

test('what the page is just asking for the first time is not asked for twice because its stream has opened', async () => {
  show();
  await pass(10);
  readings.readAll({ isFirst: true });
  await pass(5000);
  expect(asked).toHaveLength(1);
});
