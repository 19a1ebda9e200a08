import { describe, expect, test } from 'vitest';
import { readPublished } from './published-outages.ts';

const NOW = Date.parse('2026-03-20T12:00Z');
const DELIVERY = { product: 'ads-manager', service: 'Ads Delivery' };
const ORGS = [
  {
    id: 'ads-manager',
    name: 'Facebook Ads Manager',
    services: [
      { id: 2, name: 'Ads Delivery', status: 'No known issues' },
      { id: 3, name: 'Ads Reporting', status: 'Low disruptions' },
    ],
  },
  { id: 'graph-api', services: [{ id: 3, name: 'Platform Status', status: 'Wobbly' }] },
  { id: 'whatsapp-business-api', services: [{ id: 1, name: 'Cloud API', status: 'High disruptions' }] },
];
const outage = (id: string, posts: [status: string, time: unknown][], service = 2) => ({
  id,
  service_id: service,
  status: posts[0]?.[0] ?? 'High disruptions',
  time: posts[0]?.[1] ?? '2026-03-17T00:30:00Z',
  posts: posts.map(([status, time]) => ({ status, time, description: '…' })),
});

function read(given: {
  orgs?: unknown;
  open?: unknown;
  history?: unknown;
  ageMs?: number;
  /** The first read of this version of the list of services. */
  orgsFirstAt?: number;
}) {
  const { orgs = ORGS, open = [], history = [], ageMs = 0, orgsFirstAt = NOW - 600_000 } = given;
  const file = (path: string, content: unknown) => ({
    path,
    body: typeof content === 'string' ? content : JSON.stringify(content),
    firstAt: NOW - 600_000,
    lastAt: NOW - ageMs,
  });
  const files = [
    { ...file('/data/orgs.json', orgs), firstAt: orgsFirstAt, lastAt: NOW },
    file('/data/outages/ads-manager.json', open),
    file('/data/outages/ads-manager.history.json', history),
  ];
  return readPublished(files, { services: [DELIVERY], freshSince: NOW - 60_000 });
}

describe('[HIST-06] the stored files of the status page', () => {
  test('give the current level of each component that advertisers need', () => {
    expect(read({}).components).toEqual([
      {
        product: 'Facebook Ads Manager',
        name: 'Ads Delivery',
        level: 'UP',
        words: 'No known issues',
        isWatched: true,
      },
      {
        product: 'Facebook Ads Manager',
        name: 'Ads Reporting',
        level: 'LOW_DISRUPTION',
        words: 'Low disruptions',
        isWatched: false,
      },
      { product: 'graph-api', name: 'Platform Status', level: 'UNKNOWN', words: 'Wobbly', isWatched: false },
    ]);
  });

  test('an open outage is worse than the own line; old files say nothing about now', () => {
    const open = [outage('1', [['High disruptions', '2026-03-20T11:00:00Z']])];
    expect(read({ open }).components[0]?.level).toBe('HIGH_DISRUPTION');
    const old = read({ open, ageMs: 61_000 });
    expect(read({ open, orgsFirstAt: NOW, ageMs: 10_000 }).components[0]?.level).toBe('HIGH_DISRUPTION');
    expect(old.components.map(({ level }) => level)).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    expect(old.incidents).toMatchObject([{ isOpen: true }]);
  });

  test('[FR-14] a line that became clean while its outages were not read is not yet UP', () => {
    const levels = read({ orgsFirstAt: NOW, ageMs: 10_000 }).components.map(({ level }) => level);
    expect(levels).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    expect(read({ orgsFirstAt: NOW }).components[0]?.level).toBe('UP');
  });

  test('give former outages with their levels, in any order of posts and form of time', () => {
    const end = Date.parse('2026-03-17T02:04:00Z');
    const history = [
      outage('7', [
        ['Resolved', end],
        ['Recovering…', end / 1000 - 600],
        ['Medium disruptions', '2026-03-17T00:30:00Z'],
        ['High disruptions', '2026-03-17T01:00:00Z'],
      ]),
    ];
    const { incidents } = read({ history, open: history });
    expect(incidents).toMatchObject([
      {
        source: 'meta',
        components: ['Ads Delivery'],
        isWatched: true,
        startedAt: Date.parse('2026-03-17T00:30:00Z'),
        endedAt: end,
        peak: 'HIGH_DISRUPTION',
        isOpen: false,
        levels: [{ level: 'MEDIUM_DISRUPTION' }, { level: 'HIGH_DISRUPTION' }, { level: 'UP' }],
      },
    ]);
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['null', null],
    ['no list', { a: 1 }],
    ['no outages', [null, 7, { id: 'x' }]],
    ['no known time', [outage('1', [['High disruptions', 'soon']])]],
    ['an unknown phrase', [outage('1', [['Wobbly', '2026-03-17T00:30:00Z']])]],
    ['another service', [outage('1', [['High disruptions', '2026-03-17T00:30:00Z']], 99)]],
  ])('a history with %s gives no incident', (_what, history) => {
    expect(read({ history }).incidents).toEqual([]);
  });

  test('without files there is nothing', () => {
    expect(readPublished([], { services: [DELIVERY], freshSince: NOW })).toEqual({
      components: [],
      incidents: [],
    });
    expect(read({ orgs: 'x' }).components).toEqual([]);
  });
});
