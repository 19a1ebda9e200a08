import type { Instant } from '../time.ts';
import { days, hours } from '../time.ts';
import { instantOf, wallTime } from '../time-zone.ts';

/** An hour of a clock in its time zone, counted from 1970-01-01 of that clock. The same hour of another day is a multiple of 24 away. */
export type LocalHour = number;

export interface Period {
  from: Instant;
  until: Instant;
}

export function localHourOf(timeZone: string, at: Instant): LocalHour {
  return Math.floor(wallTime(timeZone, at) / hours(1));
}

/** @param day '2026-01-09' */
export function firstHourOf(day: string): LocalHour {
  return Date.parse(day) / hours(1);
}

/** '2026-01-09' */
export function dayOf(hour: LocalHour): string {
  return new Date(hour * hours(1)).toISOString().slice(0, 10);
}

/** When a day of the clock ends. @param near an instant around then */
export function endOfDate(timeZone: string, day: string, near: Instant): Instant {
  return instantOf(timeZone, (firstHourOf(day) + 24) * hours(1), near);
}

/** The first hour of the next day. */
export function endOfDay(hour: LocalHour): LocalHour {
  return (Math.floor(hour / 24) + 1) * 24;
}

/**
 * How long the clock showed each hour within these periods, in hours. An hour that it shows twice has up to 2, one that
 * it skips has none. What two periods share counts once.
 */
export function timeIn(timeZone: string, periods: readonly Period[]): Map<LocalHour, number> {
  const found = new Map<LocalHour, number>();
  let done = -Infinity;
  for (const { from, until } of periods.toSorted((a, b) => a.from - b.from)) {
    for (let at = Math.max(from, done); at < until;) {
      const wall = wallTime(timeZone, at);
      const hour = Math.floor(wall / hours(1));
      const next = Math.min(until, at + (hour + 1) * hours(1) - wall);
      found.set(hour, (found.get(hour) ?? 0) + (next - at) / hours(1));
      at = next;
    }
    done = Math.max(done, until);
  }
  return found;
}

/** How long the clock showed each hour of these days, in hours: 1 but for the days on which clocks change. */
export function lengthsOf(timeZone: string, first: LocalHour, end: LocalHour): Map<LocalHour, number> {
  // A zone is at most 14 hours ahead of UTC, and 12 behind.
  const around = { from: first * hours(1) - days(1), until: end * hours(1) + days(1) };
  return timeIn(timeZone, [around]);
}
