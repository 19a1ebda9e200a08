import { describe, expect, test } from 'vitest';
import { readPublished } from './published-outages.ts';

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

function read({
  orgs = ORGS,
  open = [],
  history = [],
}: {
  orgs?: unknown;
  open?: unknown;
  history?: unknown;
}) {
  const file = (path: string, content: unknown) => ({
    path,
    body: typeof content === 'string' ? content : JSON.stringify(content),
  });
  const files = [
    file('/data/orgs.json', orgs),
    file('/data/outages/ads-manager.json', open),
    file('/data/outages/ads-manager.history.json', history),
  ];
  return readPublished(files, [DELIVERY], []);
}

describe('[HIST-06] the outages in the stored files of the status page', () => {
  test('have their levels, in any order of posts and form of time', () => {
    const end = Date.parse('2026-03-17T02:04:00Z');
    const history = [
      outage('7', [
        ['Resolved', end],
        ['Recovering…', end / 1000 - 600],
        ['Medium disruptions', '2026-03-17T00:30:00Z'],
        ['High disruptions', '2026-03-17T01:00:00Z'],
      ]),
    ];
    expect(read({ history, open: history })).toMatchObject([
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
    expect(read({ history })).toEqual([]);
  });

  test('one that is in the list of open ones is open; without files there is none', () => {
    const open = [outage('1', [['High disruptions', '2026-03-20T11:00:00Z']])];
    const history = [outage('1', [['Resolved', '2026-03-20T11:30:00Z']])];
    expect(read({ open, history })).toMatchObject([{ isOpen: true, peak: 'HIGH_DISRUPTION' }]);
    expect(readPublished([], [DELIVERY], [])).toEqual([]);
    expect(read({ orgs: 'x', open })).toEqual([]);
  });
});
