import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { freshDatabase, silentLog } from '../../../../test/support/database.ts';
import { OffsetClock } from '../../../../scripts/outside/offset-clock.ts';
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
    const clock = new OffsetClock();
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
    const task = 20;
    for (let pass = 0; pass < task; pass += 1) {
      const before = asked;
      await waitFor('it to ask again', () => {
        if (asked === before) clock.advance(RECONCILER_TIMINGS.pollMs / 4);
        return asked > before;
      });
    }
    // Two queries per poll, a sweep, and queries in progress.
    expect(asked).toBeLessThan(4 * task);
    await reconciler.close();
    await database.close();
  });
});
