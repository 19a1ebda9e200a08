import { expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import { findTargets } from './targets.ts';

const campaign = (id: string, name: string): Campaign => ({
  ...{ id, name, status: 'ACTIVE', objective: '', smartPauseSetting: 'OFF' as const },
});
const lind = { id: 'act_1', name: 'Lind Outdoor' };
const vale = { id: 'act_2', name: 'Juniper & Vale' };
const searched = {
  pages: [
    { to: '/', label: 'Campaigns' },
    { to: '/settings', label: 'Settings' },
  ],
  accounts: [lind, vale],
  lists: [
    { account: lind, campaigns: [campaign('120000001', 'Été tents'), campaign('120000002', 'Winter coats')] },
    { account: vale, campaigns: [campaign('120000003', 'Winter tents')] },
  ],
};
const shown = (query: string) =>
  findTargets(query, searched).map(({ label, targets }) => [label, ...targets.map((one) => one.label)]);

test.each([
  [
    '',
    [
      ['Pages', 'Campaigns', 'Settings'],
      ['Ad accounts', 'Lind Outdoor', 'Juniper & Vale'],
    ],
  ],
  ['sett', [['Pages', 'Settings']]],
  ['vale juniper', [['Ad accounts', 'Juniper & Vale']]],
  ['tents', [['Campaigns', 'Été tents', 'Winter tents']]],
  ['ete', [['Campaigns', 'Été tents']]],
  ['120000002', [['Campaigns', 'Winter coats']]],
  ['nothing like it', []],
])('%j finds pages, ad accounts and campaigns', (query, expected) => {
  expect(shown(query)).toEqual(expected);
});

test('a result leads to its account, and a campaign to exactly itself', () => {
  const [tents] = findTargets('winter tents', searched);
  expect(tents?.targets).toEqual([
    {
      id: 'campaign 120000003',
      label: 'Winter tents',
      description: 'Juniper & Vale',
      to: '/?account=act_2&q=120000003',
    },
  ]);
});

test('shows ten campaigns and says how many more there are', () => {
  const many = Array.from({ length: 13 }, (_, n) => campaign(String(n), `Shoes ${n}`));
  const [shoes] = findTargets('shoes', {
    pages: [],
    accounts: [],
    lists: [{ account: lind, campaigns: many }],
  });
  expect([shoes?.targets.length, shoes?.more]).toEqual([10, 3]);
});
