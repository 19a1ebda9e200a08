import { SPEND_DAYS } from '../periods.ts';
import type { Comparison } from './estimate.ts';
import type { Delivery } from './evidence.ts';
import { cpmOf, sumUp } from './evidence.ts';
import type { LocalHour, Period } from './local-hours.ts';
import { firstHourOf, timeIn } from './local-hours.ts';

/** A day as it was read, by the clock of its ad account; null: nothing was delivered. */
interface StoredDelivery {
  day: string;
  spend: readonly number[] | null;
  impressions: readonly number[] | null;
}

/** What an ad account delivered besides the campaigns that an outage paused, by hour. Hours that it lacks are not known. */
export type Others = ReadonlyMap<LocalHour, Delivery>;

/** @param paused of all campaigns that were paused together, on days on which each of them is known */
export function othersOf(all: readonly StoredDelivery[], paused: readonly StoredDelivery[]): Others {
  const pausedOn = new Map(paused.map((one) => [one.day, one]));
  const found = new Map<LocalHour, Delivery>();
  for (const { day, spend, impressions } of all) {
    const own = pausedOn.get(day);
    if (own === undefined) continue;
    // Two reports were made at two times, so that a sum may be higher than its whole.
    const rest = (whole: StoredDelivery['spend'], part: StoredDelivery['spend'], n: number) =>
      Math.max(0, (whole?.[n] ?? 0) - (part?.[n] ?? 0));
    for (let n = 0; n < 24; n++)
      found.set(firstHourOf(day) + n, {
        spend: rest(spend, own.spend, n),
        impressions: rest(impressions, own.impressions, n),
      });
  }
  return found;
}

/** Days of several parts together, where each part has them. */
export function addUpDays(parts: readonly (readonly StoredDelivery[])[]): StoredDelivery[] {
  const byDay = Map.groupBy(parts.flat(), ({ day }) => day);
  return [...byDay].flatMap(([day, all]) => {
    const sum = (of: 'spend' | 'impressions') =>
      Array.from({ length: 24 }, (_, n) => all.reduce((total, one) => total + (one[of]?.[n] ?? 0), 0));
    return all.length < parts.length ? [] : [{ day, spend: sum('spend'), impressions: sum('impressions') }];
  });
}

/** The same hours of one day: those of the outage, and the 24 before them. */
interface Day {
  inside: Delivery;
  before: Delivery;
}

/** Of one ad account: the day of the outage, and each earlier day by how many hours it is away. */
export interface ComparedOthers {
  today: Day;
  earlier: ReadonlyMap<number, Day>;
}

/** An hour that the outage covers in part is half usual. */
const WHOLE_HOUR = 0.999;

/**
 * What ran on in an outage, beside earlier days. Null: it is not known yet, or the outage covers no whole hour.
 * @param unusual outages of before: their hours are no measure
 */
export function compareOthers(
  timeZone: string,
  others: Others,
  { outage, unusual }: { outage: Period; unusual: readonly Period[] },
): ComparedOthers | null {
  const touched = timeIn(timeZone, [outage]);
  const hours = [...touched].flatMap(([hour, time]) => (time < WHOLE_HOUR ? [] : hour));
  if (hours.length === 0) return null;
  const before = hoursFrom(Math.min(...touched.keys()) - 24, 24);
  const left = new Set(timeIn(timeZone, unusual).keys());
  // A day later a long outage is still there.
  const leftBefore = new Set([...left, ...touched.keys()]);
  const dayOf = (shift: number): Day | null => {
    const sum = (some: readonly LocalHour[]) =>
      sumOf(
        some.map((hour) => hour - shift),
        others,
        shift === 0 ? left : leftBefore,
      );
    const [one, two] = [sum(hours), sum(before)];
    return one === null || two === null ? null : { inside: one, before: two };
  };
  const today = dayOf(0);
  if (today === null) return null;
  const earlier = new Map<number, Day>();
  for (let shift = 24; shift <= SPEND_DAYS * 24; shift += 24) {
    const day = dayOf(shift);
    if (day !== null) earlier.set(shift, day);
  }
  return { today, earlier };
}

function hoursFrom(first: LocalHour, count: number): LocalHour[] {
  return Array.from({ length: count }, (_, n) => first + n);
}

/** Null: one of them is not known, or not usual. */
function sumOf(hours: readonly LocalHour[], others: Others, left: ReadonlySet<LocalHour>): Delivery | null {
  const known = hours.flatMap((hour) => (left.has(hour) ? [] : (others.get(hour) ?? [])));
  return known.length < hours.length ? null : sumUp(known);
}

/** With fewer, chance decides. */
const FEWEST_DAYS = 7;
const FEWEST_IMPRESSIONS = 500;

/** Of all ad accounts of one currency. Null: what ran on is too little, on too few days, to measure anything by it. */
export function comparisonOf(accounts: readonly ComparedOthers[]): Comparison | null {
  const [one, ...rest] = accounts;
  if (one === undefined) return null;
  const shifts = [...one.earlier.keys()].filter((shift) => rest.every(({ earlier }) => earlier.has(shift)));
  const today = addUp(accounts.map((account) => account.today));
  const earlier = shifts.map((shift) =>
    addUp(accounts.flatMap((account) => account.earlier.get(shift) ?? [])),
  );
  const measured = earlier.filter(
    ({ inside, before }) =>
      before.spend > 0 && before.impressions > 0 && inside.impressions >= FEWEST_IMPRESSIONS,
  );
  const [{ spend }, price] = [today.before, cpmOf(today.before)];
  if (measured.length < FEWEST_DAYS || spend === 0 || price === null) return null;
  const usual = measured.reduce((sum, day) => sum + (day.inside.spend * spend) / day.before.spend, 0);
  return {
    ...{ usualSpend: usual / measured.length, spend: today.inside.spend },
    // Prices of a season, or of a new campaign, are those of the day before, too.
    usualCpms: measured.flatMap(({ inside, before }) => {
      const [cpm, cpmBefore] = [cpmOf(inside), cpmOf(before)];
      return cpm === null || cpmBefore === null ? [] : (cpm * price) / cpmBefore;
    }),
    cpm: today.inside.impressions < FEWEST_IMPRESSIONS ? null : cpmOf(today.inside),
  };
}

function addUp(days: readonly Day[]): Day {
  return { inside: sumUp(days.map((day) => day.inside)), before: sumUp(days.map((day) => day.before)) };
}
