import { describe, expect, test } from 'vitest';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import { silentLog } from '../../../../test/support/database.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { PlatformStatus } from '../../../contract/shapes.ts';
import type { SystemHealth } from '../../../contract/system-health.ts';
import { silentText } from '../../../core/smartpause/silent-incident.ts';
import { hours, minutes, seconds } from '../../../core/time.ts';
import { readRemembered, readStatus } from '../../db/status/status.ts';
import { createStatusPage } from '../../platforms/meta/status-page/status-page.ts';
import { pollStatus } from '../../status/poller.ts';

const POLL_MS = seconds(2);
const STATUS_POLL_SECONDS = String(POLL_MS / 1000);

describe('[ENG-23, FR-38] a level falls with two readings', () => {
  const suite = engineSuite({ environment: { STATUS_POLL_SECONDS } });
  const page = () => suite.simulators.status;
  const set = (status: string, only?: 'orgs' | 'outages') => page().post('/status', { status, only });
  const status = () => readStatus(suite.product.app.db);
  /** The clocks of all agree: no test moves them by five minutes, after which a date would be too far ahead. */
  const poll = async () => {
    await suite.later(POLL_MS);
    return (await status()).trueLevel;
  };
  /** A cache answers as the page was then, also for one file alone. */
  const serveOld = (ms: number, path = '/data') =>
    page().fault({ kind: 'old_copy', ms, times: 0, match: { path } });
  const serveNew = () => page().ask('DELETE', '/faults');
  const held = async (upForMs = POLL_MS) => {
    expect(await poll()).toBe('UP');
    await suite.later(upForMs);
    return suite.heldAdvertiser();
  };

  test('[UX-19] the match ends at the second, and campaigns are resumed then; Meta’s former words are not quoted', async () => {
    const who = await held();
    const shown = () => who.user.get<PlatformStatus>('/api/status');
    const before = await shown();
    expect(before).toMatchObject({ quote: 'High disruptions', downSince: before.since });
    expect(before.down).toEqual([{ name: 'Ads Delivery', level: 'HIGH_DISRUPTION' }]);
    await set('Resolved');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    const falling = await shown();
    expect(falling).toMatchObject({ down: before.down, downSince: before.downSince });
    expect(falling.quote).toBeUndefined();
    expect(await suite.statuses(who)).toEqual(['PAUSED']);
    expect(await poll()).toBe('UP');
    const { matchSince, checkedAt } = await status();
    expect(matchSince).toMatchObject({ MEDIUM: checkedAt });
    expect(await suite.statuses(who)).toEqual(['ACTIVE']);
  });

  test.each([
    ['both files', '/data'],
    ['the lines', 'orgs'],
    ['the outages', 'outages'],
  ])(
    'an old copy of %s from before the outage resumes nothing, also after a restart',
    async (_what, path) => {
      const who = await held(seconds(30));
      await serveOld(seconds(28), path);
      expect(await poll()).toBe('HIGH_DISRUPTION');
      await suite.restart();
      expect(await poll()).toBe('HIGH_DISRUPTION');
      const row = suite.product.app.db.selectFrom('platformStatus').select('trouble');
      expect((await row.executeTakeFirstOrThrow()).trouble).toContain('older than the last one');
      await serveNew();
      expect(await poll()).toBe('HIGH_DISRUPTION');
      expect(await suite.changesOf(who)).toEqual(['PAUSED']);
    },
  );

  test('the first of two readings outlives its process', async () => {
    const who = await held();
    await set('Resolved');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await suite.restart();
    expect(await poll()).toBe('UP');
    expect(await suite.statuses(who)).toEqual(['ACTIVE']);
  });

  test('a copy that is read twice ends nothing', async () => {
    const who = await held();
    await set('Resolved');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    const { fileDates } = await readRemembered(suite.product.app.db);
    // A file is dated in whole seconds: this is the last moment of that second.
    for (const [path, date] of Object.entries(fileDates))
      await page().fault({ kind: 'old_copy', at: date + 999, match: { path } });
    expect(await poll()).toBe('HIGH_DISRUPTION');
    expect(await suite.statuses(who)).toEqual(['PAUSED']);
    expect(await poll()).toBe('UP');
  });

  test('UNKNOWN, or a file that is not read, counts for neither', async () => {
    const who = await held();
    await set('Resolved');
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await page().fault({ kind: 'http', http: 500, match: { path: 'outages' } });
    expect(await poll()).toBe('HIGH_DISRUPTION');
    await page().fault({ kind: 'unknown_phrase', times: 2 });
    expect(await poll()).toBe('UNKNOWN');
    expect(await suite.statuses(who)).toEqual(['PAUSED']);
    expect(await poll()).toBe('UP');
    expect(await suite.statuses(who)).toEqual(['ACTIVE']);
  });

  test('after a gap no campaign is paused or resumed before the second', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    await suite.outage();
    await suite.advance(minutes(2));
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await set('Resolved');
    expect(await poll()).toBe('UNKNOWN');
    expect(await suite.statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await poll()).toBe('UP');
    expect(await suite.statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('a process whose lease is over stores nothing', async () => {
    expect(await poll()).toBe('UP');
    const { app, clock } = suite.product;
    const real = createStatusPage({
      url: suite.simulators.environment['META_STATUS_URL'] ?? '',
      services: [{ product: 'ads-manager', service: 'Ads Delivery' }],
      http: suite.simulators.transports.http,
    });
    let changes = 0;
    // Its own lease ends while the other process is the poller.
    await suite.advance(seconds(11));
    await pollStatus({
      ...{ db: app.db, clock, owner: 'stalled', pollMs: POLL_MS, staleMs: minutes(1) },
      log: { debug: () => undefined, ...silentLog },
      onChange: () => (changes += 1),
      page: {
        readHistory: () => Promise.resolve([]),
        observe: async (remembered) => {
          const reading = await real.observe(remembered);
          await suite.advance(seconds(11));
          await set('High disruptions');
          await suite.turn();
          return reading;
        },
      },
    });
    expect([(await status()).trueLevel, changes]).toEqual(['HIGH_DISRUPTION', 0]);
  });
});

describe('[ENG-23, FR-37] a silent incident', () => {
  const BOSS = '7111000000019';
  const suite = engineSuite({ environment: { STATUS_POLL_SECONDS, ADMIN_PLATFORM_IDS: BOSS } });
  const set = (more: object) => suite.simulators.status.post('/status', more);
  const level = async () => (await readStatus(suite.product.app.db)).trueLevel;
  const ago = (ms: number) => new Date(suite.product.clock.now() - ms).toISOString();

  test('on a new installation does not count, and is named; a post makes it count again', async () => {
    const since = ago(hours(13));
    await set({ status: 'High disruptions', only: 'outages', at: since });
    await suite.turn();
    expect(await level()).toBe('UP');
    const text = silentText({
      ...{ id: null, service: 'Ads Delivery', phrase: 'High disruptions', since: Date.parse(since) },
    });
    const html = await (await fetch(`${suite.product.url}/status`)).text();
    expect(html).toContain(text);
    expect(html).not.toContain('Not yet');
    await suite.simulators.graph.post('/seed', { users: [{ id: BOSS, name: 'The Boss', accounts: [] }] });
    const boss = await signIn(suite.product.url, BOSS);
    const { statusPage } = await boss.get<SystemHealth>('/api/admin/system-health');
    expect(statusPage).toMatchObject({
      ...{ needsAttention: false, silentIncidents: [text] },
    });
    await set({ status: 'High disruptions', only: 'outages' });
    await suite.turn();
    expect(await level()).toBe('HIGH_DISRUPTION');
    await waitFor('the page', async () =>
      (await (await fetch(`${suite.product.url}/status`)).text()).includes(
        'Meta ad delivery: High disruption',
      ),
    );
    const after = await (await fetch(`${suite.product.url}/status`)).text();
    expect(after).not.toContain('no longer counts.</p>');
  });

  test('ends the match after 12 hours beside a clean line, and a disrupted line begins it again', async () => {
    const who = await suite.heldAdvertiser();
    await set({ status: 'Resolved', only: 'orgs' });
    await suite.turn();
    for (const ms of [hours(11), minutes(59)]) {
      await suite.later(ms);
      expect([await level(), await suite.statuses(who)]).toEqual(['HIGH_DISRUPTION', ['PAUSED']]);
    }
    await suite.advance(minutes(2));
    await suite.known('UP');
    expect(await suite.statuses(who)).toEqual(['ACTIVE']);
    await set({ status: 'Low disruptions', only: 'orgs' });
    await suite.turn();
    expect([await level(), await suite.statuses(who)]).toEqual(['HIGH_DISRUPTION', ['PAUSED']]);
  });
});
