import { expect, test } from 'vitest';
import { NO_DELIVERY, noDelivery, noDeliveryAdvice, noDeliveryLabel } from './account-delivery.ts';
import { days } from './time.ts';

const NOW = Date.parse('2026-03-16T23:30:00Z');
const of = (accountStatus: number | null, disableReason: number | null = 0, seenAt = NOW) =>
  noDelivery({ accountStatus, disableReason, seenAt }, NOW);

test.each([
  [null, null],
  [0, null],
  [1, null],
  [2, 'disabled'],
  [3, 'payment_overdue'],
  [7, 'in_review'],
  [8, null],
  [9, null],
  [100, 'closing'],
  [101, 'closed'],
  [201, null],
  [202, null],
  [999, null],
  [-3, null],
])('[FR-30, ENG-24] an ad account with the status %s: %s', (status, reason) => {
  expect(of(status)).toBe(reason);
});

test.each([
  [null, 'disabled'],
  [0, 'disabled'],
  [1, 'disabled_policy'],
  [2, 'disabled'],
  [3, 'disabled_payment'],
  [4, 'disabled'],
  [7, 'closed'],
  [8, 'disabled'],
  [9, 'disabled'],
  [15, 'disabled'],
  [999, 'disabled'],
])('[FR-30] a disabled one for the reason %s: %s', (disableReason, reason) => {
  expect(of(2, disableReason)).toBe(reason);
  expect(of(3, disableReason)).toBe('payment_overdue');
  expect(of(1, disableReason)).toBeNull();
});

test('[FR-30] a status that was read a day ago says nothing', () => {
  expect(of(3, 0, NOW - days(1) + 1)).toBe('payment_overdue');
  expect(of(3, 0, NOW - days(1))).toBeNull();
});

test('[FR-30] each reason says what is the matter and what to do, in short sentences', () => {
  expect(noDeliveryLabel('payment_overdue')).toBe('Not delivering: a payment is overdue');
  expect(noDeliveryAdvice('payment_overdue')).toMatch(/^Settle it in Ads Manager\. Until/);
  for (const reason of NO_DELIVERY) {
    const text = `${noDeliveryLabel(reason)}. ${noDeliveryAdvice(reason)}`;
    for (const sentence of text.split('. ')) expect(sentence.split(' ').length).toBeLessThanOrEqual(18);
  }
});
