import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seconds } from '#core/time.ts';
import { UserSignals } from '../user-signals.ts';
import { waitUntil } from './wait-until.ts';

/** A request of Ann waits; timers run when the test says so. */
function waiting(answers: boolean[]) {
  const signals = new UserSignals();
  let now = 0;
  let asked = 0;
  const timers = new Set<() => void>();
  const clock = {
    now: () => now,
    after: (_ms: number, callback: () => void) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
  };
  let amid = (): void => undefined;
  const condition = () => {
    asked += 1;
    amid();
    return Promise.resolve(answers.shift() ?? false);
  };
  const result = waitUntil({ clock, signals }, condition, { userId: 'ann', timeoutMs: seconds(25) });
  return {
    ...{ signals, result, timers },
    asked: async () => (await setImmediate(), asked),
    amid: (act: () => void) => (amid = act),
    pass: (ms: number) => {
      now += ms;
      for (const callback of timers) callback();
    },
  };
}

test('a request asks at each change of its user, and keeps no timer', async () => {
  const { signals, result, timers, asked } = waiting([false, false, true]);
  expect(await asked()).toBe(1);
  signals.send('bob');
  expect(await asked()).toBe(1);
  signals.send('ann');
  expect(await asked()).toBe(2);
  signals.sendAll();
  expect(await result).toBe(true);
  expect(timers.size).toBe(0);
});

test('a change amid a question counts', async () => {
  const { signals, result, asked, amid } = waiting([false, false, true]);
  amid(() => signals.send('ann'));
  signals.send('ann');
  expect(await result).toBe(true);
  expect(await asked()).toBe(3);
});

test('without a notification it asks now and then, until its time is over', async () => {
  const { result, asked, pass } = waiting([]);
  await asked();
  pass(seconds(1));
  expect(await asked()).toBe(2);
  pass(seconds(24));
  expect(await result).toBe(false);
  expect(await asked()).toBe(3);
});
