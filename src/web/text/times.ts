import { clockTime, fullTime, newYorkTime, relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, minutes, seconds } from '#core/time.ts';

/** '9:47 PM EST' when it is today in New York, with the date otherwise. */
export function atTime(instant: Instant, now: Instant): string {
  const then = newYorkTime(instant);
  const today = newYorkTime(now);
  const isToday = then.year === today.year && then.month === today.month && then.day === today.day;
  return isToday ? clockTime(instant) : fullTime(instant);
}

const date = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', dateStyle: 'medium' });

/** 'Jan 8, 2026', as it is called in New York. */
export function dateOf(instant: Instant): string {
  return date.format(instant);
}

/** 'in 4 min', rounded up: never promises more than is left. */
export function timeUntil(instant: Instant, now: Instant): string {
  const left = instant - now;
  if (left <= 0) return 'any moment now';
  if (left < minutes(1)) return 'in less than a minute';
  if (left < hours(1)) return `in ${Math.ceil(left / minutes(1))} min`;
  if (left >= days(2)) return `in ${Math.floor(left / days(1))} days`;
  const wholeHours = Math.floor(left / hours(1));
  const rest = Math.floor((left % hours(1)) / minutes(1));
  return rest === 0 ? `in ${wholeHours} h` : `in ${wholeHours} h ${rest} min`;
}

/** 'last checked 12 s ago'; what is shown is a few seconds old itself, so less than five are none. */
export function checkedWords(checkedAt: Instant | null, now: Instant): string {
  if (checkedAt === null) return 'not checked yet';
  const past = now - checkedAt;
  const ago =
    past < seconds(5) || past >= minutes(1)
      ? relativeTime(checkedAt, now)
      : `${Math.floor(past / seconds(1))} s ago`;
  return `last checked ${ago}`;
}

/** The server notes the use of a session every five minutes, so nothing more exact is said. */
const USE_NOTED_EVERY_MS = minutes(5);

/** 'used in the last 5 minutes', 'last used about 12 minutes ago', 'last used 3 hours ago'. */
export function lastUse(instant: Instant, now: Instant): string {
  const past = now - instant;
  if (past < USE_NOTED_EVERY_MS) return 'used in the last 5 minutes';
  return `last used ${past < hours(1) ? 'about ' : ''}${relativeTime(instant, now)}`;
}
