import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { dailyLevels } from '#core/outages/incident.ts';
import { days, minutes } from '#core/time.ts';
import { cached } from '../../cached.ts';
import type { PublicStatus } from '../../services/status/public-status.ts';
import { servePublicStatus } from './routes.ts';

const NOW = Date.parse('2026-11-25T18:00Z');
const STATUS: PublicStatus = {
  level: 'UP',
  checkedAt: NOW,
  since: NOW,
  override: null,
  components: [{ product: 'P', name: '<b>Ads & more</b>', level: null, said: ['"fine"'], isWatched: true }],
  silentIncidents: ['Meta still lists <it>.'],
  falling: 'No known issues',
  days: [],
  recordedSince: NOW,
  incidents: [],
  warning: null,
  pollSeconds: 10,
};

async function served(read: () => Promise<PublicStatus> = () => Promise.resolve(STATUS)) {
  const clock = { time: NOW, now: () => clock.time };
  const cache = cached(clock, minutes(1), read);
  const app = fastify();
  servePublicStatus(app, cache, {
    publicUrl: 'https://a.example',
    landing: '<link rel="icon" href="/a.svg"><link href="/assets/inter-1.woff2">',
    banner: '<aside>Demo</aside>',
  });
  await app.ready();
  return { app, cache, clock };
}

describe('[HIST-06] the public status is read once', () => {
  test('for 1,000 requests at once, until the status changes or a minute passes', async () => {
    let reads = 0;
    const { app, cache, clock } = await served(() => {
      reads += 1;
      return Promise.resolve(STATUS);
    });
    const ask = (count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await app.inject('/status')).statusCode));
    expect(new Set(await ask(1000))).toEqual(new Set([200]));
    for (const path of ['/status.json', '/status.atom']) await app.inject(path);
    expect(reads).toBe(1);
    for (const [change, expected] of [
      [() => (clock.time += minutes(1) - 1), 1],
      [() => (clock.time += 1), 2],
      [() => cache.expire(), 3],
      [() => (clock.time -= minutes(60)), 4],
    ] as const) {
      change();
      await ask(10);
      expect(reads).toBe(expected);
    }
  });

  test('a failure is not kept', async () => {
    let fails = true;
    const { app } = await served(() => (fails ? Promise.reject(new Error('down')) : Promise.resolve(STATUS)));
    expect((await app.inject('/status')).statusCode).toBe(500);
    fails = false;
    expect((await app.inject('/status')).statusCode).toBe(200);
  });

  test('text of the page is escaped, and it has the icon and the font of the landing page', async () => {
    const { app } = await served();
    const { headers, body } = await app.inject('/status');
    expect(body).toContain('<link rel="icon" href="/a.svg">');
    expect(body).toContain('src:url(/assets/inter-1.woff2)');
    expect(body).toContain('&lt;b&gt;Ads &amp; more&lt;/b&gt;');
    expect(body).toContain('<span>Unknown</span>');
    expect(body).toContain('SmartPause is not affiliated with Meta. Times are UTC');
    const feed = (await app.inject('/status.json')).body;
    expect(feed).toContain('"level":"UNKNOWN","words":"\\"fine\\""');
    expect(feed).toContain('"silentIncidents":["Meta still lists <it>."]');
    // Meta's former words are no longer on its page.
    expect(body).toContain('Meta’s page now says “No known issues”');
    expect(body).not.toContain('&quot;fine&quot;');
    expect(body).not.toMatch(/<script|<b>| style=| on\w+=/);
    expect(headers['cache-control']).toBe('public, max-age=15');
    expect(headers['refresh']).toBe('60');
  });
});

test.each([
  ['the page was never readable', null, 'SmartPause has no record of these days yet.'],
  [
    'the record starts today',
    NOW,
    'The record starts today. No incident was published for the 2 days before.',
  ],
  ['it started yesterday', NOW - days(1), 'This record begins on Nov 24, 2026.'],
  ['it is older than the days', NOW - days(9), undefined],
])('[HIST-06] %s', async (_title, recordedSince, note) => {
  const { app } = await served(() =>
    Promise.resolve({
      ...STATUS,
      recordedSince,
      days: dailyLevels([], { now: NOW, count: 3, recordedSince }),
    }),
  );
  const { body } = await app.inject('/status');
  expect(
    /SmartPause has no record.*?yet\.|The record starts.*?before\.|This record begins.*?\./.exec(body)?.[0],
  ).toBe(note);
});

test('[EARLY-06] a suspicion of SmartPause stands apart from the level, with its evidence', async () => {
  const since = '2026-11-25T17:45:00.000Z';
  const warning = { since: Date.parse(since), pauses: true, evidence: 'Calls to Meta <fail>.' };
  const { app } = await served(() => Promise.resolve({ ...STATUS, warning }));
  const { body } = await app.inject('/status');
  const [card = ''] = /<section.*?<\/section>/.exec(body) ?? [];
  expect(card).toContain('SmartPause suspects an outage');
  expect(card).toContain('Calls to Meta &lt;fail&gt;.');
  expect(card).toContain('17:45 UTC');
  expect(card).toContain('This isn’t from Meta');
  expect(body).toContain('Meta ad delivery: Up');
  const feed = await app.inject('/status.json');
  expect(feed.json()).toMatchObject({ _status: { level: 'UP', warning: { ...warning, since } } });

  const { app: quiet } = await served();
  expect((await quiet.inject('/status')).body).not.toContain('suspects an outage');
});

describe('[HIST-06] the public status of the running product', () => {
  const suite = startSuite();
  const get = async (path: string) => (await fetch(suite.product.url + path)).text();

  test('shows level, components, days and incidents, and follows the status at once', async () => {
    await suite.known('UP');
    expect(await get('/status')).toContain('Meta ad delivery: Up');
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await waitFor('the new level', async () =>
      (await get('/status')).includes('Meta ad delivery: High disruption'),
    );
    const html = await get('/status');
    expect(html).toMatch(/Ads Delivery<br>.*SmartPause acts on this.*class="HIGH_DISRUPTION"/);
    for (const words of ['Graph API', 'Last 90 days of ad delivery', 'High disruption: 1 day', 'Not yet'])
      expect(html).toContain(words);
    // Of the summer, which the label EST has wrong by an hour.
    expect(html).toContain('Oct 4, 2021, 15:39 UTC</span> <span>(11:39 AM EST)');
    expect(html).toContain('SmartPause’s own readings of Meta’s status page');
    expect(html).toContain('<a href="https://adstatus.app/">');
    await suite.report('Resolved', 'UP');
    await waitFor('the end', async () => (await get('/status')).includes('Meta ad delivery: Up'));
    expect(await get('/status')).not.toContain('Not yet');
    const { version, _status, items } = JSON.parse(await get('/status.json')) as {
      version: string;
      _status: { level: string; components: object[] };
      items: { title: string; url: string }[];
    };
    expect([version, _status.level]).toEqual(['https://jsonfeed.org/version/1.1', 'UP']);
    expect([_status.components.length, new Set(items.map(({ url }) => url)).size]).toEqual([6, 11]);
    expect(items[0]?.title).toMatch(/^High disruption: Ads Delivery, /);
    const atom = await get('/status.atom');
    expect(atom.match(/<entry>/g)).toHaveLength(11);
    expect(atom).toContain(`<id>${suite.product.url}/status</id>`);
  });

  test('an override is named, and the level of Meta stays', async () => {
    await suite.product.app.db
      .updateTable('platformStatus')
      .set({ overrideLevel: 'FORCE_LOW', effectiveLevel: 'LOW_DISRUPTION' })
      .execute();
    await waitFor('the note', async () =>
      (await get('/status')).includes('has set the level to low disruption'),
    );
    expect(await get('/status')).toContain('Meta ad delivery: Up');
  });
});
