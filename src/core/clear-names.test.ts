import { expect, test } from 'vitest';
import { clearNames, withClearNames } from './clear-names.ts';

const shoes = { id: '1', name: 'Shoes' };

test('[UX-17] campaigns of one name in a list have their ids, the others do not', () => {
  const all = [shoes, { id: '2', name: 'Hats' }, { id: '3', name: 'Shoes' }];
  const names = ['Shoes (1)', 'Hats', 'Shoes (3)'];
  expect(withClearNames(all).map(({ name }) => name)).toEqual(names);
  expect(withClearNames(withClearNames(all)).map(({ name }) => name)).toEqual(names);
});

test.each([
  ['of two ad accounts', { id: '2', accountId: 'act_6' }, 'Shoes'],
  ['of one ad account', { id: '2', accountId: 'act_5' }, 'Shoes (1)'],
  ['that is the same one', { accountId: 'act_5' }, 'Shoes'],
])('[UX-17] a campaign beside one of its name %s', (_title, over, name) => {
  const first = { ...shoes, accountId: 'act_5' };
  expect(clearNames([first, { ...first, ...over }])(first)).toBe(name);
});
