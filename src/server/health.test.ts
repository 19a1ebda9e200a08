import { expect, test } from 'vitest';
import type { Instant } from '#core/time.ts';
import { OffsetClock } from '../../scripts/outside/offset-clock.ts';
import type { Readiness } from './health.ts';
import { createHealth } from './health.ts';

const clock = new OffsetClock();
const ago = (seconds: number): number => clock.now() - seconds * 1000;

interface Given {
  statusCheckedAt?: Instant;
  oldestDueAt?: Instant;
  isMigrated?: boolean;
  database?: Readiness;
}

const healthOf = (given: Given) => {
  const { isMigrated = true, database = 'fine', ...ages } = given;
  const gauges = { statusCheckedAt: null, oldestDueAt: null, ...ages };
  return createHealth({
    clock,
    readiness: () => Promise.resolve(database),
    stored: () => Promise.resolve({ isMigrated, gauges }),
    staleMs: 60_000,
  })();
};

test.each([
  ['all is well', { statusCheckedAt: ago(5) }, { isReady: true, warnings: [] }],
  [
    'work is due since a moment',
    { statusCheckedAt: ago(5), oldestDueAt: ago(2) },
    { isReady: true, warnings: [] },
  ],
  ['no process has read the status page yet', {}, { isReady: true, warnings: ['status_not_read'] }],
  ['it was read long ago', { statusCheckedAt: ago(90) }, { isReady: true, warnings: ['status_not_read'] }],
  [
    'due work items wait',
    { statusCheckedAt: ago(5), oldestDueAt: ago(90) },
    { isReady: true, warnings: ['queue_behind'] },
  ],
  ['the tables are of another version', { statusCheckedAt: ago(5), isMigrated: false }, { isReady: false }],
  [
    'the database is away',
    { database: 'gone' as const },
    { isReady: false, database: 'gone', isMigrated: null },
  ],
  ['the database is slow', { database: 'slow' as const }, { isReady: false, database: 'slow' }],
])('when %s', async (_name, given, expected) => {
  expect(await healthOf(given)).toMatchObject(expected);
});

test('ages are in seconds and never negative', async () => {
  const { statusAgeSeconds, queueAgeSeconds } = await healthOf({
    statusCheckedAt: ago(12),
    oldestDueAt: ago(-3),
  });
  expect(statusAgeSeconds).toBeCloseTo(12, 0);
  expect(queueAgeSeconds).toBe(0);
});

test('a database that responds once and then stops makes the process not ready', async () => {
  const health = createHealth({
    clock,
    readiness: () => Promise.resolve('fine'),
    stored: () => Promise.reject(new Error('database gone')),
    staleMs: 60_000,
  });
  expect(await health()).toMatchObject({ isReady: false, isMigrated: null });
});
