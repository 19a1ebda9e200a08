import type { Instant } from './time.ts';
import { days, minutes } from './time.ts';

const TIME = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...TIME });
  formats.set(timeZone, format);
  return format;
}

/** Null: this runtime does not know the zone, such as an older browser a new one. */
export function knownZone(timeZone: string | null | undefined): string | null {
  if (timeZone == null) return null;
  try {
    formatOf(timeZone);
    return timeZone;
  } catch {
    return null;
  }
}

/** The date and time of a clock in the zone, as the milliseconds of a clock that shows the same in UTC. */
export function wallTime(timeZone: string, at: Instant): number {
  const parts = formatOf(timeZone)
    .formatToParts(at)
    .map(({ type, value }) => [type, Number(value)]);
  const { year = 0, month = 1, day, hour, minute } = Object.fromEntries(parts) as Record<string, number>;
  return Date.UTC(year, month - 1, day, hour, minute) + (at % minutes(1));
}

/**
 * When a clock in the zone shows this time, counted from another instant: of a time that it shows twice, the next one.
 * In place of a time that it skips, one after it.
 */
export function instantOf(timeZone: string, wall: number, from: Instant): Instant {
  const first = from + wall - wallTime(timeZone, from);
  const second = first + wall - wallTime(timeZone, first);
  return wallTime(timeZone, second) === wall ? second : Math.max(first, second);
}

/** The first 12:01 AM of the zone's clock strictly after the given instant; where the clock skips it, the first time after it. */
export function nextDayIn(timeZone: string, after: Instant): Instant {
  const wall = wallTime(timeZone, after);
  const today = wall - (wall % days(1)) + minutes(1);
  return instantOf(timeZone, today > wall ? today : today + days(1), after);
}
