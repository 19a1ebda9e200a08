import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { CallError } from '../../../api/call.ts';
import type { Progress } from './run.ts';
import { SKIPPED, runBulk } from './run.ts';

const refusal = (code: string, status = 409) => new CallError('no', { status, code, reason: `${code}!` });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function run(
  count: number,
  send: (target: number) => Promise<unknown>,
  signal = new AbortController().signal,
) {
  let last: Progress<number> = { done: [], failed: [] };
  const obstacle = await runBulk({
    targets: numbers(count),
    send,
    signal,
    onProgress: (progress) => (last = progress),
  });
  return { ...last, obstacle };
}

test('each target is sent once, and counted as done or failed', async () => {
  const cases = fc.record({ count: fc.nat(60), failing: fc.uniqueArray(fc.nat(60)) });
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, failing }) => {
      const sent: number[] = [];
      const { done, failed, obstacle } = await run(count, async (target) => {
        sent.push(target);
        await Promise.resolve();
        if (failing.includes(target)) throw refusal('CAMPAIGN_NOT_FOUND', 404);
      });
      expect(sent.toSorted((a, b) => a - b)).toEqual(numbers(count));
      expect(done.toSorted((a, b) => a - b)).toEqual(numbers(count).filter((one) => !failing.includes(one)));
      expect(failed).toHaveLength(count - done.length);
      expect(obstacle).toBeNull();
    }),
  );
});

test('at most six are in progress at once', async () => {
  let underWay = 0;
  let most = 0;
  await run(40, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
  });
  expect(most).toBe(6);
});

test.each(['SUBSCRIPTION_REQUIRED', 'NOT_INITIALIZED', 'TOKEN_EXPIRED', 'UNAUTHENTICATED'])(
  'a refusal that applies to all stops it: %s',
  async (code) => {
    const send = vi.fn(async (target: number) => {
      await Promise.resolve();
      if (target >= 10) throw refusal(code);
    });
    const { done, failed, obstacle } = await run(500, send);
    expect(send.mock.calls.length).toBeLessThan(20);
    expect([done.length, failed.length, obstacle]).toEqual([10, 0, `${code}!`]);
  },
);

test('an unreachable server stops it, single failures do not', async () => {
  const away = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const { done, obstacle } = await run(500, away);
  expect(away.mock.calls.length).toBeLessThan(20);
  expect([done.length, obstacle]).toEqual([0, 'SmartPause could not be reached.']);

  const shaky = await run(500, (target) =>
    target % 7 === 0 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(),
  );
  expect([shaky.done.length, shaky.failed.length, shaky.obstacle]).toEqual([428, 72, null]);
});

test.each([
  ['TimeoutError', 'SmartPause took too long to answer.'],
  ['AbortError', 'It was stopped before SmartPause had answered.'],
])('a call that timed out has failed: %s', async (name, reason) => {
  const { done, failed } = await run(2, () => Promise.reject(new DOMException('', name)));
  expect([done, failed]).toEqual([[], [0, 1].map((target) => ({ target, reason }))]);
});

test('a stop starts no new calls, and calls in progress still count', async () => {
  const stop = new AbortController();
  const { done, obstacle } = await run(
    100,
    async (target) => {
      await Promise.resolve();
      if (target === 20) stop.abort();
    },
    stop.signal,
  );
  expect(done.length).toBeGreaterThanOrEqual(21);
  expect(done.length).toBeLessThan(30);
  expect(obstacle).toBeNull();
});

test('a skipped target is neither done nor failed', async () => {
  const { done, failed } = await run(3, (target) => Promise.resolve(target === 1 ? SKIPPED : undefined));
  expect([done, failed]).toEqual([[0, 2], []]);
});
