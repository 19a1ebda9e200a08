import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Seldom } from './seldom.ts';

let told: [kind: string, count: number][] = [];
let seldom: Seldom;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  seldom = new Seldom(60_000, (kind, count) => void told.push([kind, count]));
});
afterEach(() => void vi.useRealTimers());

const come = (...kinds: string[]) => kinds.map((kind) => seldom.isFirst(kind));

test('the first of each kind is told at once, and after the minute how many followed', () => {
  expect(come('a', 'a', 'b', 'a')).toEqual([true, false, true, false]);
  vi.advanceTimersByTime(59_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([['a', 2]]);
  expect(come('a', 'b')).toEqual([true, true]);
});

test('at the end what was counted is told', () => {
  come('a', 'a');
  seldom.tell();
  vi.advanceTimersByTime(600_000);
  expect(told).toEqual([['a', 1]]);
});

test('kinds without end are one kind from the thousandth on', () => {
  const first = come(...Array.from({ length: 5000 }, (_, index) => String(index)));
  expect(first.filter(Boolean)).toHaveLength(1001);
  seldom.tell();
  expect(told).toEqual([['others', 3999]]);
});
