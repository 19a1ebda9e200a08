import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpResult } from '../../http.ts';
import type { Remembered } from '../../platform.ts';
import { createStatusPage } from './status-page.ts';

const NOW = Date.parse('2026-01-09T02:10:00Z');
const FINE = 'No known issues';
const LOGIN = { id: 'facebook-login', services: [{ id: 8, name: 'Facebook Login', status: FINE }] };
const GRAPH = { id: 'graph-api', services: [{ id: 9, name: 'Platform Status', status: FINE }] };
const ORGS = '/data/orgs.json';
const OUTAGES = '/data/outages/ads-manager.json';
const UNKNOWN = { level: 'UNKNOWN', message: 'Unable to fetch status' };
const BROKEN: HttpResult = { ok: true, status: 500, headers: {}, body: '' };

/** What Meta answers by path; any other value than a response is sent as JSON. */
let files: Record<string, unknown>;
beforeEach(() => {
  files = shown(FINE);
});

const deliveryIs = (status: unknown) => ({ id: 1, name: 'Ads Delivery', status });
const adsManager = (services: unknown) => [
  { id: 'ads-manager', name: 'Ads Manager', services },
  LOGIN,
  GRAPH,
];
/** The service's own line, and the posts of its outage, the first one first. */
function shown(line: unknown, posts: string[] = []): Record<string, unknown> {
  const dated = posts.map((status, index) => ({ status, time: NOW / 1000 - 600 + index })).toReversed();
  const outages = posts.length === 0 ? [] : [{ service_id: 1, status: posts.at(-1), posts: dated }];
  return { [ORGS]: adsManager([deliveryIs(line)]), [OUTAGES]: outages };
}

function createPage(service = 'Ads Delivery', product = 'ads-manager') {
  const send = ({ url }: { url: URL }): Promise<HttpResult> => {
    const file = files[url.pathname] ?? '<!doctype html><title>Not found</title>';
    if (typeof file === 'object' && 'ok' in file) return Promise.resolve(file as HttpResult);
    const body = typeof file === 'string' ? file : JSON.stringify(file);
    return Promise.resolve({ ok: true, status: 200, headers: {}, body });
  };
  const http = { send, close: () => Promise.resolve() };
  return createStatusPage({ url: 'http://status.test/', services: [{ product, service }], http });
}
const NOTHING = { fileDates: {}, cleanSince: {}, now: NOW };
/** An observation with the watched services. */
async function observe(page = createPage(), remembered: Partial<Remembered> = {}) {
  const seen = await page.observe({ ...NOTHING, ...remembered });
  return { ...seen, watched: seen.components.filter(({ isWatched }) => isWatched) };
}

describe('reading the status page', () => {
  test('the message names the service and its status, and the files are passed on unchanged', async () => {
    files = shown('High disruptions', ['High disruptions']);
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
      files: [ORGS, OUTAGES].map((path) => ({ path, body: JSON.stringify(files[path]) })),
    });
  });

  test.each<[line: string, posts: string[], level: string, quote: string | null]>([
    [FINE, [], 'UP', FINE],
    ['Major disruptions', [], 'HIGH_DISRUPTION', 'Major disruptions'],
    ['Recently resolved', [], 'UP', 'Recently resolved'],
    // The worse of the line and the outage.
    ['Medium disruptions', [], 'MEDIUM_DISRUPTION', 'Medium disruptions'],
    [FINE, ['Medium disruptions'], 'MEDIUM_DISRUPTION', 'Medium disruptions'],
    // The last post that names a level counts while an outage recovers.
    ['Recovering…', ['High disruptions', 'Recovering…'], 'HIGH_DISRUPTION', 'Recovering…'],
    [
      FINE,
      ['Medium disruptions', 'recovering from an outage'],
      'MEDIUM_DISRUPTION',
      'recovering from an outage',
    ],
    [FINE, ['High disruptions', 'Low disruptions', 'Recovering…'], 'LOW_DISRUPTION', 'Recovering…'],
    [FINE, ['High disruptions', 'Recovering…', 'Recovering…'], 'HIGH_DISRUPTION', 'Recovering…'],
    [FINE, ['High disruptions', 'Resolved', 'Recovering…'], 'HIGH_DISRUPTION', 'Recovering…'],
    [
      FINE,
      ['High disruptions', 'Recovering…', 'Medium disruptions'],
      'MEDIUM_DISRUPTION',
      'Medium disruptions',
    ],
    [FINE, ['High disruptions', 'Recovering…', 'Resolved'], 'UP', FINE],
    [FINE, ['Wobbly', 'Recovering…'], 'UNKNOWN', null],
    [FINE, ['Recovering…'], 'UNKNOWN', null],
    // The line of a recovering service has the level of its open outage.
    ['Recovering…', ['Medium disruptions'], 'MEDIUM_DISRUPTION', 'Recovering…'],
    ['Recovering…', ['High disruptions', 'Resolved'], 'UNKNOWN', null],
    ['Recovering…', [], 'UNKNOWN', null],
    ['Wobbly', [], 'UNKNOWN', null],
  ])(
    '[ADMIN-05, FR-13] %j with an outage of %j is %s, in the words of the page',
    async (line, posts, level, quote) => {
      files = shown(line, posts);
      expect(await observe()).toMatchObject({ level, quote, isIncomplete: false, atLeast: null });
    },
  );

  test.each([
    ['orgs', ORGS, shown(FINE, ['Medium disruptions']), 'outage: Medium disruptions'],
    ['outages', OUTAGES, shown('Medium disruptions'), 'Medium disruptions'],
  ] as const)(
    '[FR-14] while %s is not read, the level in the other file is the least',
    async (_what, path, given, said) => {
      const page = createPage();
      await page.observe(NOTHING);
      files = { ...given, [path]: BROKEN };
      expect(await observe(page)).toMatchObject({
        ...{ level: 'UNKNOWN', isIncomplete: true },
        atLeast: { level: 'MEDIUM_DISRUPTION', message: 'Ads Delivery: Medium disruptions' },
        watched: [{ level: null, said: [said] }],
      });
      files = { ...shown('High disruptions', ['High disruptions']), [path]: BROKEN };
      expect(await observe(page)).toMatchObject({ level: 'HIGH_DISRUPTION', isIncomplete: false });
    },
  );

  test('[FR-14] recovering, while its outage is not read, is incomplete', async () => {
    files = { ...shown('Recovering…'), [OUTAGES]: BROKEN };
    expect(await observe()).toMatchObject({ level: 'UNKNOWN', isIncomplete: true, atLeast: null });
  });

  test.each<[what: string, files: Record<string, unknown>]>([
    ['no JSON at all', { [ORGS]: 'All good!' }],
    ['null', { [ORGS]: 'null' }],
    ['a number', { [ORGS]: 7 }],
    ['no products', { [ORGS]: [] }],
    ['a status that is a number', shown(0)],
    ['an empty status', shown('')],
    ['services that are no list', { [ORGS]: adsManager({ 'Ads Delivery': FINE }) }],
    ['no services', { [ORGS]: adsManager([]) }],
    ['another name', { [ORGS]: adsManager([{ ...deliveryIs(FINE), name: 'Ads Del1very' }]) }],
    ['outages that are an object', { [OUTAGES]: { none: true } }],
    ['an outage without a status', { [OUTAGES]: [{ service_id: 1 }] }],
    ['an outage of no service', { [OUTAGES]: [{ status: 'High disruptions' }] }],
    ['a deep nest', { [ORGS]: '['.repeat(20_000) + ']'.repeat(20_000) }],
    ['a prototype', { [ORGS]: '{"__proto__":[{"id":"ads-manager"}]}' }],
    ['no response', { [ORGS]: { ok: false, maybeSent: false, message: 'ECONNREFUSED' } }],
  ])('a page with %s is UNKNOWN', async (_what, broken) => {
    files = { ...files, ...broken };
    expect(await observe()).toMatchObject(UNKNOWN);
  });

  test.each<[what: string, sibling: unknown]>([
    ['no status', { id: 3, name: 'Ads Reporting' }],
    ['no name', { id: 3, status: 'Low disruptions' }],
    ['nothing', null],
  ])('[FR-15] a sibling with %s hides neither the watched service nor the login', async (_what, sibling) => {
    files = { ...shown('High disruptions'), [OUTAGES]: [{ service_id: 3 }, { service_id: 'x', posts: 7 }] };
    const login = { ...LOGIN, services: [...LOGIN.services, sibling] };
    files[ORGS] = [
      { id: 'ads-manager', services: [deliveryIs('Medium disruptions'), sibling] },
      login,
      GRAPH,
    ];
    const { level, loginDisrupted, components } = await observe();
    expect([level, loginDisrupted]).toEqual(['MEDIUM_DISRUPTION', false]);
    expect(components.map(({ name }) => name)).toEqual(['Ads Delivery', 'Facebook Login', 'Platform Status']);
  });

  test('[FR-15] a missing service or product is UNKNOWN, and named', async () => {
    expect(await observe(createPage('Ads Teleportation'))).toMatchObject({
      ...{ level: 'UNKNOWN', isIncomplete: false },
      watched: [{ name: 'Ads Teleportation', level: null, said: [] }],
    });
    expect(await observe(createPage('Ads Delivery', 'renamed-manager'))).toMatchObject({
      ...{ level: 'UNKNOWN', isIncomplete: false },
      trouble: expect.stringMatching(/renamed-manager\.json: no JSON/) as string,
      watched: [{ name: 'Ads Delivery', level: null, said: [] }],
    });
  });

  test.each([
    ['<!doctype html><title>Sorry', /^\/data\/orgs\.json: no JSON, but "<!doctype html.{0,90}"/],
    [{ ...BROKEN, status: 503 }, /^\/data\/orgs\.json: HTTP 503/],
    [
      { ok: false, maybeSent: false, message: 'ECONNREFUSED' },
      /^\/data\/orgs\.json: no response, ECONNREFUSED/,
    ],
  ])('what could not be read is reported briefly: %j', async (answer, words) => {
    files = { [ORGS]: answer, [OUTAGES]: `<!doctype html>${'x'.repeat(500)}` };
    const { level, trouble, loginDisrupted, files: read } = await observe();
    expect([level, trouble, loginDisrupted, read]).toEqual([
      'UNKNOWN',
      expect.stringMatching(words),
      null,
      [],
    ]);
    expect(trouble?.length).toBeLessThan(300);
  });

  test('unknown phrases are reported as they are, and shortened', async () => {
    files = shown(`Wobbly\u0000\n${'x'.repeat(500)}`);
    const [watched] = (await observe()).watched;
    expect(watched).toMatchObject({ level: null, said: [expect.stringMatching(/^Wobbly x{60,80}…$/)] });
  });

  test('[HIST-06] components are the services of the products that advertisers need; only the watched one counts', async () => {
    const reporting = { id: 3, name: 'Ads Reporting', status: 'Low disruptions' };
    const others = [{ id: 'whatsapp', services: [deliveryIs('High disruptions')] }];
    files[ORGS] = [...adsManager([deliveryIs(FINE), reporting]), ...others];
    const { components, level } = await observe();
    expect(level).toBe('UP');
    expect(components.map(({ product, name, level: own }) => `${product}: ${name} ${own ?? ''}`)).toEqual([
      'Ads Manager: Ads Delivery UP',
      'Ads Manager: Ads Reporting LOW_DISRUPTION',
      'facebook-login: Facebook Login UP',
      'graph-api: Platform Status UP',
    ]);
  });

  test('a disruption of login is reported beside the level; without its products it is unknown', async () => {
    const disrupted = { ...LOGIN, services: [deliveryIs('Wobbly')] };
    files[ORGS] = [...adsManager([deliveryIs(FINE)]).slice(0, 1), disrupted];
    expect(await observe()).toMatchObject({ level: 'UP', loginDisrupted: true });
    const products = adsManager([deliveryIs(FINE)]).slice(0, 2);
    for (const graph of [[], [{ ...GRAPH, services: [null] }]]) {
      files[ORGS] = [...products, ...graph];
      expect(await observe()).toMatchObject({ level: 'UP', loginDisrupted: null });
    }
  });

  test('the history file lists outages that are over; one that cannot be read is left out', async () => {
    const path = '/data/outages/ads-manager.history.json';
    expect(await createPage().readHistory()).toEqual([]);
    files[path] = '[{"id":1}]';
    expect(await createPage().readHistory()).toEqual([{ path, body: '[{"id":1}]' }]);
  });
});

describe('[ENG-23, FR-37] an open outage without a post for 12 hours, beside a clean line', () => {
  const HOUR = 3_600_000;
  const ago = (count: number) => new Date(NOW - count * HOUR).toISOString();
  const KEY = 'ads-manager/ads delivery';
  const LONG = { cleanSince: { [KEY]: NOW - 12 * HOUR } };
  const entry = (more: object = {}) => ({
    ...{ id: 7, service_id: 1, status: 'High disruptions', time: ago(240) },
    posts: [{ status: 'High disruptions', time: ago(12) }],
    ...more,
  });
  const show = (line: unknown, outage: object) => {
    files = { ...shown(line), [OUTAGES]: [outage] };
  };

  test.each<[what: string, line: string, outage: object, remembered: Partial<Remembered>, level: string]>([
    ['silent', FINE, entry(), LONG, 'UP'],
    ['also Recovering', FINE, entry({ status: 'Recovering…' }), LONG, 'UP'],
    ['also in unknown words', FINE, entry({ status: 'Wobbly' }), LONG, 'UP'],
    ['without posts', FINE, entry({ posts: [] }), LONG, 'UP'],
    ['on a new installation', FINE, entry(), {}, 'UP'],
    [
      'with a post of 11 hours ago',
      FINE,
      entry({ posts: [{ status: 'x', time: ago(11) }] }),
      LONG,
      'HIGH_DISRUPTION',
    ],
    [
      'with a post in the future',
      FINE,
      entry({ posts: [{ status: 'x', time: ago(-1) }] }),
      LONG,
      'HIGH_DISRUPTION',
    ],
    ['without posts, of today', FINE, entry({ posts: [], time: ago(1) }), LONG, 'HIGH_DISRUPTION'],
    ['without any time', FINE, entry({ posts: [], time: null }), LONG, 'HIGH_DISRUPTION'],
    ['with a post without a time', FINE, entry({ posts: [{ status: 'x' }] }), LONG, 'HIGH_DISRUPTION'],
    [
      'with one post of two without a time',
      FINE,
      entry({ posts: [{ status: 'x' }, { status: 'High disruptions', time: ago(20) }] }),
      LONG,
      'HIGH_DISRUPTION',
    ],
    [
      'beside a line clean for 11 hours',
      FINE,
      entry(),
      { cleanSince: { [KEY]: NOW - 11 * HOUR } },
      'HIGH_DISRUPTION',
    ],
    [
      'beside a line that has just become clean',
      FINE,
      entry(),
      { cleanSince: { [KEY]: null } },
      'HIGH_DISRUPTION',
    ],
    ['beside a disrupted line', 'Low disruptions', entry(), LONG, 'HIGH_DISRUPTION'],
    ['beside a recovering line', 'Recovering…', entry(), LONG, 'HIGH_DISRUPTION'],
  ])('%s', async (_what, line, outage, remembered, level) => {
    show(line, outage);
    const seen = await observe(createPage(), remembered);
    expect(seen).toMatchObject({ level, watched: [{ level }] });
    expect(seen.silentIncidents).toHaveLength(level === 'UP' ? 1 : 0);
  });

  const ODD: [what: string, orgs: unknown][] = [
    ['in unknown words', adsManager([deliveryIs('Scheduled maintenance')])],
    ['without a status', adsManager([deliveryIs(null)])],
    ['that the list lacks', adsManager([])],
    ['of a list without products', []],
  ];
  test.each(ODD)('a line %s neither revives it nor is clean', async (_what, orgs) => {
    const page = createPage();
    show(FINE, entry());
    const { cleanSince } = await observe(page, LONG);
    files[ORGS] = orgs;
    const odd = await observe(page, { cleanSince });
    expect(odd).toMatchObject({ ...UNKNOWN, isIncomplete: false, cleanSince: LONG.cleanSince });
    show(FINE, entry());
    expect(await observe(page, { cleanSince: odd.cleanSince })).toMatchObject({ level: 'UP' });
  });

  test('is named, and shown with its words', async () => {
    show(FINE, entry());
    const { silentIncidents, watched } = await observe(createPage(), LONG);
    const about = { id: '7', service: 'Ads Delivery', phrase: 'High disruptions' };
    expect(silentIncidents).toEqual([{ ...about, since: NOW - 240 * HOUR }]);
    expect(watched[0]?.said).toEqual([FINE, 'outage: High disruptions']);
  });

  test('hides no other outage', async () => {
    files = {
      ...shown(FINE),
      [OUTAGES]: [entry(), entry({ id: 8, status: 'Low disruptions', posts: [], time: ago(1) })],
    };
    expect(await observe(createPage(), LONG)).toMatchObject({ level: 'LOW_DISRUPTION' });
  });

  test.each<[line: unknown, before: number | null | undefined, after: number | null | undefined]>([
    [FINE, undefined, 0],
    [FINE, null, NOW],
    [FINE, NOW - HOUR, NOW - HOUR],
    ['High disruptions', NOW - HOUR, null],
    ['Recovering…', NOW - HOUR, null],
    ['Wobbly', NOW - HOUR, NOW - HOUR],
    ['Wobbly', null, null],
    ['Wobbly', undefined, undefined],
    [null, NOW - HOUR, NOW - HOUR],
    [BROKEN, NOW - HOUR, NOW - HOUR],
    [BROKEN, undefined, undefined],
  ])('the line says %j, clean since %s before: %s', async (line, before, after) => {
    files = line === BROKEN ? { ...files, [ORGS]: BROKEN } : shown(line);
    const cleanSince = before === undefined ? {} : { [KEY]: before };
    expect((await observe(createPage(), { cleanSince })).cleanSince[KEY]).toBe(after);
  });

  test('while the line is not read, it still does not count', async () => {
    const page = createPage();
    show(FINE, entry());
    await observe(page, LONG);
    files[ORGS] = BROKEN;
    expect(await observe(page, LONG)).toMatchObject({ isIncomplete: true, atLeast: null });
  });

  test('of two products, each by its own line', async () => {
    const two = { product: 'graph-api', service: 'Platform Status' };
    const http = {
      send: ({ url }: { url: URL }): Promise<HttpResult> =>
        Promise.resolve({ ok: true, status: 200, headers: {}, body: JSON.stringify(files[url.pathname]) }),
      close: () => Promise.resolve(),
    };
    const services = [{ product: 'ads-manager', service: 'Ads Delivery' }, two];
    const page = createStatusPage({ url: 'http://status.test/', services, http });
    show(FINE, entry());
    files['/data/outages/graph-api.json'] = [entry({ service_id: 9 })];
    const since = { [KEY]: NOW - 12 * HOUR, 'graph-api/platform status': NOW - HOUR };
    const { level, silentIncidents, cleanSince } = await observe(page, { cleanSince: since });
    expect([level, silentIncidents.map(({ service }) => service)]).toEqual([
      'HIGH_DISRUPTION',
      ['Ads Delivery'],
    ]);
    expect(cleanSince).toEqual(since);
  });
});
