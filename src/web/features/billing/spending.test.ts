import { expect, test } from 'vitest';
import { hours } from '#core/time.ts';
import type { OwnList } from './spending.ts';
import { budgetsFor, runningIn, spendingLabel } from './spending.ts';

const campaign = (id: string, more: object = {}) => ({
  ...{ id, name: id, status: 'ACTIVE', objective: '', smartPauseSetting: 'OFF' as const },
  ...{ dailyBudget: 2400, ...more },
});
const list = (currency: string, ...campaigns: ReturnType<typeof campaign>[]): OwnList => ({
  account: { id: `act_${currency}`, name: currency, currency },
  campaigns,
});

test.each<[string, OwnList[], number, string | null, string | null]>([
  ['no list', [], 0, null, null],
  ['a list that could not be read', [{ ...list('USD'), campaigns: undefined }], 0, null, null],
  [
    'campaigns that do not run',
    [
      list(
        'USD',
        campaign('1', { status: 'PAUSED' }),
        campaign('2', { undelivered: { why: 'ended', at: '' } }),
      ),
    ],
    0,
    null,
    null,
  ],
  [
    'one budget of two',
    [list('USD', campaign('1'), campaign('2', { dailyBudget: null }))],
    2,
    'at least $24/day, 1 budget not known',
    '$2.00',
  ],
  ['a large budget', [list('USD', campaign('1', { dailyBudget: 41_628 }))], 1, '$416.28/day', '$35'],
  [
    'two currencies',
    [list('USD', campaign('1')), list('JPY', campaign('2'))],
    2,
    '$24/day + ¥2,400/day',
    '$2.00 + ¥200',
  ],
])('[UX-24] the running campaigns and their budgets: %s', (_name, lists, running, label, inTwoHours) => {
  expect(lists.flatMap(runningIn)).toHaveLength(running);
  expect([spendingLabel(lists), budgetsFor(lists, hours(2)), budgetsFor(lists, 0)]).toEqual([
    label,
    inTwoHours,
    null,
  ]);
});
