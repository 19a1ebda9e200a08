import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { readStatus } from '../db/status/status.ts';
import { findLastStatusFiles } from '../db/status/status-files.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { observeOnce } from './observe.ts';

const READING = {
  level: 'HIGH_DISRUPTION',
  message: 'Ads Delivery: High disruptions',
  quote: 'High disruptions',
  isIncomplete: false,
  atLeast: null,
} as const;
const START = Date.parse('2026-01-09T02:10:00Z');

describe('reading the status page', () => {
  const db = useFreshDb();

  /** @param ms how long the read takes */
  async function levelRead(at: number, ms: number): Promise<string> {
    let now = at;
    await observeOnce({
      db: db(),
      clock: { now: () => now, after: () => () => undefined },
      log: { debug: () => undefined, ...silentLog },
      owner: 'me',
      pollMs: 10_000,
      staleMs: 60_000,
      workItemLeaseMs: 30_000,
      onChange: () => undefined,
      page: {
        readHistory: () => Promise.resolve([]),
        observe: () => {
          now += ms;
          const nothing = { loginDisrupted: false, services: [], files: [], trouble: null };
          return Promise.resolve({ ...READING, ...nothing });
        },
      },
    });
    return currentStatus(await readStatus(db()), now, 60_000).trueLevel;
  }

  test('[ENG-10] discards a read that spans a suspend of the machine', async () => {
    expect(await levelRead(START, 8_000)).toBe('HIGH_DISRUPTION');
    expect(await levelRead(START + 60_000, 7_200_000)).toBe('UNKNOWN');
  });
});

describe('the running product', () => {
  const suite = startSuite({ isStepped: false });

  test('stores the files of the status page, and its history once at the start', async () => {
    const paths = async () => (await findLastStatusFiles(suite.product.app.db)).map(({ path }) => path);
    await suite.until('the files', async () => (await paths()).length === 3);
    expect(await paths()).toEqual([
      '/data/orgs.json',
      '/data/outages/ads-manager.history.json',
      '/data/outages/ads-manager.json',
    ]);
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.until('the second version', async () => {
      const { rows } = await sql<{ count: string }>`
        select count(*) from status_file where path = '/data/orgs.json'`.execute(suite.product.app.db);
      return rows[0]?.count === '2';
    });
    const requests = await suite.simulators.status.requests();
    expect(requests.filter(({ path }) => path.includes('history'))).toHaveLength(1);
  });
});
