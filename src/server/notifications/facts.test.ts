import { expect, test } from 'vitest';
import { withClearNames } from './facts.ts';

const shoes = { campaignId: '1', name: 'Shoes', accountId: 'act_5', account: 'Lind' };

test.each([
  [
    'one ad account',
    { campaignId: '2' },
    [
      ['Shoes (1)', 'Lind'],
      ['Shoes (2)', 'Lind'],
    ],
  ],
  [
    'two ad accounts',
    { campaignId: '2', accountId: 'act_6', account: 'Chen' },
    [
      ['Shoes', 'Lind'],
      ['Shoes', 'Chen'],
    ],
  ],
  [
    'two ad accounts of one name',
    { campaignId: '2', accountId: 'act_6' },
    [
      ['Shoes', 'Lind (act_5)'],
      ['Shoes', 'Lind (act_6)'],
    ],
  ],
])('campaigns of one name in %s can be told apart', (_title, over, names) => {
  const other = { ...shoes, ...over };
  const shown = [...withClearNames([shoes], [other]), ...withClearNames([other], [shoes])];
  expect(shown.map(({ name, account }) => [name, account])).toEqual(names);
});

test.each([
  ['short', 'Shoes', 'Shoes'],
  ['indented', '  Shoes', 'Shoes'],
  ['cut', 'x'.repeat(400), `${'x'.repeat(99)}…`],
])('a name in an email is one line, not too long: %s', (_title, name, shown) => {
  const campaign = { ...shoes, name };
  const [clear] = withClearNames([campaign], [{ ...campaign, campaignId: '2' }]);
  expect(clear?.name).toBe(`${shown} (1)`);
});
