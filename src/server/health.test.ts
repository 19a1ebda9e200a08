import { expect, test } from 'vitest';
import { OffsetClock } from '../../scripts/outside/offset-clock.ts';
import { createHealth } from './health.ts';

const clock = new OffsetClock();

test.each([
  ['fine', () => Promise.resolve(true)],
  ['outdated', () => Promise.resolve(false)],
  ['gone', () => Promise.reject(new Error('no connection'))],
])('a database is %s', async (state, isMigrated) => {
  expect(await createHealth(clock, isMigrated)()).toBe(state);
});

test('a database without a response for two seconds is slow; callers share one question', async () => {
  const answer = Promise.withResolvers<boolean>();
  let asked = 0;
  const health = createHealth(clock, () => {
    asked += 1;
    return answer.promise;
  });
  const both = [health(), health()];
  clock.advance(2_000);
  expect(await Promise.all(both)).toEqual(['slow', 'slow']);
  const third = health();
  answer.resolve(true);
  expect([await third, asked]).toEqual(['fine', 1]);
  expect([await health(), asked]).toEqual(['fine', 2]);
});
