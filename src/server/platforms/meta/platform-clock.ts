import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';

/** The Date header has a resolution of one second. */
const EXACT_TO_MS = seconds(1);
/** A larger difference means a wrong header, not a wrong clock. */
const MOST_MS = days(1);

export interface Said {
  /** The Date header of a response. */
  date: string | undefined;
  askedAt: Instant;
  answeredAt: Instant;
}

/**
 * By how much the platform's clock is ahead of ours; unchanged unless the response contradicts it.
 * A response is written between request and receipt, so slow responses never change a correct value.
 */
export function aheadBy(before: number, { date, askedAt, answeredAt }: Said): number {
  const writtenAt = Date.parse(date ?? '');
  if (Number.isNaN(writtenAt)) return before;
  const least = writtenAt - answeredAt;
  const most = writtenAt + EXACT_TO_MS - askedAt;
  const ahead = Math.min(Math.max(before, least), most);
  return Math.abs(ahead) > MOST_MS ? before : ahead;
}
