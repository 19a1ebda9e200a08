import { DAY } from '../clock.ts';
import type { Recurring } from '../objects.ts';

/**
 * So many intervals after the anchor. Months are counted from the anchor, never from the month before: 31 January is
 * followed by 28 February and then by 31 March.
 */
export function intervalsAfter(
  anchor: number,
  { interval, interval_count: count }: Recurring,
  n: number,
): number {
  if (interval === 'day') return anchor + n * count * DAY;
  if (interval === 'week') return anchor + n * count * 7 * DAY;
  const months = n * count * (interval === 'year' ? 12 : 1);
  const start = new Date(anchor * 1000);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end.getTime() / 1000;
}

/** The end of the period that begins, or has begun, at `start`. */
export function periodEnd(anchor: number, recurring: Recurring, start: number): number {
  for (let n = 1; ; n += 1) {
    const end = intervalsAfter(anchor, recurring, n);
    if (end > start) return end;
  }
}
