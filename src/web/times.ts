import { clockTime, fullTime, newYorkTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { hours, minutes } from '#core/time.ts';

/** '9:47 PM EST' when it is today in New York, with the date otherwise. */
export function atTime(instant: Instant, now: Instant): string {
  const then = newYorkTime(instant);
  const today = newYorkTime(now);
  const isToday = then.year === today.year && then.month === today.month && then.day === today.day;
  return isToday ? clockTime(instant) : fullTime(instant);
}

/** 'in 4 min', rounded up: never promises more than is left. */
export function timeUntil(instant: Instant, now: Instant): string {
  const left = instant - now;
  if (left <= 0) return 'any moment now';
  if (left < minutes(1)) return 'in less than a minute';
  if (left < hours(1)) return `in ${Math.ceil(left / minutes(1))} min`;
  const wholeHours = Math.floor(left / hours(1));
  const rest = Math.floor((left % hours(1)) / minutes(1));
  return rest === 0 ? `in ${wholeHours} h` : `in ${wholeHours} h ${rest} min`;
}
