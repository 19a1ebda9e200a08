import { describe, expect, test } from 'vitest';
import { holdsUp, nextTryAt } from './deliveries.ts';
import { days, hours, minutes, seconds } from './time.ts';

describe('a notification that could not be sent', () => {
  const at = (attempts: number, ageMs: number, isPermanent = false, random = 1) =>
    nextTryAt({ channel: 'email', createdAt: 0, attempts, isPermanent, random }, ageMs);

  test('is retried with increasing delays of at most half an hour', () => {
    expect([1, 2, 3, 4, 5].map((attempts) => at(attempts, 0))).toEqual([5, 10, 20, 40, 80].map(seconds));
    expect(at(30, 0)).toBe(minutes(30));
  });

  test('expires after five days, or after one day if refused', () => {
    expect(at(9, days(5) - 1)).not.toBeNull();
    expect(at(9, days(5))).toBeNull();
    expect(at(9, days(1) - 1, true)).not.toBeNull();
    expect(at(9, days(1), true)).toBeNull();
  });

  test('[CHAN-02] goes to a webhook ten times, as Standard Webhooks says', () => {
    const waits: number[] = [];
    for (let now = 0; ; now += waits.at(-1) ?? 0) {
      const failed = { createdAt: 0, attempts: waits.length + 1, isPermanent: false, random: 0 };
      const next = nextTryAt({ channel: 'webhook', ...failed }, now);
      if (next === null) break;
      waits.push(next - now);
    }
    const inHours = [2, 5, 10, 14, 20, 24].map(hours);
    expect(waits).toEqual([seconds(5), minutes(5), minutes(30), ...inHours]);
  });

  test.each([
    ['asks for a minute', 1, { retryAfterMs: minutes(1) }, minutes(1)],
    ['asks for less than the schedule', 2, { retryAfterMs: minutes(1) }, minutes(5)],
    ['asks for a year', 1, { retryAfterMs: days(365) }, days(1)],
    ['refuses the message itself', 1, { isPermanent: true }, seconds(5)],
  ])('[CHAN-02] a webhook that %s', (_title, attempts, more, expected) => {
    const failed = { channel: 'webhook', createdAt: -minutes(6), attempts, random: 0 } as const;
    expect(nextTryAt({ ...failed, isPermanent: false, ...more }, 0)).toBe(expected);
  });

  test('[CHAN-02] further notifications use up no attempt: a receiver that is back waits no longer than it was down', () => {
    const failed = { channel: 'slack', createdAt: 0, isPermanent: false, random: 0 } as const;
    const after = (attempts: number, age: number) => (nextTryAt({ ...failed, attempts }, age) ?? 0) - age;
    expect([3, 9, 50].map((attempts) => after(attempts, minutes(20)))).toEqual(Array(3).fill(minutes(30)));
    // A slow failure, and one whose first attempt was late, go by their attempts.
    expect([1, 2].map((attempts) => after(attempts, hours(70)))).toEqual([seconds(5), minutes(5)]);
    expect(nextTryAt({ ...failed, attempts: 1, isPermanent: true }, 0)).toBeNull();
  });

  test('[CHAN-02] what a receiver refuses twice holds up no later message; what it could not take does', () => {
    const of = (attempts: number, isPermanent: boolean) => holdsUp({ attempts, isPermanent });
    expect([of(1, true), of(2, true), of(30, false)]).toEqual([true, false, true]);
  });
});
