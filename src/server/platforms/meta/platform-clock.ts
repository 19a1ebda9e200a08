import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';

/** An answer says when it was written, to the second. */
const EXACT_TO_MS = seconds(1);
/** More is no clock that is wrong, but an answer that is. */
const MOST_MS = days(1);

export interface Said {
  /** Of an answer's head. */
  date: string | undefined;
  askedAt: Instant;
  answeredAt: Instant;
}

/**
 * By how much the platform's clock is ahead of ours: as before, unless that cannot be. An answer was written after it was
 * asked for and before it came, so clocks that go right are never corrected, however slow an answer is.
 */
export function aheadBy(before: number, { date, askedAt, answeredAt }: Said): number {
  const writtenAt = Date.parse(date ?? '');
  if (Number.isNaN(writtenAt)) return before;
  const least = writtenAt - answeredAt;
  const most = writtenAt + EXACT_TO_MS - askedAt;
  const ahead = Math.min(Math.max(before, least), most);
  return Math.abs(ahead) > MOST_MS ? before : ahead;
}
