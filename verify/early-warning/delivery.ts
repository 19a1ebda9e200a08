import type { BusinessVote, ComparedLook, DeliveryState } from '../../src/core/detection/delivery.ts';
import { directionOf, lookBefore, nextDelivery, nextLookMs } from '../../src/core/detection/delivery.ts';
import type { WarningState } from '../../src/core/detection/fusion.ts';
import { FUSION, nextWarning } from '../../src/core/detection/fusion.ts';
import { isUnusualDay } from '../../src/core/detection/known-days.ts';
import { DELIVERY } from '../../src/core/detection/parameters.ts';
import { days, minutes } from '../../src/core/time.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';

/** What happens to the delivery of ad accounts, in minutes. */
export interface Disturbance {
  from: number;
  until: number;
  /** Of the ad accounts; or this one alone. */
  share?: number;
  account?: number;
  /** Times the usual spend, and the usual price of 1,000 impressions. */
  spend: number;
  cpm: number;
  /** Meta delivers as usual, and says so only at the end. */
  isLate?: boolean;
}

/** Assumed: one ad account of each business is looked at; in 40 minutes the middle one spends $20. */
const MIDDLE = 2000;
/** Assumed: so much, in logarithms, do ad accounts differ from each other, and an ad account from week to week. */
const SPREAD = { accounts: 1, weeks: 0.2, cpm: 0.1 };
const CPM = 10;

interface Account {
  business: string;
  chance: number;
  expected: number;
  former: ComparedLook['former'];
  /** The lowest and the highest of them. */
  range: { least: number; most: number; cpm: number };
  looks: { at: number; day: string }[];
  failures: number;
  nextAt: number;
  vote: BusinessVote | null;
}

/** Plays the looks at an installation's ad accounts, minute by minute. */
export class PlayedDelivery {
  readonly #random: Random;
  readonly #accounts: Account[];
  #state: DeliveryState | null = null;
  /** When the next look is due. */
  #dueAt = 0;

  /** @param start minute from which on it is played */
  constructor(businesses: number, random: Random, start = 0) {
    this.#random = random;
    const count = Math.min(businesses, DELIVERY.sample.accounts);
    this.#accounts = Array.from({ length: count }, (_, n) => {
      const expected = MIDDLE * this.#factor(SPREAD.accounts);
      const former = Array.from({ length: DELIVERY.weeks }, () => this.#delivery(expected, expected));
      return {
        ...{ business: `b${n}`, chance: (n + 0.5) / count, expected, looks: [], failures: 0, vote: null },
        former,
        range: rangeOf(former),
        nextAt: start + 5 * (n % 4),
      };
    });
  }

  /**
   * @param failing share of looks that fail
   * @param usual what all spend on this day, of what is usual
   */
  minute(
    minute: number,
    disturbances: readonly Disturbance[],
    { failing = 0, usual = 1 }: { failing?: number; usual?: number } = {},
  ): DeliveryState | null {
    if (minute < this.#dueAt && this.#state === null) return null;
    for (const [n, account] of this.#accounts.entries())
      if (account.nextAt <= minute)
        this.#look(
          account,
          disturbances.filter(({ share = 0, account: one }) => one === n || account.chance < share),
          { minute, failing, usual },
        );
    this.#dueAt = Math.min(...this.#accounts.map(({ nextAt }) => nextAt));
    const votes = this.#accounts.flatMap(({ vote }) => vote ?? []);
    if (
      this.#state === null &&
      votes.filter(({ direction }) => direction !== 'usual').length < DELIVERY.accounts
    )
      return null;
    const before = this.#state;
    this.#state = nextDelivery(before, votes, minutes(minute));
    if (before === null && this.#state !== null) this.#lookAgain(minute, this.#state.evidence.direction);
    return this.#state;
  }

  #lookAgain(minute: number, direction: string): void {
    for (const account of this.#accounts)
      if (account.vote?.direction === direction)
        account.nextAt = Math.min(account.nextAt, Math.max(minute, account.vote.at / minutes(1) + 5));
  }

  #look(
    account: Account,
    disturbances: readonly Disturbance[],
    { minute, failing, usual }: { minute: number; failing: number; usual: number },
  ): void {
    const fails = this.#random.chance(failing);
    account.failures = fails ? account.failures + 1 : 0;
    account.nextAt = minute + nextLookMs(account.failures) / minutes(1);
    if (fails) return;
    const at = minutes(minute);
    const day = new Date(at).toISOString().slice(0, 10);
    const before = lookBefore({ at, day }, account.looks);
    account.looks = [...account.looks.slice(-4), { at, day }];
    account.vote = null;
    if (before === null || isKnownDay(day)) return;
    const window = { from: before.at / minutes(1), until: minute };
    // What is expected is scaled to the window.
    const expected = (account.expected * usual) / (window.until - window.from);
    const spend = expected * deliveredIn(window, disturbances, 'spend');
    const bought = expected * deliveredIn(window, disturbances, 'impressions');
    const observed = this.#delivery(spend, bought);
    const { former } = account;
    const direction = isNear(observed, account.range) ? 'usual' : directionOf({ observed, former }, 1);
    const { business } = account;
    account.vote = direction === null ? null : { at, from: before.at, direction, business };
  }

  /** @param bought of the impressions at the usual price */
  #delivery(spend: number, bought: number) {
    const noise = this.#factor(SPREAD.weeks);
    return {
      spend: Math.round(spend * noise),
      impressions: Math.round(((bought * noise) / CPM) * this.#factor(SPREAD.cpm)),
    };
  }

  /** Log-normal, by Box and Muller. */
  #factor(spread: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#random.next()));
    return Math.exp(spread * radius * Math.cos(2 * Math.PI * this.#random.next()));
  }
}

function isKnownDay(day: string): boolean {
  const known = knownDays.get(day) ?? isUnusualDay(day);
  knownDays.set(day, known);
  return known;
}
const knownDays = new Map<string, boolean>();

const cpm = ({ spend, impressions }: { spend: number; impressions: number }) => spend / impressions;

function rangeOf(former: ComparedLook['former']): Account['range'] {
  const spends = former.map(({ spend }) => spend);
  return { least: Math.min(...spends), most: Math.max(...spends), cpm: Math.min(...former.map(cpm)) };
}

/** Surely as usual, whatever the middle one is: the median takes long for millions of looks. */
function isNear(observed: ComparedLook['observed'], range: Account['range']): boolean {
  const { spend } = observed;
  const isUsual = spend >= DELIVERY.low * range.most && spend < DELIVERY.high * range.least;
  return isUsual && range.least >= DELIVERY.leastExpected && cpm(observed) < DELIVERY.high * range.cpm;
}

/** As many minutes of usual delivery as were reported in the window. */
function deliveredIn(
  window: { from: number; until: number },
  disturbances: readonly Disturbance[],
  of: 'spend' | 'impressions',
): number {
  const late = disturbances.filter(({ isLate = false }) => isLate);
  const reported = (minute: number): number =>
    late.find(({ from, until }) => from < minute && minute < until)?.from ?? minute;
  const [first, last] = [reported(window.from), reported(window.until)];
  return disturbances.reduce((sum, { from, until, spend, cpm, isLate = false }) => {
    const inside = Math.min(until, last) - Math.max(from, first);
    const factor = of === 'spend' ? spend : spend / cpm;
    return isLate || inside <= 0 ? sum : sum + inside * (factor - 1);
  }, last - first);
}

const YEAR_DAYS = 365;
const DAY = days(1) / minutes(1);
/** The first minute of the generated year. */
const START = Date.UTC(2026, 0, 1) / minutes(1);

/** Fleet-wide events of an ordinary year, all assumed. */
const ORDINARY_DAYS = {
  /** Days without one: so many of them are played. */
  playedShare: 0.03,
  /** Meta's reports are late, all as well. */
  lateReports: { times: 4, lasts: [30, 120] },
  /** Sales that are in no list of known days: on their day this share spends this much. */
  sales: { times: 2, share: 0.4, spend: 2.5 },
  /** One ad account's own: each has one in so many days. */
  promotionEvery: 30,
  /** What all spend on a day, in logarithms. */
  spread: 0.15,
} as const;

export interface Interval {
  from: number;
  until: number;
}

export interface DeliveryYear {
  /** When it was suspected, in minutes of the year. */
  suspected: Record<'low' | 'high', Interval[]>;
}

/** Plays the days of a year that have an event, and some of the others. */
export function playDeliveryYear(businesses: number, seed: string): DeliveryYear {
  const random = createRandom(seed);
  const suspected: DeliveryYear['suspected'] = { low: [], high: [] };
  const events = planDays(random.for('events'));
  for (let day = 0; day < YEAR_DAYS; day++) {
    const from = START + day * DAY;
    const own = events.filter((one) => one.from < from + DAY && one.until > from);
    const isKnown = isKnownDay(new Date(minutes(from)).toISOString().slice(0, 10));
    if (own.length === 0 && !isKnown && !random.chance(ORDINARY_DAYS.playedShare)) continue;
    const count = Math.min(businesses, DELIVERY.sample.accounts);
    const promotions = Array.from({ length: count }, (_, account) => account)
      .filter(() => random.chance(1 / ORDINARY_DAYS.promotionEvery))
      .map((account) => ({ from, until: from + DAY, account, spend: 3, cpm: 1 }));
    const season = isKnown ? [{ from, until: from + DAY, share: 1, spend: 3, cpm: 2 }] : [];
    playDay(
      businesses,
      random.for(`day ${day}`),
      { from, disturbances: [...own, ...promotions, ...season] },
      suspected,
    );
  }
  return { suspected };
}

/** Pauses of a year in which calls and delivery were suspected in these minutes. */
export function countPauses(calls: readonly Interval[], delivery: readonly Interval[]): number {
  const at = (all: readonly Interval[], minute: number) =>
    all.find(({ from, until }) => from <= minute && minute < until);
  const later = FUSION.bothForMs / minutes(1);
  const changes = [...calls, ...delivery].flatMap(({ from, until }) => [from, from + later, until]);
  let [warning, pauses]: [WarningState, number] = ['NORMAL', 0];
  for (const minute of changes.toSorted((a, b) => a - b)) {
    const before = warning;
    const [failing, low] = [at(calls, minute), at(delivery, minute)];
    const evidence = { calls: failing !== undefined, delivery: low !== undefined };
    const both = failing === undefined || low === undefined ? minute : Math.max(failing.from, low.from);
    const saying = { ...evidence, page: false, isReportingOnly: false };
    warning = nextWarning(before, saying, minutes(minute - both));
    if (warning === 'PROBABLE' && before !== 'PROBABLE') pauses++;
  }
  return pauses;
}

function playDay(
  businesses: number,
  random: Random,
  { from, disturbances }: { from: number; disturbances: readonly Disturbance[] },
  suspected: DeliveryYear['suspected'],
): void {
  const played = new PlayedDelivery(businesses, random, from);
  const usual = Math.exp(ORDINARY_DAYS.spread * (2 * random.next() - 1) * 1.7);
  let open: Interval | null = null;
  for (let minute = from; minute < from + DAY; minute++) {
    const state = played.minute(minute, disturbances, { usual });
    const now = minute - START;
    if (state?.state !== 'SUSPECTED') open = null;
    else if (open !== null) open.until = now + 1;
    else suspected[state.evidence.direction].push((open = { from: now, until: now + 1 }));
  }
}

function planDays(random: Random): Disturbance[] {
  const { lateReports, sales } = ORDINARY_DAYS;
  const day = () => START + random.whole(1, YEAR_DAYS - 2) * DAY;
  const late = Array.from({ length: lateReports.times }, () => {
    const from = day() + random.whole(60, DAY - 180);
    const until = from + random.whole(...lateReports.lasts);
    return { from, until, share: 1, spend: 1, cpm: 1, isLate: true };
  });
  const sold = Array.from({ length: sales.times }, () => {
    const from = day();
    return { from, until: from + DAY, share: sales.share, spend: sales.spend, cpm: 1 };
  });
  return [...late, ...sold];
}
