import type { Instant } from './time.ts';
import { hours, minutes } from './time.ts';

const ZONE = 'America/New_York';

const parts = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
});
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

interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

export function newYorkTime(instant: Instant): LocalTime {
  const found: Record<string, number> = {};
  for (const part of parts.formatToParts(instant)) found[part.type] = Number(part.value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = found;
  return { year, month, day, hour, minute };
}

/** 12:01 AM of a New York date. It exists once on every date: both DST changes happen at 2 AM. */
function oneMinutePastMidnight(year: number, month: number, day: number): Instant {
  const asUtc = Date.UTC(year, month - 1, day, 0, 1);
  for (const offset of [hours(4), hours(5)]) {
    const local = newYorkTime(asUtc + offset);
    if (local.hour === 0 && local.minute === 1) return asUtc + offset;
  }
  throw new RangeError(`no 12:01 AM in New York on ${year}-${month}-${day}`);
}

/** The first 12:01 AM in New York strictly after the given instant (ENG-08). */
export function nextOneMinutePastMidnight(after: Instant): Instant {
  const { year, month, day } = newYorkTime(after);
  const today = oneMinutePastMidnight(year, month, day);
  if (today > after) return today;
  const tomorrow = new Date(Date.UTC(year, month - 1, day + 1));
  return oneMinutePastMidnight(tomorrow.getUTCFullYear(), tomorrow.getUTCMonth() + 1, tomorrow.getUTCDate());
}

/** '9:47 PM EST'. The label is EST all year, as the specification requires (FMT-01). */
export function clockTime(instant: Instant): string {
  return `${clock.format(instant).replaceAll('\u202f', ' ')} EST`;
}

/** 'Jan 8, 2026, 9:47 PM EST' (FMT-01). */
export function fullTime(instant: Instant): string {
  return `${dateAndClock.format(instant).replaceAll('\u202f', ' ')} EST`;
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
