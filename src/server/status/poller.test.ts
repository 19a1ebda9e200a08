import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { currentStatus } from '#core/smartpause/status.ts';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import { readingOf } from '../../../test/support/reading.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { dropPollerLease, readComponents, readStatus } from '../db/status/status.ts';
import { findReads } from '../db/status/status-reads.ts';
import { findLastStatusFiles } from '../db/status/status-files.ts';
import { pollStatus, startStatusPoller } from './poller.ts';

const START = Date.parse('2026-01-09T02:10:00Z');

describe('reading the status page', () => {
  const db = useFreshDb();

  const deps = (now: () => number) => ({
    ...{
      db: db(),
      clock: { now, after: () => () => undefined },
      log: { debug: () => undefined, ...silentLog },
    },
    ...{ owner: 'me', pollMs: 10_000, staleMs: 60_000, onChange: () => undefined },
  });

  /** @param ms how long the read takes */
  async function levelRead(at: number, ms: number, onFailure?: () => void): Promise<string> {
    let now = at;
    const observing = pollStatus({
      ...deps(() => now),
      page: {
        readHistory: () => Promise.resolve([]),
        observe: () => {
          now += ms;
          return Promise.resolve({
            ...{ ...readingOf('HIGH_DISRUPTION', now), message: 'Ads Delivery: High disruptions' },
            files: [{ path: '/data/orgs.json', body: '[]' }],
          });
        },
      },
    });
    await observing.catch(onFailure);
    return currentStatus(await readStatus(db()), now, 60_000).trueLevel;
  }

  test('[ENG-10] discards a read that spans a suspend of the machine', async () => {
    expect(await levelRead(START, 8_000)).toBe('HIGH_DISRUPTION');
    expect(await levelRead(START + 60_000, 7_200_000)).toBe('UNKNOWN');
  });

  test('[SPEND-07] counts only readings that are used, and for the month those that state a level', async () => {
    const levels: string[] = [];
    let dated = START;
    let level: 'HIGH_DISRUPTION' | 'UNKNOWN' = 'HIGH_DISRUPTION';
    const before = (await findReads(db(), '2026-01'))?.count ?? 0;
    const read = () =>
      pollStatus({
        ...deps(() => START),
        onReading: (level) => levels.push(level),
        page: {
          readHistory: () => Promise.resolve([]),
          observe: () => Promise.resolve({ ...readingOf(level, dated), files: [] }),
        },
      });
    await read();
    dated -= 180_000;
    await read();
    expect(levels).toEqual(['HIGH_DISRUPTION']);
    [dated, level] = [START, 'UNKNOWN'];
    await read();
    expect((await findReads(db(), '2026-01'))?.count).toBe(before + 1);
  });

  test('one process of many reads the page and its history', async () => {
    const readers: string[] = [];
    const observer = (owner: string) => {
      const page = {
        observe: () => Promise.reject(new Error('down')),
        readHistory: () => Promise.resolve((readers.push(owner), [])),
      };
      return startStatusPoller({ ...deps(() => START), owner, page });
    };
    await dropPollerLease(db(), 'me');
    const first = observer('first');
    await waitFor('the history', () => Promise.resolve(readers.length > 0));
    await observer('second').close();
    await first.close();
    expect(readers).toEqual(['first']);
  });

  test('records the level although its files cannot be stored', async () => {
    await sql`drop table status_files`.execute(db());
    expect(await levelRead(START + 8_000_000, 0, () => undefined)).toBe('HIGH_DISRUPTION');
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
        select count(*) from status_files where path = '/data/orgs.json'`.execute(suite.product.app.db);
      return rows[0]?.count === '2';
    });
    const requests = await suite.simulators.status.requests();
    expect(requests.filter(({ path }) => path.includes('history'))).toHaveLength(1);
  });
});

describe('a status page that is readable only now and then', () => {
  const POLL_MS = 10_000;
  /** Six polls: a level that is older is UNKNOWN. */
  const STALE_POLLS = 6;

  const suite = engineSuite({ environment: { STATUS_POLL_SECONDS: String(POLL_MS / 1000) } });
  const page = () => suite.simulators.status;
  const set = (status: string, only: 'orgs' | 'outages') => page().post('/status', { status, only });
  const breaks = (kind: string, path?: 'orgs' | 'outages') =>
    page().fault({ kind, times: 0, ...(kind === 'http' && { http: 500 }), ...(path && { match: { path } }) });
  const mend = () => page().ask('DELETE', '/faults');

  /** @returns the level after the next poll */
  async function poll(): Promise<string> {
    await suite.later(POLL_MS);
    const status = suite.product.app.db.selectFrom('platformStatus').select('trueLevel');
    return (await status.executeTakeFirstOrThrow()).trueLevel;
  }
  async function pollTimes(times: number): Promise<Set<string>> {
    const levels = new Set<string>();
    for (let n = 0; n < times; n += 1) levels.add(await poll());
    return levels;
  }

  test('[FR-14] polls that fail now and then begin and end no outage; for longer than the stale limit: UNKNOWN', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const failNowAndThen = async (level: string, path?: 'outages') => {
      for (const kind of ['http', 'html', 'truncated', 'reset']) {
        await breaks(kind, path);
        expect(await poll()).toBe(level);
        expect((await readComponents(suite.product.app.db))[0]).toMatchObject({
          name: 'Ads Delivery',
          level,
        });
        await mend();
        expect(await poll()).toBe(level);
      }
    };
    expect(await poll()).toBe('UP');
    await failNowAndThen('UP');
    await set('High disruptions', 'outages');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await failNowAndThen('HIGH_DISRUPTION', 'outages');
    await breaks('http', 'outages');
    expect(await pollTimes(STALE_POLLS - 1)).toEqual(new Set(['HIGH_DISRUPTION']));
    await pollTimes(2);
    expect(await pollTimes(STALE_POLLS)).toEqual(new Set(['UNKNOWN']));
    expect(await suite.changesOf(who)).toEqual(['PAUSED']);
    await mend();
    await set('Resolved', 'outages');
    expect(await pollTimes(1)).toEqual(new Set(['UNKNOWN']));
    expect(await poll()).toBe('UP');
    expect(await suite.statuses(who)).toEqual(['ACTIVE']);
  });

  test('[FR-14, FR-13] while one file is not read, the other can begin an outage, and not end it', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await breaks('reset', 'orgs');
    expect(await poll()).toBe('UP');
    await set('Medium disruptions', 'outages');
    expect(await poll()).toBe('MEDIUM_DISRUPTION');
    expect(await suite.statuses(who)).toEqual(['PAUSED']);
    await mend();
    await set('High disruptions', 'orgs');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await breaks('truncated', 'outages');
    await set('Resolved', 'orgs');
    expect(await pollTimes(3)).toEqual(new Set(['HIGH_DISRUPTION']));
    await mend();
    await set('Resolved', 'outages');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    expect(await poll()).toBe('UP');
  });

  test('[FR-14] a level that was only raised becomes UNKNOWN as long after the last complete reading as any other', async () => {
    expect(await poll()).toBe('UP');
    await breaks('reset', 'orgs');
    expect(await pollTimes(STALE_POLLS - 3)).toEqual(new Set(['UP']));
    await set('Medium disruptions', 'outages');
    expect(await pollTimes(2)).toEqual(new Set(['MEDIUM_DISRUPTION']));
    await pollTimes(2);
    expect(await poll()).toBe('UNKNOWN');
    await mend();
    await set('Resolved', 'outages');
    expect(await poll()).toBe('UNKNOWN');
    expect(await poll()).toBe('UP');
  });

  test('[FR-12] a copy that is dated hours ago: UNKNOWN after the stale limit, until the origin answers', async () => {
    expect(await poll()).toBe('UP');
    await page().fault({ kind: 'frozen', ms: 3 * 3_600_000, times: 0 });
    await page().reports('High disruptions');
    expect(await pollTimes(STALE_POLLS - 1)).toEqual(new Set(['UP']));
    await pollTimes(2);
    expect(await pollTimes(12)).toEqual(new Set(['UNKNOWN']));
    await mend();
    expect(await poll()).toBe('HIGH_DISRUPTION');
  });
});
