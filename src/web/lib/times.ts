import { clockTime, fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, minutes } from '#core/time.ts';

/** '9:47 PM EST' when it is today in New York, otherwise with the date. */
export function atTime(instant: Instant, now: Instant): string {
  return dateOf(instant) === dateOf(now) ? clockTime(instant) : fullTime(instant);
}

/** 'at 9:47 PM EST' when it is today in New York, otherwise 'on Jan 9, 2026, 12:01 AM EST'; with the own time. */
export function atOrOnTime(instant: Instant, now: Instant): string {
  const time = atTime(instant, now);
  return `${time === clockTime(instant) ? 'at' : 'on'} ${time}${besideOwn(instant)}`;
}

const date = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', dateStyle: 'medium' });

/** 'Jan 8, 2026', the date in New York, which no line divides. */
export function dateOf(instant: Instant): string {
  return date.format(instant).replaceAll(' ', '\u00a0');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than using it a hundred times. @param zone undefined: the viewer's */
function inZone(zone: string | undefined, style: keyof typeof STYLES, instant: Instant): string {
  const key = `${style} ${zone ?? ''}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...STYLES[style] });
  formats.set(key, format);
  return format.format(instant).replaceAll('\u202f', ' ');
}

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;
const STYLES = {
  clock: CLOCK,
  dayAndClock: { ...DAY, ...CLOCK },
  full: { year: 'numeric', ...DAY, ...CLOCK, timeZoneName: 'short' },
} as const;

/** '3:30 AM', or 'Jan 9, 3:30 AM' where New York has another date; null: the viewer's clock shows New York's time. */
export function ownClock(instant: Instant, zone?: string): string | null {
  const own = inZone(zone, 'dayAndClock', instant);
  const newYork = inZone('America/New_York', 'dayAndClock', instant);
  if (own === newYork) return null;
  const dayIn = (text: string) => text.split(', ')[0];
  return dayIn(own) === dayIn(newYork) ? inZone(zone, 'clock', instant) : own;
}

/** ' (3:30 AM your time)', or of a span ' (3:30 AM – 4:10 AM your time)', to follow New York's; empty: it is the same. */
export function besideOwn(instant: Instant, until: Instant | null = null, zone?: string): string {
  const own = ownClock(instant, zone);
  if (own === null) return '';
  const end = until === null ? null : ownClock(until, zone);
  return ` (${end === null ? own : `${own} – ${end}`} your time)`;
}

/** 'Your time: Jan 9, 2026, 3:47 AM GMT+1'; null: the viewer's clock shows New York's time. */
export function ownTime(instant: Instant, zone?: string): string | null {
  return ownClock(instant, zone) === null ? null : `Your time: ${inZone(zone, 'full', instant)}`;
}

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
