import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { freshDatabase, silentLog } from '../../../../test/support/database.ts';
import { OffsetClock } from '../../../../test/support/offset-clock.ts';
import type { AdPlatform } from '../../platforms/meta/ads.ts';
import { createDb } from '../../db/database.ts';
import { createVault } from '../../secrets.ts';
import { ENGINE_TIMINGS, startEngine } from '../loop.ts';

const nobody = () => Promise.reject(new Error('nobody is to be asked'));
const platform: AdPlatform = {
  aheadMs: () => 0,
  listAdAccounts: nobody,
  listCampaigns: nobody,
  readStatuses: nobody,
  readStatusChanges: nobody,
  setStatuses: nobody,
};

describe('an engine with nothing to do', () => {
  test('asks for work once a second, and not as often as it can', async () => {
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
    const engine = startEngine({
      db: createDb(counting),
      vault: createVault(['x'.repeat(32)]),
      platform,
      clock,
      log: { ...silentLog, debug: () => undefined },
      roll: () => 0,
      owner: 'the only one',
      staleMs: 60_000,
      timings: ENGINE_TIMINGS,
      concurrency: 200,
      gate: { isOpen: () => false, holdOffMs: () => 0 },
    });
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      const before = asked;
      await waitFor('it to ask again', () => {
        if (asked === before) clock.advance(ENGINE_TIMINGS.pollMs / 4);
        return asked > before;
      });
    }
    // Two questions a round, a sweep, and what is on the way.
    expect(asked).toBeLessThan(4 * rounds);
    await engine.close();
    await database.close();
  });
});
