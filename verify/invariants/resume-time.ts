const newYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
});
const MINUTE = 60_000;
const UNITS: Record<string, number> = { minutes: MINUTE, hours: 60 * MINUTE, days: 24 * 60 * MINUTE };
const known = new Map<number, number>();

/** The resume time after a match that ended then, computed from the specification minute by minute. */
export function naiveResumeTime(
  settings: { mode: string; delay?: { value: number; unit: string } },
  endedAt: number,
): number {
  if (settings.mode === 'instant') return endedAt;
  if (settings.mode === 'delay') {
    const { value = 0, unit = 'minutes' } = settings.delay ?? {};
    return endedAt + value * (UNITS[unit] ?? NaN);
  }
  const found = known.get(endedAt) ?? nextOneMinutePastMidnight(endedAt);
  known.set(endedAt, found);
  return found;
}

function nextOneMinutePastMidnight(after: number): number {
  let minute = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  while (newYork.format(minute) !== '00:01') minute += MINUTE;
  return minute;
}
