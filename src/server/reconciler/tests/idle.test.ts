import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { freshDatabase, silentLog } from '../../../../test/support/database.ts';
import type { AdPlatform } from '../../platforms/meta/ads.ts';
import { createDb } from '../../db/database.ts';
import { createTokenCipher } from '../../secrets.ts';
import { RECONCILER_TIMINGS, Reconciler } from '../loop.ts';

const rejectCall = () => Promise.reject(new Error('unexpected call to the platform'));
const platform: AdPlatform = {
  aheadMs: () => 0,
  listAdAccounts: rejectCall,
  listCampaigns: rejectCall,
  readStatuses: rejectCall,
  readStatusChanges: rejectCall,
  setStatuses: rejectCall,
};

describe('an idle reconciler', () => {
  test('looks for work once a second', async () => {
    const database = await freshDatabase();
    const polls: (() => void)[] = [];
    // Time stands still; only the test ends the waits between two polls.
    const clock = {
      now: () => Date.parse('2026-06-01T12:00Z'),
      after: (ms: number, callback: () => void) => {
        if (ms === RECONCILER_TIMINGS.pollMs) polls.push(callback);
        return () => undefined;
      },
    };
    let asked = 0;
    const counting = {
      ...database.pool,
      options: {},
      end: () => Promise.resolve(),
      connect: async () => {
        asked += 1;
        return database.pool.connect();
      },
    };
    const reconciler = new Reconciler({
      db: createDb(counting),
      cipher: createTokenCipher(['x'.repeat(32)]),
      platform,
      clock,
      log: { ...silentLog, debug: () => undefined },
      roll: () => 0,
      owner: 'the only one',
      staleMs: 60_000,
      timings: RECONCILER_TIMINGS,
      concurrency: 200,
      gate: { isOpen: () => false, msUntilNextCall: () => 0 },
    });
    reconciler.start();
    const task = 20;
    for (let poll = 0; poll < task; poll += 1) {
      const endWait = await waitFor('it to wait a second', () => polls.shift());
      endWait();
    }
    await waitFor('the last wait', () => polls.length === 1);
    // Two queries per poll, and a sweep.
    expect(asked).toBeLessThan(4 * task);
    await reconciler.close();
    await database.close();
  });
});
