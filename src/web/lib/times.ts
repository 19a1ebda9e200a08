import { clockTime, fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, minutes } from '#core/time.ts';

/** '9:47 PM EST' when it is today in New York, otherwise with the date. */
export function atTime(instant: Instant, now: Instant): string {
  return dateOf(instant) === dateOf(now) ? clockTime(instant) : fullTime(instant);
}

/** 'at 9:47 PM EST' when it is today in New York, otherwise 'on Jan 9, 2026, 12:01 AM EST'. */
export function atOrOnTime(instant: Instant, now: Instant): string {
  const time = atTime(instant, now);
  return `${time === clockTime(instant) ? 'at' : 'on'} ${time}`;
}

const date = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', dateStyle: 'medium' });

/** 'Jan 8, 2026', the date in New York. */
export function dateOf(instant: Instant): string {
  return date.format(instant);
}

/** 'Your time: Jan 9, 2026, 3:47 AM GMT+1'; null: the viewer's clock shows New York's time. */
export function ownTime(instant: Instant, zone?: string): string | null {
  const inZone = (timeZone: string | undefined, more: Intl.DateTimeFormatOptions = {}) =>
    new Intl.DateTimeFormat('en-US', { ...OWN_TIME, timeZone, ...more }).format(instant);
  if (inZone(zone) === inZone('America/New_York')) return null;
  return `Your time: ${inZone(zone, { timeZoneName: 'short' }).replaceAll('\u202f', ' ')}`;
}

const OWN_TIME = {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const;

/** 'in 4 min', rounded up: never promises more than remains. */
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
