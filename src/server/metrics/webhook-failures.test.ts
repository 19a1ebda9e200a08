import { expect, test } from 'vitest';
import { days } from '#core/time.ts';
import { watchWebhooks } from './webhook-failures.ts';

test('counts the failures of each sender until its next accepted webhook', () => {
  const { handled, failures } = watchWebhooks();
  handled('stripe', false, 1000);
  handled('stripe', false, 2000);
  handled('meta', false, 1500);
  expect(failures(2000)).toEqual({ failing: 3, oldest: 1000 });
  handled('stripe', true, 3000);
  expect(failures(3000)).toEqual({ failing: 1, oldest: 1500 });
  handled('meta', true, 4000);
  expect(failures(4000)).toEqual({ failing: 0, oldest: null });
});

test('forgets a failure after a day', () => {
  const { handled, failures } = watchWebhooks();
  handled('stripe', false, 0);
  expect(failures(days(1) - 1).failing).toBe(1);
  expect(failures(days(1)).failing).toBe(0);
});
