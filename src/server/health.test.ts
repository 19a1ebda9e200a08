import { expect, test } from 'vitest';
import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import { createHealth } from './health.ts';

test.each([
  ['fine', () => Promise.resolve(true)],
  ['outdated', () => Promise.resolve(false)],
  ['gone', () => Promise.reject(new Error('no connection'))],
  ['slow', () => new Promise<boolean>(() => undefined)],
])('a database is %s', async (state, isMigrated) => {
  const clock = new OffsetClock();
  const health = createHealth(clock, isMigrated)();
  clock.advance(2_000);
  expect(await health).toBe(state);
});
