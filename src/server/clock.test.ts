import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { minutes } from '#core/time.ts';
import { freshDatabase } from '../../test/support/database.ts';
import type { TestProduct } from '../../test/support/product.ts';
import { startProduct } from '../../test/support/product.ts';
import type { LocalSimulators } from '../../test/support/simulators.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { readStatus } from './db/status/status.ts';

const AHEAD_MS = minutes(120);

describe('a machine whose clock is two hours ahead', () => {
  const trueNow = Date.now;
  let simulators: LocalSimulators;
  let product: TestProduct;
  beforeAll(async () => {
    const database = await freshDatabase();
    vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + AHEAD_MS);
    simulators = await startSimulators();
    // Meta's own clock is right.
    await simulators.status.post('/clock', { offsetMs: -AHEAD_MS });
    product = await startProduct({ simulators, database, isStepped: true, usesSystemClock: true });
  });
  afterAll(async () => {
    await product.close();
    await simulators.stop();
    vi.restoreAllMocks();
  });

  test('[ENG-07] begins and ends a match at the time of the database', async () => {
    for (const phrase of ['High disruptions', 'No known issues']) {
      await simulators.status.reports(phrase);
      await product.app.turn();
      const status = await readStatus(product.app.db);
      const { rows } = await sql<{ now: number }>`select now()`.execute(product.app.db);
      const now = rows[0]?.now ?? 0;
      expect(status.known).toBe(phrase === 'No known issues' ? 'UP' : 'HIGH_DISRUPTION');
      for (const at of [status.matchSince.LOW, status.checkedAt]) {
        expect(Math.abs((at ?? 0) - now)).toBeLessThan(minutes(1));
      }
    }
  });
});
