import { expect, test } from 'vitest';
import { days } from '#core/time.ts';
import { watchWebhooks } from './webhook-failures.ts';

test('counts the failures of each sender until its next accepted webhook', () => {
  const { handled, failures } = watchWebhooks();
  handled('stripe', false, 1000);
  handled('stripe', false, 2000);
  handled('meta', false, 1500);
  expect(failures(2000)).toEqual({ webhooksFailing: 3, oldestWebhookFailureAt: 1000 });
  handled('stripe', true, 3000);
  expect(failures(3000)).toEqual({ webhooksFailing: 1, oldestWebhookFailureAt: 1500 });
  handled('meta', true, 4000);
  expect(failures(4000)).toEqual({ webhooksFailing: 0, oldestWebhookFailureAt: null });
});

test('forgets a failure after a day', () => {
  const { handled, failures } = watchWebhooks();
  handled('stripe', false, 0);
  expect(failures(days(1) - 1).webhooksFailing).toBe(1);
  expect(failures(days(1)).webhooksFailing).toBe(0);
});
