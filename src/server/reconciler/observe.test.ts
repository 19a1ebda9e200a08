import { describe, expect, test } from 'vitest';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { readStatus } from '../db/status/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { observeOnce } from './observe.ts';

const START = Date.parse('2026-01-09T02:10:00Z');

describe('reading the status page', () => {
  const db = useFreshDb();

  /** @param ms how long the reading takes */
  async function levelRead(at: number, ms: number): Promise<string> {
    let now = at;
    await observeOnce({
      db: db(),
      clock: { now: () => now, after: () => () => undefined },
      log: { debug: () => undefined, ...silentLog },
      owner: 'me',
      pollMs: 10_000,
      staleMs: 60_000,
      laneLeaseMs: 30_000,
      onChange: () => undefined,
      page: {
        observe: () => {
          now += ms;
          const nothing = { quote: null, loginDisrupted: false, services: [], trouble: null };
          return Promise.resolve({ level: 'HIGH_DISRUPTION', message: 'High', ...nothing });
        },
      },
    });
    return currentStatus(await readStatus(db()), now, 60_000).trueLevel;
  }

  test('[ENG-10] what was read before the machine fell asleep says nothing about now', async () => {
    expect(await levelRead(START, 8_000)).toBe('HIGH_DISRUPTION');
    expect(await levelRead(START + 60_000, 7_200_000)).toBe('UNKNOWN');
  });
});
