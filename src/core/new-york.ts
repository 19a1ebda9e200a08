import type { Instant } from './time.ts';
import { hours, minutes } from './time.ts';
import { instantOf, nextDayIn, wallTime } from './time-zone.ts';

const ZONE = 'America/New_York';

const clock = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', minute: '2-digit' });
const dateAndClock = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

const date = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, month: 'short', day: 'numeric' });

/** The date and the hour in New York. */
export function newYorkTime(instant: Instant): { year: number; month: number; day: number; hour: number } {
  const local = new Date(wallTime(ZONE, instant));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate()];
  return { year, month, day, hour: local.getUTCHours() };
}

/** '2026-11': the month in New York. */
export function monthOf(instant: Instant): string {
  const { year, month } = newYorkTime(instant);
  return `${year}-${String(month).padStart(2, '0')}`;
}

/** When a month begins in New York. @param month from 1; 0 is December of the year before */
export function beginOfMonth(year: number, month: number): Instant {
  const wall = Date.UTC(year, month - 1);
  return instantOf(ZONE, wall, wall);
}

const monthAndYear = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** 'November 2026' of '2026-11'. */
export function monthLabel(month: string): string {
  return monthAndYear.format(new Date(`${month}-01`));
}

/** The first 12:01 AM in New York strictly after the given instant (ENG-08). It exists once on every date. */
export function nextOneMinutePastMidnight(after: Instant): Instant {
  return nextDayIn(ZONE, after);
}

/** '9:47 PM EST'. The label is EST all year, as the specification requires (FMT-01). */
export function clockTime(instant: Instant): string {
  return `${clock.format(instant).replaceAll('\u202f', ' ')} EST`;
}

/** 'Jan 8, 2026, 9:47 PM EST' (FMT-01). */
export function fullTime(instant: Instant): string {
  return `${dateAndClock.format(instant).replaceAll('\u202f', ' ')} EST`;
}

const utcClock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const utcDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const utcDate = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** '14:47 UTC', or 'Jan 9, 02:47 UTC' where New York has another date. */
export function utcTime(instant: Instant): string {
  const day = utcDate.format(instant);
  return `${day === shortDate(instant) ? '' : `${day}, `}${utcClock.format(instant)} UTC`;
}

/**
 * 'Jan 8, 2026, 9:47 PM EST (Jan 9, 02:47 UTC)', for readers whose zone is not known. UTC is exact: the label EST is
 * an hour off in summer.
 */
export function fullTimeWithUtc(instant: Instant): string {
  return `${fullTime(instant)} (${utcTime(instant)})`;
}

/** 'Jan 9, 2026, 02:47 UTC (Jan 8, 9:47 PM EST)', for public pages and feeds. */
export function utcWithNewYork(instant: Instant): string {
  const [day, year] = utcDay.format(instant).split(', ');
  const newYork =
    day === shortDate(instant) ? clockTime(instant) : `${shortDate(instant)}, ${clockTime(instant)}`;
  return `${day}, ${year}, ${utcClock.format(instant)} UTC (${newYork})`;
}

/** 'Jan 9': the date in UTC. */
export function shortUtcDate(instant: Instant): string {
  return utcDate.format(instant);
}

/** 'Jan 8': the date in New York. */
export function shortDate(instant: Instant): string {
  return date.format(instant);
}

/** 'just now' under one minute, then minutes, hours (under 24), then days (FMT-02). */
export function relativeTime(instant: Instant, now: Instant): string {
  const past = Math.max(0, now - instant);
  if (past < minutes(1)) return 'just now';
  if (past < hours(1)) return ago(Math.floor(past / minutes(1)), 'minute');
  if (past < hours(24)) return ago(Math.floor(past / hours(1)), 'hour');
  return ago(Math.floor(past / hours(24)), 'day');
}

function ago(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
