import { instantOf, wallTime } from '../time-zone.ts';
import type { Instant } from '../time.ts';
import { days, hours } from '../time.ts';
import type { Period } from './local-hours.ts';
import { dateOf } from './when-estimated.ts';
import { firstHourOf } from './local-hours.ts';

/** What some campaigns of ad accounts with this currency and time zone spent on a day, by hour. */
export interface DayOfZone {
  currency: string;
  timeZone: string;
  day: string;
  spend: readonly number[];
  /** Some of the campaigns were not read. */
  isPartial: boolean;
}

interface SpendOfHour {
  at: Instant;
  spend: number;
}

const AROUND_MS = hours(12);
/** A chart of more hours has no room for each. */
const LONGEST_MS = days(2);

/** The time that a chart of an outage shows. */
export function chartWindow({ from, until }: Period): Period {
  return { from: from - AROUND_MS, until: Math.min(until, from + LONGEST_MS) + AROUND_MS };
}

/** The days of any clock in this time. */
export function datesIn({ from, until }: Period): { first: string; last: string } {
  return { first: dateOf(from - days(1)), last: dateOf(until + days(1)) };
}

/** By currency, the hours in this time of which all campaigns are known. */
export function spendByHour(read: readonly DayOfZone[], time: Period): Map<string, SpendOfHour[]> {
  const byCurrency = Map.groupBy(read, ({ currency }) => currency);
  return new Map([...byCurrency].map(([currency, all]) => [currency, sumUp(all, time)]));
}

function sumUp(read: readonly DayOfZone[], { from, until }: Period): SpendOfHour[] {
  const zones = new Set(read.map(({ timeZone }) => timeZone)).size;
  const sums = new Map<Instant, { spend: number; zones: Set<string> }>();
  for (const { timeZone, day, spend, isPartial } of read) {
    if (isPartial) continue;
    for (const [hour, value] of spend.entries()) {
      const wall = (firstHourOf(day) + hour) * hours(1);
      const at = instantOf(timeZone, wall, from);
      // The clock skips this hour.
      if (wallTime(timeZone, at) !== wall) continue;
      // Clocks of two zones may be half an hour apart.
      const whole = at - (at % hours(1));
      if (whole < from - hours(1) || whole >= until) continue;
      const sum = sums.get(whole) ?? { spend: 0, zones: new Set() };
      sums.set(whole, { spend: sum.spend + value, zones: sum.zones.add(timeZone) });
    }
  }
  return [...sums]
    .flatMap(([at, sum]) => (sum.zones.size === zones ? { at, spend: sum.spend } : []))
    .toSorted((a, b) => a.at - b.at);
}
