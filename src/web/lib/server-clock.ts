import { clockDifference } from '#core/clock-difference.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** By how much the server's clock is ahead of this computer's, which may be wrong. */
let aheadMs = 0;

/** The time of all pages: they compare it with times from the server. */
export const serverNow = (): Instant => Date.now() + aheadMs;

/** What this computer's clock called `at`. */
export const inServerTime = (at: number): Instant => at + aheadMs;

/** Awaits the response, and reads the server's clock from its date, which has no milliseconds. */
export async function readServerClock(sending: Promise<Response>): Promise<Response> {
  const sentAt = Date.now();
  const response = await sending;
  const at = Date.parse(response.headers.get('date') ?? '');
  const reading = { sentAt, at, receivedAt: Date.now() };
  if (!Number.isNaN(at)) aheadMs = clockDifference(aheadMs, reading, seconds(1));
  return response;
}
