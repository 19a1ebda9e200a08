import { expect, test, vi } from 'vitest';
import { KeyedLimit } from './keyed-limit.ts';

const refused = (): string => 'refused';

function heldWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn(() => promise);
  return { work, end: () => resolve('done') };
}

test('each key has its own limit, and work beyond it waits', async () => {
  const limit = new KeyedLimit({ concurrency: 1 });
  const [first, second, other] = [heldWork(), heldWork(), heldWork()];
  const runs = [
    limit.run('a', first.work, refused),
    limit.run('a', second.work, refused),
    limit.run('b', other.work, refused),
  ];
  expect([first, second, other].map(({ work }) => work.mock.calls.length)).toEqual([1, 0, 1]);
  first.end();
  await vi.waitFor(() => expect(second.work).toHaveBeenCalledTimes(1));
  second.end();
  other.end();
  expect(await Promise.all(runs)).toEqual(['done', 'done', 'done']);
});

test('work that too many wait before, or that waits too long, does not begin', async () => {
  const limit = new KeyedLimit({ concurrency: 1, maxWaiting: 1, maxWaitMs: 1 });
  const [first, waits, tooMany] = [heldWork(), heldWork(), heldWork()];
  const running = limit.run('a', first.work, refused);
  const waiting = limit.run('a', waits.work, refused);
  expect(await limit.run('a', tooMany.work, refused)).toBe('refused');
  expect(await waiting).toBe('refused');
  first.end();
  expect(await running).toBe('done');
  expect([waits, tooMany].map(({ work }) => work.mock.calls.length)).toEqual([0, 0]);
  const next = heldWork();
  next.end();
  expect(await limit.run('a', next.work, refused)).toBe('done');
});

test('a failure is passed on and frees its place', async () => {
  const limit = new KeyedLimit({ concurrency: 1 });
  await expect(limit.run('a', () => Promise.reject(new Error('no')), refused)).rejects.toThrow('no');
  expect(await limit.run('a', () => Promise.resolve('done'), refused)).toBe('done');
});
