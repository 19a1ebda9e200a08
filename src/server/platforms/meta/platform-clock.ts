import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';

/** The Date header has a resolution of one second. */
const RESOLUTION_MS = seconds(1);
/** A larger difference means a wrong header, not a wrong clock. */
const MAX_DIFFERENCE_MS = days(1);

export interface DatedResponse {
  /** The Date header of a response. */
  date: string | undefined;
  sentAt: Instant;
  receivedAt: Instant;
}

/**
 * By how much the platform's clock is ahead of ours; unchanged unless the response contradicts it.
 * A response is written between request and receipt, so slow responses never change a correct value.
 * If our clock was put back in between, its time of the receipt counts.
 */
export function aheadBy(before: number, { date, sentAt, receivedAt }: DatedResponse): number {
  const writtenAt = Date.parse(date ?? '');
  if (Number.isNaN(writtenAt)) return before;
  const least = writtenAt - receivedAt;
  const most = writtenAt + RESOLUTION_MS - sentAt;
  const ahead = Math.max(Math.min(before, most), least);
  return Math.abs(ahead) > MAX_DIFFERENCE_MS ? before : ahead;
}
