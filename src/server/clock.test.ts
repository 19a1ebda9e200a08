import os from 'node:os';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { freshDatabase } from '../../test/support/database.ts';
import type { TestProduct } from '../../test/support/product.ts';
import { startProduct } from '../../test/support/product.ts';
import type { LocalSimulators } from '../../test/support/simulators.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { MachineClock } from './clock.ts';
import { readStatus } from './db/status/status.ts';

/** Before the product is loaded. */
const { trueNow, AHEAD_MS } = vi.hoisted(() => {
  const hoisted = { trueNow: Date.now, AHEAD_MS: 7_200_000 };
  Date.now = () => hoisted.trueNow() + hoisted.AHEAD_MS;
  return hoisted;
});

afterAll(() => {
  Date.now = trueNow;
});

describe('the clock of the machine', () => {
  const START = Date.parse('2026-01-09T02:10:00Z');
  let date = 0;
  let passed = 0;
  let uptime = 0;
  let clock: MachineClock;
  beforeEach(() => {
    [date, passed, uptime] = [START, 5000, 90_000];
    vi.spyOn(Date, 'now').mockImplementation(() => date);
    vi.spyOn(performance, 'now').mockImplementation(() => passed);
    // It is given in hundredths of a second.
    vi.spyOn(os, 'uptime').mockImplementation(() => Math.floor(uptime / 10) / 100);
    clock = new MachineClock();
  });
  afterEach(() => void vi.restoreAllMocks());

  const pass = (ms: number, { asleep = false } = {}) => {
    date += ms;
    uptime += ms;
    if (!asleep) passed += ms;
  };

  test('follows what has passed, whatever step its date makes', () => {
    for (const step of [0, minutes(60), -minutes(180), 700, -300]) {
      const before = clock.now();
      date += step;
      pass(333.25);
      expect(Math.abs(clock.now() - before - 333.25)).toBeLessThanOrEqual(1);
    }
    expect(clock.now()).toBe(START + Math.round(5 * 333.25));
  });

  test('counts the time in which the machine sleeps', () => {
    for (const sleep of [minutes(120), seconds(5)]) {
      pass(100);
      pass(sleep, { asleep: true });
    }
    date -= minutes(60);
    pass(100);
    expect(Math.abs(clock.now() - (START + minutes(120) + seconds(5) + 300))).toBeLessThanOrEqual(10);
  });
});

describe('a machine whose clock is two hours ahead', () => {
  let simulators: LocalSimulators;
  let product: TestProduct;
  beforeAll(async () => {
    const database = await freshDatabase();
    simulators = await startSimulators();
    // Meta's own clock is right.
    await simulators.status.post('/clock', { offsetMs: -AHEAD_MS });
    product = await startProduct({ simulators, database, isStepped: true, usesSystemClock: true });
  });
  afterAll(async () => {
    await product.close();
    await simulators.stop();
  });

  test('[ENG-07] begins and ends a match at the time of the database', async () => {
    for (const phrase of ['High disruptions', 'No known issues']) {
      await simulators.status.reports(phrase);
      const level = phrase === 'No known issues' ? 'UP' : 'HIGH_DISRUPTION';
      const status = await waitFor(`the level ${level}`, async () => {
        await product.app.turn();
        const read = await readStatus(product.app.db);
        return read.known === level && read;
      });
      const { rows } = await sql<{ now: number }>`select now()`.execute(product.app.db);
      const now = rows[0]?.now ?? 0;
      for (const at of [status.matchSince.LOW, status.checkedAt]) {
        expect(Math.abs((at ?? 0) - now)).toBeLessThan(minutes(1));
      }
    }
  });
});
