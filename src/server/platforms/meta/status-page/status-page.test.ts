import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSimulators } from '../../../../../test/support/simulators.ts';
import { startSimulators } from '../../../../../test/support/simulators.ts';
import type { Http } from '../../http.ts';
import { createHttp } from '../../http.ts';
import { createStatusPage } from './status-page.ts';
import type { StatusPage } from './status-page.ts';

describe('reading the status page', () => {
  let simulators: LocalSimulators;
  let http: Http;
  let page: StatusPage;

  beforeAll(async () => {
    simulators = await startSimulators();
    http = createHttp();
  });
  afterAll(async () => {
    await http.close();
    await simulators.stop();
  });
  afterEach(() => simulators.status.post('/reset'));

  const watch = (service = 'Ads Delivery', product = 'ads-manager'): void => {
    const url = simulators.status.url;
    page = createStatusPage({ url, services: [{ product, service }], http });
  };
  /** An observation with the watched services. */
  const observe = async () => {
    const seen = await page.observe();
    return { ...seen, watched: seen.components.filter(({ isWatched }) => isWatched) };
  };
  const level = async (): Promise<string> => (await observe()).level;

  test('the message names the service and its status', async () => {
    watch();
    await simulators.status.reports('High disruptions');
    expect(await observe()).toMatchObject({
      level: 'HIGH_DISRUPTION',
      message: 'Ads Delivery: High disruptions',
      quote: 'High disruptions',
      loginDisrupted: false,
      watched: [
        {
          name: 'Ads Delivery',
          level: 'HIGH_DISRUPTION',
          said: ['High disruptions', 'outage: High disruptions'],
        },
      ],
      trouble: null,
    });
  });

  test.each(['No known issues', 'Major disruptions', 'Recently resolved'])(
    '[ADMIN-05] the quote is the page’s text, unchanged: %s',
    async (phrase) => {
      watch();
      await simulators.status.post('/status', { status: phrase, only: 'orgs' });
      expect(await observe()).toMatchObject({ message: `Ads Delivery: ${phrase}`, quote: phrase });
    },
  );

  test.each([
    [['High disruptions', 'Recovering…'], 'HIGH_DISRUPTION'],
    [['Medium disruptions', 'recovering from an outage'], 'MEDIUM_DISRUPTION'],
    [['High disruptions', 'Low disruptions', 'Recovering…'], 'LOW_DISRUPTION'],
    [['High disruptions', 'Recovering…', 'Recovering…'], 'HIGH_DISRUPTION'],
    [['High disruptions', 'Recovering…', 'Medium disruptions'], 'MEDIUM_DISRUPTION'],
    [['High disruptions', 'Recovering…', 'Resolved'], 'UP'],
    [['Wobbly', 'Recovering…'], 'UNKNOWN'],
    [['Recovering…'], 'UNKNOWN'],
  ])('[ADMIN-05] an outage with the posts %j is %s', async (phrases, expected) => {
    watch();
    const from = Date.parse('2026-01-09T02:10:00Z');
    for (const [index, status] of phrases.entries()) {
      const at = new Date(from + index * 60_000).toISOString();
      await simulators.status.post('/status', { status, at });
    }
    expect(await level()).toBe(expected);
  });

  test.each([
    ['orgs', 'MEDIUM_DISRUPTION', 'Recovering…'],
    ['outages', 'MEDIUM_DISRUPTION', 'Medium disruptions'],
  ] as const)(
    '[ADMIN-05] recovering only in %s: the outage keeps its level',
    async (only, expected, quote) => {
      watch();
      await simulators.status.reports('Medium disruptions');
      await simulators.status.post('/status', { status: 'Recovering…', only });
      expect(await observe()).toMatchObject({ level: expected, quote });
    },
  );

  test('[ADMIN-05] recovering without an open outage is UNKNOWN', async () => {
    watch();
    await simulators.status.reports('High disruptions');
    await simulators.status.post('/status', { status: 'Resolved', only: 'outages' });
    await simulators.status.post('/status', { status: 'Recovering…', only: 'orgs' });
    expect(await level()).toBe('UNKNOWN');
  });

  test.each(['orgs', 'outages'] as const)('a disruption only in %s counts', async (only) => {
    watch();
    await simulators.status.post('/status', { status: 'Medium disruptions', only });
    expect(await level()).toBe('MEDIUM_DISRUPTION');
  });

  test.each([
    ['orgs', 'outages', 'outage: Medium disruptions'],
    ['outages', 'orgs', 'Medium disruptions'],
  ] as const)('[FR-14] while %s is not read, the level in %s is the least', async (broken, only, said) => {
    watch();
    expect(await level()).toBe('UP');
    await simulators.status.post('/status', { status: 'Medium disruptions', only });
    await simulators.status.fault({ kind: 'http', http: 500, times: 0, match: { path: broken } });
    expect(await observe()).toMatchObject({
      ...{ level: 'UNKNOWN', isIncomplete: true },
      atLeast: { level: 'MEDIUM_DISRUPTION', message: 'Ads Delivery: Medium disruptions' },
      watched: [{ level: null, said: [said] }],
    });
    await simulators.status.post('/status', { status: 'High disruptions', only });
    expect(await observe()).toMatchObject({ level: 'HIGH_DISRUPTION', isIncomplete: false });
  });

  test.each([
    ['an unknown phrase', { status: 'Wobbly', only: 'orgs' }],
    ['recovering without its outage', { status: 'Recovering…', only: 'orgs' }],
  ])('[FR-14] a file that is read but not understood is complete: %s', async (_what, status) => {
    watch();
    await simulators.status.post('/status', status);
    expect(await observe()).toMatchObject({ level: 'UNKNOWN', isIncomplete: false, atLeast: null });
  });

  test('[FR-14] recovering, while its outage is not read, is incomplete', async () => {
    watch();
    await simulators.status.post('/status', { status: 'Recovering…', only: 'orgs' });
    await simulators.status.fault({ kind: 'html', times: 0, match: { path: 'outages' } });
    expect(await observe()).toMatchObject({ level: 'UNKNOWN', isIncomplete: true, atLeast: null });
  });

  test('[FR-15] a missing service or product is UNKNOWN, and named', async () => {
    const nothing = { level: 'UNKNOWN', isIncomplete: false };
    watch('Ads Teleportation');
    expect(await observe()).toMatchObject({
      ...nothing,
      watched: [{ name: 'Ads Teleportation', level: null, said: [] }],
    });
    watch('Ads Delivery', 'renamed-manager');
    expect(await observe()).toMatchObject({
      ...nothing,
      trouble: expect.stringMatching(/renamed-manager\.json: no JSON/) as string,
      watched: [{ name: 'Ads Delivery', level: null, said: [] }],
    });
  });

  test('an unavailable page is UNKNOWN, and the login status is unknown', async () => {
    const gone = createStatusPage({
      url: 'http://127.0.0.1:9',
      services: [{ product: 'ads-manager', service: 'Ads Delivery' }],
      http,
    });
    expect(await gone.observe()).toEqual({
      level: 'UNKNOWN',
      message: 'Unable to fetch status',
      quote: null,
      isIncomplete: true,
      atLeast: null,
      loginDisrupted: null,
      components: [{ product: 'ads-manager', name: 'Ads Delivery', level: null, said: [], isWatched: true }],
      trouble: expect.stringMatching(
        /^\/data\/orgs\.json: no response, .*ECONNREFUSED; \/data\/outages\//,
      ) as string,
      files: [],
    });
    expect(await gone.readHistory()).toEqual([]);
  });

  test('the files are passed on unchanged, also when the page says that they are unchanged', async () => {
    watch();
    await simulators.status.reports('High disruptions');
    const raw = async (path: string) => (await fetch(simulators.status.url + path)).text();
    const paths = ['/data/orgs.json', '/data/outages/ads-manager.json'];
    const expected = await Promise.all(paths.map(async (path) => ({ path, body: await raw(path) })));
    expect((await observe()).files).toEqual(expected);
    expect((await observe()).files).toEqual(expected);
  });

  test('the history file lists outages that are over', async () => {
    watch();
    await simulators.status.reports('High disruptions');
    expect(await page.readHistory()).toEqual([
      { path: '/data/outages/ads-manager.history.json', body: '[]' },
    ]);
    await simulators.status.reports('Resolved');
    const [file] = await page.readHistory();
    expect(JSON.parse(file?.body ?? '')).toMatchObject([{ service_id: 2, status: 'Resolved' }]);
  });

  test.each([
    [{ kind: 'html' }, /orgs\.json: no JSON, but "<!doctype html.{0,90}"/i],
    [{ kind: 'http', http: 503 }, /orgs\.json: HTTP 503/],
    [{ kind: 'truncated' }, /orgs\.json: no JSON, but/],
    [{ kind: 'reset' }, /orgs\.json: no response, /],
  ])('what could not be read is reported briefly: %j', async (fault, words) => {
    watch();
    await simulators.status.fault({ ...fault, times: 0 });
    const { level: seen, trouble } = await observe();
    await simulators.status.ask('DELETE', '/faults');
    expect([seen, trouble]).toEqual(['UNKNOWN', expect.stringMatching(words)]);
    expect(trouble?.length).toBeLessThan(300);
  });

  test('unknown phrases are reported as they are, and shortened', async () => {
    watch();
    await simulators.status.reports(`Wobbly\u0000\n${'x'.repeat(500)}`);
    const [said] = (await observe()).watched;
    expect(said).toMatchObject({ level: null });
    expect(said?.said[0]).toMatch(/^Wobbly x{60,80}…$/);
  });

  test('[HIST-06] components are the services of the products that advertisers need', async () => {
    watch();
    await simulators.status.post('/status', { service: 'Ads Reporting', status: 'Low disruptions' });
    const { components, level: worst } = await page.observe();
    // Only the watched service counts.
    expect(worst).toBe('UP');
    expect(components.map(({ product, name, level: own }) => `${product}: ${name} ${own ?? ''}`)).toEqual([
      'Facebook Ads Manager: Ads Delivery UP',
      'Facebook Ads Manager: Ads Creation and Editing UP',
      'Facebook Ads Manager: Ads Reporting LOW_DISRUPTION',
      'Marketing API: Marketing API UP',
      'Graph API: Platform Status UP',
      'Facebook Login: Facebook Login UP',
    ]);
  });

  test('a disruption of login is reported beside the level', async () => {
    watch();
    await simulators.status.post('/status', {
      org: 'facebook-login',
      service: 'Facebook Login',
      status: 'Medium disruptions',
    });
    expect(await observe()).toMatchObject({ level: 'UP', loginDisrupted: true });
  });
});
