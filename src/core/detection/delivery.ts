import { quantile } from '../spend/compared-days.ts';
import type { Delivery } from '../spend/evidence.ts';
import { cpmOf, sumUp } from '../spend/evidence.ts';
import type { Period } from '../spend/local-hours.ts';
import { dayOf, firstHourOf, timeIn } from '../spend/local-hours.ts';
import type { Instant } from '../time.ts';
import { days } from '../time.ts';
import { isUnusualDay } from './known-days.ts';
import { DELIVERY } from './parameters.ts';

/** What the campaigns of an ad account have delivered on a day of its clock until then, by their ids. */
export interface Look {
  at: Instant;
  day: string;
  campaigns: Readonly<Record<string, readonly [spend: number, impressions: number]>>;
}

/** The look to compare a newer one with; null: there is none of the same day at a fitting distance. */
export function lookBefore<T extends Pick<Look, 'at' | 'day'>>(
  now: Pick<Look, 'at' | 'day'>,
  former: readonly T[],
): T | null {
  const { least, wanted, most } = DELIVERY.windowMs;
  const apart = (one: T): number => now.at - one.at;
  const fitting = former.filter((one) => one.day === now.day && apart(one) >= least && apart(one) <= most);
  const [nearest = null] = fitting.toSorted(
    (a, b) => Math.abs(apart(a) - wanted) - Math.abs(apart(b) - wanted),
  );
  return nearest;
}

/** An hour of the ad account's clock `week` weeks ago, with the part of it that belongs to the window, and when that was. */
export interface FormerHour extends Period {
  week: number;
  day: string;
  hour: number;
  part: number;
}

/** The same hours of former weeks, without weeks in which an outage or the season made one unusual. Empty: the window is. */
export function formerHours(timeZone: string, window: Period, outages: readonly Period[]): FormerHour[] {
  const unusual = timeIn(timeZone, outages);
  const now = [...timeIn(timeZone, [window])];
  if (now.some(([hour]) => isUnusualDay(dayOf(hour)))) return [];
  return Array.from({ length: DELIVERY.weeks }, (_, n) => n + 1).flatMap((week) => {
    const then = now.map(([hour, part]) => ({ at: hour - week * 7 * 24, part }));
    if (then.some(({ at }) => unusual.has(at) || isUnusualDay(dayOf(at)))) return [];
    const period = { from: window.from - days(7 * week), until: window.until - days(7 * week) };
    return then.map(({ at, part }) => {
      const day = dayOf(at);
      return { ...period, week, day, hour: at - firstHourOf(day), part };
    });
  });
}

/** What one campaign delivered in all these hours of a week. */
export interface FormerDelivery extends Delivery {
  campaignId: string;
  week: number;
}

export interface ComparedLook {
  observed: Delivery;
  /** One for each week. */
  former: readonly Delivery[];
}

/** Of the campaigns that are in both looks and have enough weeks, the weeks in which all of them are known. */
export function compareLooks(now: Look, before: Look, known: readonly FormerDelivery[]): ComparedLook {
  const of = [...Map.groupBy(known, ({ campaignId }) => campaignId)].filter(
    ([id, weeks]) => id in now.campaigns && id in before.campaigns && weeks.length >= DELIVERY.leastWeeks,
  );
  const observed = of.map(([id]) => {
    const [spend, impressions] = now.campaigns[id] ?? [0, 0];
    const [spendThen, impressionsThen] = before.campaigns[id] ?? [0, 0];
    // Meta may correct what it has counted.
    return {
      spend: Math.max(0, spend - spendThen),
      impressions: Math.max(0, impressions - impressionsThen),
    };
  });
  const weeks = Map.groupBy(
    of.flatMap(([, own]) => own),
    ({ week }) => week,
  );
  const whole = [...weeks.values()].filter((all) => all.length === of.length);
  return { observed: sumUp(observed), former: whole.map(sumUp) };
}

export type Direction = 'low' | 'high';

/**
 * 'usual' also says that the ad account has a vote; null: it has none.
 * @param cents US cents for a unit of its currency
 */
export function directionOf({ observed, former }: ComparedLook, cents: number): Direction | 'usual' | null {
  const least = DELIVERY.leastExpected / cents;
  const spends = former.map(({ spend }) => spend);
  if (spends.length < DELIVERY.leastWeeks || quantile(spends, 0.5) < least) return null;
  if (isOutlier(observed.spend, spends, -1)) return 'low';
  if (isOutlier(observed.spend, spends, 1)) return 'high';
  const cpms = former.flatMap((one) => cpmOf(one) ?? []);
  const hasCpm = observed.spend >= least && cpms.length >= DELIVERY.leastWeeks;
  return hasCpm && isOutlier(cpmOf(observed) ?? 0, cpms, 1) ? 'high' : 'usual';
}

function isOutlier(value: number, former: readonly number[], sign: 1 | -1): boolean {
  const { factor, outlier, leastDeviation } = DELIVERY.z;
  const logs = former.map((one) => Math.log(one + 1));
  const middle = quantile(logs, 0.5);
  const deviation = Math.max(
    leastDeviation,
    quantile(
      logs.map((one) => Math.abs(one - middle)),
      0.5,
    ),
  );
  const z = (factor * (Math.log(value + 1) - middle)) / deviation;
  const expected = quantile(former, 0.5);
  const isFar = sign > 0 ? value >= DELIVERY.high * expected : value < DELIVERY.low * expected;
  return isFar && sign * z > outlier;
}

/** What the last look at an ad account showed, beside the window's begin. */
export interface DeliveryVote {
  at: Instant;
  from: Instant;
  direction: Direction | 'usual';
}

/** What is known of an ad account between two looks. `failures` in a row; a read near Meta's limit counts as one. */
export interface DeliveryProgress {
  failures: number;
  /** Null: the last look could not be compared. */
  vote: DeliveryVote | null;
}

export type BusinessVote = DeliveryVote & { business: string };

/** Shown with the state. */
export interface DeliveryEvidence {
  direction: Direction;
  /** With this direction, of those with a vote. */
  accounts: number;
  ofAccounts: number;
  businesses: number;
  /** When the first window with it began. */
  since: Instant;
  /** The last minute that showed it. */
  foundAt: Instant;
}

type Anomaly = Omit<DeliveryEvidence, 'foundAt'>;

/** What many ad accounts show; null: nothing unusual, or too few of them to say. */
export function anomalyOf(votes: readonly BusinessVote[]): Anomaly | null {
  return shownBy(votes, 'low') ?? shownBy(votes, 'high');
}

/** @param part of as many as begin an anomaly */
function shownBy(votes: readonly BusinessVote[], direction: Direction, part = 1): Anomaly | null {
  const those = votes.filter((one) => one.direction === direction);
  if (those.length < part * DELIVERY.share * votes.length || !isEnough(those, part)) return null;
  const since = Math.min(...those.map(({ from }) => from));
  return {
    direction,
    accounts: those.length,
    ofAccounts: votes.length,
    businesses: businessesOf(those),
    since,
  };
}

function isEnough(votes: readonly BusinessVote[], part = 1): boolean {
  return votes.length >= part * DELIVERY.accounts && businessesOf(votes) >= part * DELIVERY.businesses;
}

function businessesOf(votes: readonly BusinessVote[]): number {
  return new Set(votes.map(({ business }) => business)).size;
}

/** WATCH: looks show an anomaly; SUSPECTED: later looks at as many ad accounts show it as well. */
export interface DeliveryState {
  state: 'WATCH' | 'SUSPECTED';
  since: Instant;
  evidence: DeliveryEvidence;
}

/** @param votes of the last look at each ad account @returns null: nothing unusual */
export function nextDelivery(
  before: DeliveryState | null,
  votes: readonly BusinessVote[],
  now: Instant,
): DeliveryState | null {
  const counted = votes.filter(({ at }) => now - at <= DELIVERY.voteLastsMs);
  const begun = anomalyOf(counted);
  // Only low delivery speaks for an outage: a sale does not hide it.
  if (before === null || (begun?.direction === 'low' && before.evidence.direction === 'high'))
    return begun && { state: 'WATCH', since: now, evidence: { ...begun, foundAt: now } };
  const { direction, since } = before.evidence;
  const found = shownBy(counted, direction, DELIVERY.lastsFor);
  if (found === null) {
    // Too few votes say nothing, such as when SmartPause has paused most of what is looked at.
    return isEnough(counted) || now - before.evidence.foundAt >= DELIVERY.lastsMs ? null : before;
  }
  const evidence = { ...found, since, foundAt: now };
  const renewed = counted.map((one) =>
    one.at > before.since ? one : { ...one, direction: 'usual' as const },
  );
  const isConfirmed = before.state === 'WATCH' && shownBy(renewed, direction) !== null;
  return isConfirmed ? { state: 'SUSPECTED', since: now, evidence } : { ...before, evidence };
}

/** When an ad account is looked at again. */
export function nextLookMs(failures: number): number {
  return DELIVERY.lookEveryMs * 2 ** Math.min(Math.max(failures - 1, 0), DELIVERY.mostDoublings);
}
