import { SPEND_DAYS } from '../periods.ts';
import type { Instant } from '../time.ts';
import { days } from '../time.ts';
import type { PausedCampaign } from './compared-days.ts';
import { MOST_UNKNOWN, dayFrom } from './compared-days.ts';
import type { LocalHour, Period } from './local-hours.ts';
import { dayOf, endOfDate, endOfDay, firstHourOf, lengthsOf, localHourOf, timeIn } from './local-hours.ts';
import { settled } from './settling.ts';

/** A day as it was read then, by the clock of its ad account; null: it spent nothing. */
export interface StoredDay {
  day: string;
  readAt: Instant;
  spend: readonly number[] | null;
}

export interface StoredCampaign {
  dailyBudget: number | null;
  /** Not empty; from the begin of the outage on. */
  paused: readonly Period[];
  /** All holds of it in the weeks before, whichever user's they were. */
  held: readonly Period[];
  /** Days that are not among these are not known. */
  days: readonly StoredDay[];
}

/** So many days before an outage the last usual day may be, such as between two outages. */
const LAST_USUAL_DAYS = 3;
const READ_DAYS = SPEND_DAYS + LAST_USUAL_DAYS + 2;

/** Before the begin of an outage, what an estimate looks at. */
export const COMPARED_MS = days(READ_DAYS);

export interface FromStored {
  campaign: PausedCampaign;
  /** The days of its pause are over, and have been read since. */
  isOver: boolean;
}

/**
 * Makes what an estimate needs of what is stored, for the campaigns of one time zone.
 * @param start of the outage
 * @param outages of the weeks before: what was spent in them is not usual
 */
export function fromStored(timeZone: string, start: Instant, outages: readonly Period[]) {
  const end = localHourOf(timeZone, start);
  const first = endOfDay(end) - READ_DAYS * 24;
  const lengths = lengthsOf(timeZone, first, end);
  const inOutages = timeIn(timeZone, outages);
  const ends = new Map<string, Instant>();
  const endOf = (day: string): Instant => {
    const found = ends.get(day) ?? endOfDate(timeZone, day, start);
    ends.set(day, found);
    return found;
  };
  return ({ dailyBudget, paused: periods, held, days: stored }: StoredCampaign): FromStored => {
    const paused = timeIn(timeZone, periods);
    const pause = dayFrom({ paused });
    const from = endOfDay(pause.first) - 24;
    const actual = { first: from, values: new Float64Array(pause.end - from).fill(NaN) };
    const usual = { first, values: new Float64Array(end - first).fill(NaN) };
    const unread = new Set<string>();
    for (let hour = from; hour < pause.end; hour += 24) unread.add(dayOf(hour));
    for (const { day, readAt, spend } of stored) {
      const [begin, dayEnd] = [firstHourOf(day), endOf(day)];
      if (readAt >= dayEnd) unread.delete(day);
      for (let n = 0; n < 24; n++) {
        const value = settled(spend?.[n] ?? 0, dayEnd, readAt);
        const hour = begin + n;
        if (hour >= from && hour < pause.end) actual.values[hour - from] = value;
        // No hour that the clock skips is usual.
        if (hour >= first && hour < end) usual.values[hour - first] = value / (lengths.get(hour) ?? NaN);
      }
    }
    for (const hour of [...inOutages.keys(), ...timeIn(timeZone, held).keys()])
      if (hour >= first && hour < end) usual.values[hour - first] = NaN;
    const knownUntil = lastUsual(usual, end);
    return { campaign: { actual, usual, paused, knownUntil, dailyBudget }, isOver: unread.size === 0 };
  };
}

/** The end of the last 24 hours that are known: today's are read tonight, and an outage may have ended just before. */
function lastUsual({ first, values }: PausedCampaign['usual'], end: LocalHour): LocalHour {
  for (let until = end; until > end - LAST_USUAL_DAYS * 24; until--) {
    const known = values.subarray(until - 24 - first, until - first);
    if (known.filter(Number.isNaN).length <= MOST_UNKNOWN * 24) return until;
  }
  return end;
}
