import { expect, test } from 'vitest';
import { CENTS } from './budget-order.ts';
import { WHOLE_UNITS } from './money.ts';

test('budgets of all currencies are compared in US cents', () => {
  const cents = (amount: number, currency: string): number => Math.round(amount * (CENTS[currency] ?? 1));
  expect(cents(900_000, 'USD')).toBe(900_000);
  // A million won, counted in whole units, are some hundred dollars.
  expect(cents(1_000_000, 'KRW')).toBeLessThan(cents(900_000, 'USD') / 10);
  expect(cents(100, 'EUR')).toBeGreaterThan(100);
  expect(cents(100, 'XXX')).toBe(100);
  for (const [currency, value] of Object.entries(CENTS))
    expect([currency, value > 0 && value < 4]).toEqual([currency, true]);
  for (const currency of WHOLE_UNITS) expect(CENTS).toHaveProperty(currency);
});
