import { expect, test } from 'vitest';
import type { Coverage } from './coverage.ts';
import { NO_SPEND, spendLabel, totalOf } from './coverage.ts';
import { moneyLabel } from './money.ts';

const open = (currency: string | undefined, budgets: readonly (number | null)[]): Coverage => {
  const budget = budgets.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const unknownBudgets = budgets.filter((one) => one === null).length;
  const spend = { count: budgets.length, budget, unknownBudgets };
  return { currency, protected: { ...NO_SPEND, count: 9 }, open: spend, blocked: NO_SPEND };
};

test.each([
  [null, []],
  [null, [open('EUR', [])]],
  ['€710/day', [open('EUR', [60_000, 11_000])]],
  ['€710.50/day', [open('EUR', [71_050])]],
  ['at least €710/day, 2 budgets unknown', [open('EUR', [71_000, null, null])]],
  ['1 budget unknown', [open('EUR', [null])]],
  ['€710/day and $50/day', [open('EUR', [70_000]), open('USD', [5000]), open('EUR', [1000])]],
  ['at least ¥3,000/day, 1 budget unknown', [open('JPY', [3000]), open('USD', [null])]],
  // Its unit is not known.
  ['2 budgets unknown', [open(undefined, [5000]), open('euro', [5000])]],
])('[UX-19] the daily budgets of several ad accounts: %s', (label, accounts) => {
  expect(spendLabel(totalOf(accounts, ['open', 'blocked']))).toBe(label);
});

test.each([
  ['$50.00', 5000, 'USD', false],
  ['$50', 5000, 'USD', true],
  ['¥5,000', 5000, 'JPY', false],
  [null, 5000, 'usd', true],
  [null, 5000, undefined, false],
])('money: %s', (label, amount, currency, short) => {
  expect(moneyLabel(amount, currency, short)).toBe(label);
});
