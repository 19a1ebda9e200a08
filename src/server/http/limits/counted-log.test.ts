import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CountedLog } from './counted-log.ts';

let logged: [kind: string, count: number][] = [];
let countedLog: CountedLog;

beforeEach(() => {
  vi.useFakeTimers();
  logged = [];
  countedLog = new CountedLog(60_000, (kind, count) => void logged.push([kind, count]));
});
afterEach(() => void vi.useRealTimers());

const come = (...kinds: string[]) => kinds.map((kind) => countedLog.isFirst(kind));

test('logs the first event of each kind at once, and after a minute the number of repeats', () => {
  expect(come('a', 'a', 'b', 'a')).toEqual([true, false, true, false]);
  vi.advanceTimersByTime(59_999);
  expect(logged).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(logged).toEqual([['a', 2]]);
  expect(come('a', 'b')).toEqual([true, true]);
});

test('a flush reports the counted events', () => {
  come('a', 'a');
  countedLog.tell();
  vi.advanceTimersByTime(600_000);
  expect(logged).toEqual([['a', 1]]);
});

test('merges all kinds beyond the thousandth into one', () => {
  const first = come(...Array.from({ length: 5000 }, (_, index) => String(index)));
  expect(first.filter(Boolean)).toHaveLength(1001);
  countedLog.tell();
  expect(logged).toEqual([['others', 3999]]);
});
