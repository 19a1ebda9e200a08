import { clockTime, newYorkTime, shortDate } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { hours } from '#core/time.ts';

function inNewYork(options: Intl.DateTimeFormatOptions): (instant: Instant) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...options });
  return (instant) => format.format(instant).replaceAll('\u202f', ' ');
}

/** 'Tue, Nov 24, 2026': the weekday helps to find 'last Tuesday'. */
export const dayOf = inNewYork({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

const clockWithoutZone = inNewYork({ hour: 'numeric', minute: '2-digit' });
const clockWithSeconds = inNewYork({ hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** 'Tue, Nov 24, 2026, 9:10 PM EST'. */
export function dayAndTime(instant: Instant): string {
  return `${dayOf(instant)}, ${clockTime(instant)}`;
}

/** '9:10 PM – 11:08 PM EST' on the same day; else the second time has its day. */
export function clockSpan(from: Instant, to: Instant): string {
  if (dayOf(from) !== dayOf(to)) return `${clockTime(from)} – ${dayAndTime(to)}`;
  if (clockTime(from) === clockTime(to)) return clockTime(to);
  return `${clockWithoutZone(from)} – ${clockTime(to)}`;
}

/** 'Tue, Nov 24, 2026, 9:10 PM – 11:08 PM EST'; null: it is not over. */
export function spanOf(from: Instant, to: Instant | null): string {
  return to === null ? `${dayAndTime(from)} – now` : `${dayOf(from)}, ${clockSpan(from, to)}`;
}

/** '9:10:12 PM', which does not wrap; with the date when it is not the given day. The zone is said once, above the list. */
export function exactTime(instant: Instant, day: Instant): string {
  const time = clockWithSeconds(instant).replace(' ', '\u00a0');
  return dayOf(instant) === dayOf(day) ? time : `${shortDate(instant)}, ${time}`;
}

/** 'Today', 'Yesterday', 'Tuesday' in the last week, else 'Nov 2'. In New York's zone. */
export function recentDay(instant: Instant, now: Instant): string {
  const daysAgo = Math.round((midnightUtc(now) - midnightUtc(instant)) / hours(24));
  if (daysAgo === 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return daysAgo < 7 ? weekday(instant) : shortDate(instant);
}

const weekday = inNewYork({ weekday: 'long' });

/** The date in New York as a point in time, for differences between dates. */
function midnightUtc(instant: Instant): Instant {
  const { year, month, day } = newYorkTime(instant);
  return Date.UTC(year, month - 1, day);
}
