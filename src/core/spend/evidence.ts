import type { LocalHour, Period } from './local-hours.ts';
import { dayOf, firstHourOf, timeIn } from './local-hours.ts';

/** Spend in Meta's unit of the currency. */
export interface Delivery {
  spend: number;
  impressions: number;
}

/** Hours of one day of an ad account's clock: `week` 0 is the outage, n the same hours n weeks earlier. */
export interface HoursOfDay {
  week: number;
  day: string;
  /** From 0 to 23, both included. */
  first: number;
  last: number;
}

/** What was spent in these hours of a week, as far as it was read. */
export interface DeliveryOfWeek extends Delivery {
  week: number;
  days: number;
}

export interface ComparedDelivery {
  /** In the hours of the outage; null: not all of them were read. */
  inside: Delivery | null;
  /** The mean of the weeks before; null: none of them is known. */
  usual: Delivery | null;
}

/** All of them are read when SmartPause is first turned on in an ad account. */
export const COMPARED_WEEKS = 4;
const WEEK = 7 * 24;

/** The hours that the outage touches, and the same ones of the weeks before, without those in another outage. */
export function hoursToCompare(timeZone: string, outage: Period, others: readonly Period[]): HoursOfDay[] {
  const touched = [...timeIn(timeZone, [outage]).keys()];
  // A week later a long outage is still there.
  const unusual = timeIn(timeZone, [...others, outage]);
  return Array.from({ length: COMPARED_WEEKS + 1 }, (_, week) => touched.map((hour) => hour - week * WEEK))
    .map((hours, week) => ({ hours, week }))
    .filter(({ hours, week }) => week === 0 || !hours.some((hour) => unusual.has(hour)))
    .flatMap(({ hours, week }) => byDay(hours).map((day) => ({ ...day, week })));
}

function byDay(hours: readonly LocalHour[]): Omit<HoursOfDay, 'week'>[] {
  return [...Map.groupBy(hours, dayOf)].map(([day, all]) => {
    const ofDay = all.map((hour) => hour - firstHourOf(day));
    return { day, first: Math.min(...ofDay), last: Math.max(...ofDay) };
  });
}

/** @param wanted all hours to compare @param read what is known of them for one campaign */
export function compareDelivery(
  wanted: readonly HoursOfDay[],
  read: readonly DeliveryOfWeek[],
): ComparedDelivery {
  const daysOf = (week: number) => wanted.filter((one) => one.week === week).length;
  const known = read.filter(({ week, days }) => days === daysOf(week));
  const before = known.filter(({ week }) => week > 0);
  return {
    inside: known.find(({ week }) => week === 0) ?? null,
    usual: before.length === 0 ? null : scaled(sumUp(before), 1 / before.length),
  };
}

export function sumUp(all: readonly Delivery[]): Delivery {
  const sum = { spend: 0, impressions: 0 };
  for (const { spend, impressions } of all) {
    sum.spend += spend;
    sum.impressions += impressions;
  }
  return sum;
}

function scaled({ spend, impressions }: Delivery, by: number): Delivery {
  return { spend: spend * by, impressions: impressions * by };
}

/** Cost of 1,000 impressions; null: there were none. */
export function cpmOf({ spend, impressions }: Delivery): number | null {
  return impressions === 0 ? null : (1000 * spend) / impressions;
}
