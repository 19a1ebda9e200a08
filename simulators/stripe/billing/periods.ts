export type Interval = 'month' | 'year';

/**
 * So many intervals after the anchor. Months are counted from the anchor, never from the month before: 31 January is
 * followed by 28 February and then by 31 March.
 */
function intervalsAfter(anchor: number, interval: Interval, n: number): number {
  const months = n * (interval === 'year' ? 12 : 1);
  const start = new Date(anchor * 1000);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end.getTime() / 1000;
}

/** The end of the period that begins, or has begun, at `start`. */
export function periodEnd(anchor: number, interval: Interval, start: number): number {
  for (let n = 1; ; n += 1) {
    const end = intervalsAfter(anchor, interval, n);
    if (end > start) return end;
  }
}
