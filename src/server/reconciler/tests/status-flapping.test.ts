import { afterEach, describe, expect, test } from 'vitest';
import { changesOf } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';

const POLL_MS = 10_000;
/** Six polls: a level that is older is UNKNOWN. */
const STALE_POLLS = 6;
const HOUR = 3_600_000;

/** The real poller and reconciler, on a clock that the tests step from one poll to the next. */
describe('a status page that is readable only now and then', () => {
  const suite = startSuite({ environment: { STATUS_POLL_SECONDS: String(POLL_MS / 1000) } });

  const observed = async (): Promise<string[]> => {
    const rows = suite.product.app.db.selectFrom('status_observation').select('true_level').orderBy('id');
    return (await rows.execute()).map((row) => row.true_level);
  };

  /** @returns the level after the next poll */
  async function poll(): Promise<string> {
    const { db } = suite.product.app;
    const polls = async () => {
      const row = db.selectFrom('status_answer').select((eb) => eb.fn.sum<string>('times').as('times'));
      return Number((await row.executeTakeFirstOrThrow()).times);
    };
    const before = await polls();
    suite.product.clock.advance(POLL_MS);
    await suite.until('the next poll', async () => (await polls()) > before);
    const status = db.selectFrom('platform_status').select('true_level');
    return (await status.executeTakeFirstOrThrow()).true_level;
  }
  async function pollTimes(times: number): Promise<Set<string>> {
    const levels = new Set<string>();
    for (let n = 0; n < times; n += 1) levels.add(await poll());
    return levels;
  }
  const set = (status: string, only: 'orgs' | 'outages') =>
    suite.simulators.status.post('/status', { status, only });
  const breaks = (fault: object, path: 'orgs' | 'outages') =>
    suite.simulators.status.fault({ kind: 'html', times: 0, match: { path }, ...fault });
  const mended = () => suite.simulators.status.ask('DELETE', '/faults');

  afterEach(async () => {
    await mended();
    await suite.simulators.status.post('/reset');
    await poll();
  });

  test('[FR-14] one file that fails now and then ends no outage; for longer than the stale limit: UNKNOWN', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await set('High disruptions', 'outages');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    const before = await observed();
    for (const fault of [
      { kind: 'http', http: 500 },
      { kind: 'html' },
      { kind: 'truncated' },
      { kind: 'reset' },
    ]) {
      await breaks(fault, 'outages');
      expect(await poll()).toBe('HIGH_DISRUPTION');
      await mended();
      expect(await poll()).toBe('HIGH_DISRUPTION');
    }
    expect(await observed()).toEqual(before);
    await breaks({ kind: 'http', http: 500 }, 'outages');
    expect(await pollTimes(STALE_POLLS - 1)).toEqual(new Set(['HIGH_DISRUPTION']));
    await pollTimes(2);
    expect(await pollTimes(STALE_POLLS)).toEqual(new Set(['UNKNOWN']));
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED']);
    await mended();
    await set('Resolved', 'outages');
    expect(await poll()).toBe('UP');
    await suite.become(who, ['ACTIVE']);
  });

  test('[FR-14, FR-13] one clean file does not end an outage while the other is not read', async () => {
    await set('High disruptions', 'orgs');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await breaks({ kind: 'truncated' }, 'outages');
    await set('Resolved', 'orgs');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await mended();
    expect(await poll()).toBe('UP');
  });

  test('[FR-14] an outage in one file counts at once while the other is not read', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'MEDIUM' });
    await breaks({ kind: 'reset' }, 'orgs');
    expect(await poll()).toBe('UP');
    await set('Medium disruptions', 'outages');
    expect(await poll()).toBe('MEDIUM_DISRUPTION');
    await suite.become(who, ['PAUSED']);
  });

  test('[FR-14] a page that fails on every other poll starts nothing', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    for (const kind of ['html', 'truncated', 'reset']) {
      await suite.simulators.status.fault({ kind, times: 0 });
      expect(await poll()).toBe('UP');
      await mended();
      expect(await poll()).toBe('UP');
    }
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual([]);
  });

  test('[FR-12] 304 for hours, dated hours ago: UNKNOWN after the stale limit, until the origin answers', async () => {
    expect(await poll()).toBe('UP');
    await suite.simulators.status.fault({ kind: 'frozen', ms: 3 * HOUR, times: 0 });
    await suite.simulators.status.reports('High disruptions');
    expect(await pollTimes(STALE_POLLS - 1)).toEqual(new Set(['UP']));
    await pollTimes(2);
    expect(await pollTimes(12)).toEqual(new Set(['UNKNOWN']));
    suite.product.clock.advance(5 * HOUR);
    expect(await pollTimes(3)).toEqual(new Set(['UNKNOWN']));
    await mended();
    expect(await poll()).toBe('HIGH_DISRUPTION');
  });
});
