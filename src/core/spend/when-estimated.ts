import type { Instant } from '../time.ts';
import { days, hours, minutes } from '../time.ts';
import type { Period } from './local-hours.ts';
import { dayOf } from './local-hours.ts';

/** An outage is estimated until so long after its end: a day is read until the fourth night, and a pause may last longer. */
export const ESTIMATED_MS = days(6);
/** Each estimate, at most once in this time. */
export const ESTIMATED_AGAIN_MS = hours(1);
/** A report that began before an estimate may be stored so long after it. */
export const REPORT_STORED_MS = minutes(90);

/** The days of any clock with a pause of this outage, and the one after. */
export function datesOf({ from, until }: Period): string[] {
  const count = Math.ceil((until - from) / days(1)) + 3;
  return Array.from({ length: count }, (_, n) => dateOf(from + days(n - 1)));
}

/** Of UTC. */
export function dateOf(at: Instant): string {
  return dayOf(at / hours(1));
}
