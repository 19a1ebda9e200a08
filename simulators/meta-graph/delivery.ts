import { createHash } from 'node:crypto';
import type { Campaign, GraphState } from './state.ts';
import { now } from './state.ts';

/** What Meta reports of one hour of a day, in the currency of the ad account. */
export interface Delivered {
  spend: number;
  impressions: number;
}

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;
/** Meta counts these in whole units. */
const WHOLE_UNITS = new Set('CLP COP CRC HUF IDR ISK JPY KRW PYG TWD VND'.split(' '));
/** Of a budget on one day. */
const MOST_OF_BUDGET = 1.75;
/** Of what was not spent while it was paused, so much is caught up until midnight. */
const CAUGHT_UP = 0.6;
/** Of a day's final values, hours after its end. */
const SETTLED: readonly (readonly [hours: number, share: number])[] = [
  [0, 0.9],
  [1, 0.92],
  [2, 0.97],
  [3, 0.99],
  [24, 1],
];

export function decimalsOf(currency: string): number {
  return WHOLE_UNITS.has(currency) ? 0 : 2;
}

/** The quarters of an hour whose date is this day for a clock in the zone, with the hours that it shows. */
function quartersOf(timeZone: string, day: string): readonly { at: number; hour: number }[] {
  const key = `${timeZone} ${day}`;
  const known = quarters.get(key);
  if (known !== undefined) return known;
  const clock = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...clock });
  const found = [];
  for (let at = Date.parse(day) - 15 * HOUR_MS; at < Date.parse(day) + 40 * HOUR_MS; at += QUARTER_MS) {
    const [date = '', hour = ''] = format.format(at).split(' ');
    if (date === day) found.push({ at, hour: Number(hour) });
  }
  quarters.set(key, found);
  return found;
}
const quarters = new Map<string, readonly { at: number; hour: number }[]>();

/** The same number in [0, 1) for the same text. */
function chanceOf(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE() / 2 ** 32;
}

/** By hour of the ad account's clock: believable, and the same in each read but for values that have not settled. */
export function deliveredOn(state: GraphState, campaign: Campaign, day: string): Delivered[] {
  const { currency = 'USD', timezone_name = 'UTC' } = state.accounts.get(campaign.account) ?? {};
  const hours = Array.from({ length: 24 }, (): Delivered => ({ spend: 0, impressions: 0 }));
  const all = quartersOf(timezone_name, day);
  const until = now(state);
  const share = settledShare((until - ((all.at(-1)?.at ?? 0) + QUARTER_MS)) / HOUR_MS);
  const cpm = 6 + 8 * chanceOf(`cpm ${campaign.id}`);
  for (const [index, spent] of spentIn(state, campaign, { day, all, currency }).entries()) {
    const { at, hour } = all[index] ?? { at: Infinity, hour: 0 };
    const one = hours[hour];
    if (one === undefined || at >= until) continue;
    const disturbed = state.disturbances.find(({ from, until: end }) => from <= at && at < end);
    const value = share * spent * (disturbed?.spend ?? 1);
    one.spend += value;
    one.impressions +=
      (value * 1000) /
      (cpm * (disturbed?.cpm ?? 1) * (0.9 + 0.2 * chanceOf(`cpm ${campaign.id} ${day} ${hour}`)));
  }
  const unit = 10 ** decimalsOf(currency);
  return hours.map(({ spend, impressions }) => ({
    spend: Math.round(spend * unit) / unit,
    impressions: Math.round(impressions),
  }));
}

interface Day {
  day: string;
  all: readonly { at: number; hour: number }[];
  currency: string;
}

/** In each of these quarters: a shape of day and week, nothing while it is paused, and then more until midnight. */
function spentIn(state: GraphState, campaign: Campaign, { day, all, currency }: Day): number[] {
  const own = 2000 + 18_000 * chanceOf(`budget ${campaign.id}`);
  const budget = Number(campaign.daily_budget ?? own) / 10 ** decimalsOf(currency);
  const peak = 10 + 12 * chanceOf(`peak ${campaign.id}`);
  const weekday = 0.8 + 0.2 * chanceOf(`week ${campaign.account} ${new Date(day).getUTCDay()}`);
  const wanted =
    Math.min(MOST_OF_BUDGET, weekday * (0.85 + 0.3 * chanceOf(`day ${campaign.id} ${day}`))) * budget;
  const weights = all.map(
    ({ hour }) =>
      (1 + 0.7 * Math.cos(((hour - peak) / 24) * 2 * Math.PI)) *
      (0.8 + 0.4 * chanceOf(`hour ${campaign.id} ${day} ${hour}`)),
  );
  let left = weights.reduce((sum, one) => sum + one, 0);
  const whole = left;
  const isRunning = runningTimes(state, campaign);
  let missed = 0;
  return weights.map((weight, index) => {
    const usual = (wanted * weight) / whole;
    const part = weight / left;
    left -= weight;
    if (!isRunning(all[index]?.at ?? 0)) {
      missed += CAUGHT_UP * usual;
      return 0;
    }
    const later = missed * part;
    missed -= later;
    return usual + later;
  });
}

/** By the activity log; before its first entry as that found it. */
function runningTimes(state: GraphState, { id, status }: Campaign): (at: number) => boolean {
  const changes = state.activities.filter(({ object_id }) => object_id === id);
  const statuses = changes.map(
    ({ extra_data }) => JSON.parse(extra_data) as Record<'old_value' | 'new_value', string>,
  );
  const first = statuses[0]?.old_value ?? status;
  return (at) => {
    const last = changes.findLastIndex((one) => one.at <= at);
    return (statuses[last]?.new_value ?? first) === 'ACTIVE';
  };
}

function settledShare(sinceEnd: number): number {
  const next = SETTLED.findIndex(([at]) => sinceEnd < at);
  const [after, high] = SETTLED[next] ?? [0, 1];
  const [before, low] = SETTLED[next - 1] ?? [after, high];
  return before === after ? high : low + ((high - low) * (sinceEnd - before)) / (after - before);
}

/** '2026-01-09' to '2026-01-11' are three days. */
export function daysOf({ since, until }: { since: string; until: string }): string[] {
  const count = Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.parse(since) + n * DAY_MS).toISOString().slice(0, 10),
  );
}
