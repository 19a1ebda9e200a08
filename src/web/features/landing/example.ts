import type { SpendEstimate } from '#contract/outage-api.ts';
import { estimate } from '#core/spend/estimate.ts';
import type { StoredDay } from '#core/spend/from-stored.ts';
import { fromStored } from '#core/spend/from-stored.ts';
import { dayOf, localHourOf, timeIn } from '#core/spend/local-hours.ts';
import { instantOf } from '#core/time-zone.ts';
import type { Instant } from '#core/time.ts';
import { days, hours } from '#core/time.ts';

const ZONE = 'America/New_York';
/** In cents. */
const DAILY_BUDGET = 240_000;
/** Of what was not spent, Meta catches up on this part until midnight. */
const CAUGHT_UP = 0.4;
const PAUSE = { from: Date.parse('2026-01-09T02:10:00Z'), until: Date.parse('2026-01-09T04:13:00Z') };
const DAYS_BEFORE = 56;

/** An invented advertiser who spends most in the evening and less on some days. */
function usualSpend(day: number, hour: number): number {
  const ofHour = 1 + 0.6 * Math.cos(((hour - 20) / 24) * 2 * Math.PI);
  const ofWeekday = 1 - 0.12 * (day % 7 < 2 ? 1 : 0);
  const ofDay = 0.93 + 0.14 * (((day * 7919) % 13) / 12);
  const noise = 0.85 + 0.3 * ((((day * 24 + hour) * 7919) % 101) / 100);
  return (DAILY_BUDGET / 24) * ofHour * ofWeekday * ofDay * noise;
}

/** Its days until that evening, as Meta would report them. */
function storedDays(): StoredDay[] {
  const today = Math.floor(localHourOf(ZONE, PAUSE.from) / 24);
  const paused = timeIn(ZONE, [PAUSE]);
  return Array.from({ length: DAYS_BEFORE + 1 }, (_, n) => {
    const day = today - DAYS_BEFORE + n;
    const spend = Array.from({ length: 24 }, (__, hour) => usualSpend(day, hour));
    const missed = spend.map((usual, hour) => usual * (paused.get(day * 24 + hour) ?? 0));
    const sum = missed.reduce((all, one) => all + one, 0);
    const last = 23;
    return {
      day: dayOf(day * 24),
      readAt: PAUSE.until + days(3),
      spend: spend.map((usual, hour) => usual - (missed[hour] ?? 0) + (hour === last ? CAUGHT_UP * sum : 0)),
    };
  });
}

/** What the pause of January 8, 2026 would have kept for it, estimated as for every user. */
export function exampleOfKept(): {
  estimate: SpendEstimate;
  spent: { from: Instant; to: Instant; spend: number }[];
} {
  const stored = storedDays();
  const { campaign, isOver } = fromStored(
    ZONE,
    PAUSE.from,
    [],
  )({ dailyBudget: DAILY_BUDGET, paused: [PAUSE], held: [], days: stored });
  const { notSpent, later, kept, protected: saved, ...inputs } = estimate([campaign], null, isOver);
  const today = stored.at(-1);
  const first = instantOf(ZONE, Math.floor(localHourOf(ZONE, PAUSE.from) / 24) * days(1), PAUSE.from);
  return {
    estimate: {
      ...{ currency: 'USD', notSpent, later, kept, protected: saved },
      ...{ unknown: null, knownAt: null, inputs },
    },
    spent: (today?.spend ?? []).slice(12).map((spend, n) => {
      const from = first + hours(12 + n);
      return { from, to: from + hours(1), spend };
    }),
  };
}
