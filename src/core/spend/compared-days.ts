import { SPEND_DAYS } from '../periods.ts';
import type { LocalHour } from './local-hours.ts';
import { endOfDay } from './local-hours.ts';

/** One value for each hour of a campaign's clock from `first` on. NaN: not known, or no usual hour. */
export interface Hourly {
  first: LocalHour;
  values: Float64Array;
}

/** A campaign while it was paused, by the clock of its ad account. Amounts are in Meta's unit of one currency. */
export interface PausedCampaign {
  /** What was spent, as far as Meta says. */
  actual: Hourly;
  /** What was spent in an hour of 60 minutes; NaN also where a hold or an outage of then changed it. */
  usual: Hourly;
  /** How long it was paused in each hour, in hours. Not empty. */
  paused: ReadonlyMap<LocalHour, number>;
  /** The hours before this one are known, and it began before the pause. */
  knownUntil: LocalHour;
  /** Null: it has none. */
  dailyBudget: number | null;
}

/** What would have been spent if an earlier day had come again: while paused, and on these days from the first pause on. */
export interface ComparedDay {
  paused: number;
  day: number;
}

/** With fewer the lowest and the highest say little. */
const FEWEST_DAYS = 7;
/** A day is no measure if more of the 24 hours before are unknown. */
export const MOST_UNKNOWN = 0.1;

/**
 * What the campaigns spent in the same hours of each earlier day, for what they spent in the 24 hours before those, times
 * what they spent in the 24 hours before the pause. Weekdays that spend more than others are evened out. Null: too few
 * days are known. A longer pause never gives less. Thousands of campaigns take seconds: it stops after each day.
 */
export function* compareDays(
  campaigns: readonly PausedCampaign[],
): Generator<undefined, ComparedDay[] | null> {
  const own = campaigns.map((one) => ({ ...one, usualAt: withoutGaps(one.usual), ...dayFrom(one) }));
  const evened = yield* weekdayFactors(own);
  const before = (shift: number) => {
    let [sum, unknown] = [0, 0];
    for (const { usual, usualAt, knownUntil } of own)
      for (let hour = knownUntil - 24; hour < knownUntil; hour++) {
        sum += usualAt(hour - shift) * evened(hour, shift);
        if (Number.isNaN(valueAt(usual, hour - shift))) unknown++;
      }
    return unknown <= MOST_UNKNOWN * 24 * own.length ? sum : 0;
  };
  const now = before(0);
  const compared: ComparedDay[] = [];
  for (let shift = 24; shift <= SPEND_DAYS * 24; shift += 24) {
    yield;
    const level = now / before(shift);
    if (!Number.isFinite(level)) continue;
    let [paused, day] = [0, 0];
    for (const one of own) {
      const spentAt = (hour: LocalHour) => one.usualAt(hour - shift) * evened(hour, shift) * level;
      for (const [hour, time] of one.paused) paused += time * spentAt(hour);
      for (let { first: hour } = one; hour < one.end; hour++) day += spentAt(hour);
    }
    compared.push({ paused, day });
  }
  return compared.length < FEWEST_DAYS || now === 0 ? null : compared;
}

/** From the hour of the first pause until the end of the day of the last. */
export function dayFrom({ paused }: Pick<PausedCampaign, 'paused'>): { first: LocalHour; end: LocalHour } {
  const hours = [...paused.keys()];
  return { first: Math.min(...hours), end: endOfDay(Math.max(...hours)) };
}

function valueAt({ first, values }: Hourly, hour: LocalHour): number {
  return values[hour - first] ?? NaN;
}

/** Unknown hours count as nothing. */
export function sumOf(hourly: Hourly, { first, end }: { first: LocalHour; end: LocalHour }): number {
  let sum = 0;
  for (let hour = first; hour < end; hour++) sum += valueAt(hourly, hour) || 0;
  return sum;
}

/** An unusual or unknown hour counts as the median of the same hour of the other days. */
function withoutGaps(usual: Hourly): (hour: LocalHour) => number {
  const medians = new Map<number, number>();
  return (hour) => {
    const value = valueAt(usual, hour);
    if (!Number.isNaN(value)) return value;
    const ofDay = modulo(hour, 24);
    const median = medians.get(ofDay) ?? medianOf(usual.values, modulo(ofDay - usual.first, 24));
    medians.set(ofDay, median);
    return median;
  };
}

/** Of every 24th value. */
function medianOf(values: Float64Array, from: number): number {
  const known: number[] = [];
  for (let n = from; n < values.length; n += 24) {
    const value = values[n] ?? NaN;
    if (!Number.isNaN(value)) known.push(value);
  }
  return quantile(known, 0.5);
}

/** What an hour of another day, so many hours earlier, has to be multiplied with. */
function* weekdayFactors(own: readonly { usualAt: (hour: LocalHour) => number; knownUntil: LocalHour }[]) {
  const totals = Array.from({ length: 7 }, (): number[] => []);
  const end = Math.floor(Math.max(...own.map(({ knownUntil }) => knownUntil)) / 24);
  for (let day = end - SPEND_DAYS; day < end; day++) {
    yield;
    let total = 0;
    for (const { usualAt } of own)
      for (let hour = day * 24; hour < (day + 1) * 24; hour++) total += usualAt(hour);
    totals[modulo(day, 7)]?.push(total);
  }
  const medians = totals.map((one) => quantile(one, 0.5));
  const of = (hour: LocalHour) => medians[modulo(Math.floor(hour / 24), 7)] ?? 0;
  return (hour: LocalHour, shift: number) => {
    const [then, now] = [of(hour - shift), of(hour)];
    return then === 0 || now === 0 ? 1 : now / then;
  };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Below it a new value is with this probability: few values make a wider range. 0 of none. */
export function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = Math.min(Math.max(probability * (sorted.length + 1) - 1, 0), sorted.length - 1);
  const [low = 0, high = low] = sorted.slice(Math.floor(position), Math.floor(position) + 2);
  return low + (high - low) * (position % 1);
}
