import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unreadable } from '#core/platform.ts';
import type { PlatformResult } from '../platform.ts';
import type { GraphClient } from './client.ts';
import { interpretJson } from './client.ts';
import { CircuitBreaker, LONGEST_PROBE_MS } from './circuit-breaker.ts';

const FINE: PlatformResult<unknown> = { ok: true, value: { data: [] } };
const HTML: PlatformResult<unknown> = { ok: false, failure: unreadable('HTTP 503 without JSON', true) };
const UNREACHABLE: PlatformResult<unknown> = { ok: false, failure: unreadable('ECONNREFUSED', false) };
const error = (code: number) => interpretJson({ error: { message: 'no', code } }, 400);

let answer: PlatformResult<unknown>;
let asked: number;
let now: number;
let graph: GraphClient;
let breaker: CircuitBreaker;
let changes: (string | null)[];

beforeEach(() => {
  answer = FINE;
  asked = 0;
  now = 1_790_000_000_000;
  changes = [];
  breaker = new CircuitBreaker(
    () => now,
    (lastError) => void changes.push(lastError),
  );
  const call = () => {
    asked += 1;
    return Promise.resolve({ ...answer, headers: {} });
  };
  graph = breaker.guard({ now: () => now, aheadMs: () => 0, call });
});
afterEach(() => void vi.restoreAllMocks());

const ask = (token: string) => graph.call({ method: 'GET', path: 'me', token });
const askMany = async (times: number) => {
  for (let n = 0; n < times; n += 1) await ask(`token ${n % 3}`);
};

test.each([
  ['HTML with 503', HTML, 'HTTP 503 without JSON'],
  ['an unknown error', error(1), 'transient (1)'],
])(
  '%s for several tokens opens it: no call is sent, and each one says when to retry',
  async (_, broken, lastError) => {
    answer = broken;
    await askMany(5);
    expect([breaker.isOpen(), asked, changes]).toEqual([true, 5, [lastError]]);
    const refused = await ask('token 1');
    expect(refused).toMatchObject({
      ok: false,
      failure: { kind: 'transient', maybeDone: false, nextProbeInMs: breaker.msUntilNextCall() },
    });
    expect(asked).toBe(5);
  },
);

test('a refusal does not open it, for any number of tokens', async () => {
  answer = error(190);
  await askMany(20);
  expect([breaker.isOpen(), asked]).toEqual([false, 20]);
});

test('failures of a second token, or an answer in between, decide', async () => {
  for (const token of ['one', 'two']) {
    answer = error(2);
    for (let n = 0; n < 9; n += 1) await ask(token);
    expect(breaker.isOpen()).toBe(false);
    answer = FINE;
    await ask('one');
  }
  answer = error(2);
  for (const token of ['one', 'two', 'two', 'two', 'two']) {
    expect(breaker.isOpen()).toBe(false);
    await ask(token);
  }
  expect(breaker.isOpen()).toBe(true);
});

test('a failure that does not count does not end the failures in a row either', async () => {
  answer = error(2);
  const tryOnce = () =>
    graph.call({ method: 'GET', path: 'me', token: 'one', countsForBreaker: () => false });
  await askMany(4);
  for (let n = 0; n < 9; n += 1) await tryOnce();
  expect(breaker.isOpen()).toBe(false);
  await ask('one');
  expect(breaker.isOpen()).toBe(true);
});

test('an unreachable platform opens it, even with a single token', async () => {
  answer = UNREACHABLE;
  for (let n = 0; n < 5; n += 1) await ask('always the same');
  expect(breaker.isOpen()).toBe(true);
});

test('probes are sent one at a time, and the first response closes it', async () => {
  answer = error(2);
  await askMany(5);
  now += LONGEST_PROBE_MS;
  const atOnce = await Promise.all(['a', 'b', 'c', 'd'].map(ask));
  expect(asked).toBe(6);
  for (const one of atOnce)
    expect(one).toMatchObject({ ok: false, failure: { nextProbeInMs: expect.any(Number) as number } });
  answer = error(190);
  now += LONGEST_PROBE_MS;
  await ask('a');
  expect([breaker.isOpen(), changes]).toEqual([false, ['transient (2)', null]]);
  answer = FINE;
  expect((await ask('b')).ok).toBe(true);
});

test('no wait for a probe is longer than the interval, however many failed and wherever the clock jumps', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9999);
  answer = error(2);
  await askMany(5);
  const waits = [];
  for (let n = 0; n < 6; n += 1) {
    waits.push(breaker.msUntilNextCall());
    now += breaker.msUntilNextCall();
    await ask('a');
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  now -= 3_600_000;
  expect(breaker.msUntilNextCall()).toBe(0);
  await ask('a');
  expect(asked).toBe(12);
});
