import { expect, test } from 'vitest';
import { keptLabel, rangeLabels, spentLabel } from './words.ts';

test.each([
  [{ low: 21_049, likely: 34_027, high: 45_951 }, 'EUR', { about: '€340', low: '€210', high: '€460' }],
  [{ low: 0, likely: 1_249_900, high: 2e6 }, 'USD', { about: '$12,000', low: '$0', high: '$20,000' }],
  [{ low: 12, likely: 123, high: 1234 }, 'USD', { about: '$1.20', low: '$0.12', high: '$12' }],
  [
    { low: 21_049, likely: 34_027, high: 45_951 },
    'JPY',
    { about: '¥34,000', low: '¥21,000', high: '¥46,000' },
  ],
  [{ low: 33_999, likely: 34_000, high: 34_100 }, 'EUR', { about: '€340', low: null, high: null }],
  [{ low: 1, likely: 2, high: 3 }, 'unknown', null],
])('[SPEND-02] the range %j of %s is shown as %j', (range, currency, labels) => {
  expect(rangeLabels(range, currency)).toEqual(labels);
});

test.each([
  [[], ''],
  [
    [{ low: 21_000, likely: 34_000, high: 46_000, currency: 'EUR' }],
    'about €340 kept (between €210 and €460)',
  ],
  [[{ low: 0, likely: 0, high: 0, currency: 'EUR' }], 'about €0 kept'],
  [
    [
      { low: 1000, likely: 2000, high: 3000, currency: 'JPY' },
      { low: 1000, likely: 2000, high: 3000, currency: 'unknown' },
      { low: 1000, likely: 2000, high: 3000, currency: 'USD' },
    ],
    'about ¥2,000 kept (between ¥1,000 and ¥3,000); about $20 kept (between $10 and $30)',
  ],
])('[SPEND-02] what %j kept is in words: %s', (kept, label) => {
  expect(keptLabel(kept)).toBe(label);
});

test.each([
  [
    { currency: 'USD', inside: 120.4, usual: 1380 },
    'In the hours of the outage it spent $1.20, usually about $14',
  ],
  [
    { currency: 'JPY', inside: 0, usual: 1380 },
    'In the hours of the outage it spent ¥0, usually about ¥1,400',
  ],
  [{ currency: '', inside: 1, usual: 2 }, null],
])('[SPEND-02] what one campaign spent in an outage: %j', (spent, label) => {
  expect(spentLabel(spent)).toBe(label);
});
