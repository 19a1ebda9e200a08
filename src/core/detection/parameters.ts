import { SPEND_DAYS } from '../periods.ts';
import { days, minutes } from '../time.ts';

/**
 * The sequential test is Page's cumulative sum (CUSUM, Biometrika 1954). Where no source is named, the value is where
 * the replay (`npm run verify -- early-warning`) found no false pause; an admin sees in shadow mode what it would do.
 */
export const TEST = {
  /** Failing share of ordinary minutes, at least: below it the test would alarm at every single error. */
  usualShare: 0.01,
  /** Of the median share of the last 28 days. */
  usualTimes: 3,
  /** A single false alarm of the sum in so many years: Wald's bound, e^h votes. */
  yearsToFalseAlarm: 1,
  /** The sum stops at so many times its limit, so that it falls soon when votes are good again. */
  cap: 1.5,
  watchAfterMs: minutes(4),
  /** The longest short failure that notifies and pauses nothing. */
  suspectAfterMs: minutes(10),
  /** It ends after so long without a sum and with few bad votes, or without any vote. */
  clearAfterMs: minutes(15),
  clearShare: 0.05,
  /** Kinds of call that fail, each from this share of its calls on. */
  kinds: 2,
  kindShare: 0.1,
} as const;

/** Over so many minutes businesses and kinds of call are counted. */
export const WINDOW_MS = minutes(10);

/** Who votes. `failing`: the share of failing votes that the test looks for. */
export const PANELS = {
  /** Calls for users: one vote for each business and minute. */
  calls: { failing: 0.2, businesses: 3, shareOfBusinesses: 0.15, votesAMinute: 5 },
  /** Calls on the operator's own ad account, which fail all or not at all: one vote for each kind of call. */
  canary: { failing: 0.8, businesses: 1, shareOfBusinesses: 0, votesAMinute: 0 },
} as const;
export type Panel = keyof typeof PANELS;
export const PANEL_NAMES = Object.keys(PANELS) as Panel[];

/** Refused tokens count from this share of businesses in this time, while the canary's token is refused as well. */
export const TOKENS = { share: 0.2, withinMs: minutes(5) } as const;

/** At least so many unrelated hosts must answer, or the fault is ours. */
export const CONTROL_HOSTS = 2;

/** The usual share of failing calls is the median of so long. */
export const USUAL_MS = days(28);

/**
 * What ad accounts deliver beside the same hours of former weeks. Where no source is named, the value is a first one of
 * ours: an admin sees in shadow mode what it would do. Times are those between looks at an ad account.
 */
export const DELIVERY = {
  lookEveryMs: minutes(20),
  /** After failures in a row: 20, 40 and then 80 minutes. */
  mostDoublings: 2,
  /** An anomaly is looked at again soon. */
  secondLookMs: minutes(5),
  /** What is compared: of one look the chance decides, and of hours the begin is long over. */
  windowMs: { least: minutes(30), wanted: minutes(40), most: minutes(60) },
  /** In US cents: where less is expected, chance decides. */
  leastExpected: 500,
  /** The weeks that are read; at first there are four. */
  weeks: SPEND_DAYS / 7,
  leastWeeks: 4,
  /** The modified z-score of Iglewicz and Hoaglin (1993), of logarithms: beyond 3.5 a value is an outlier. */
  z: { factor: 0.6745, outlier: 3.5, leastDeviation: 0.15 },
  /** Of what is expected. In the incident of 2023-04-23 CPM at least doubled in 36 % of ad accounts. */
  low: 0.3,
  high: 2,
  /** As many show the same: of the ad accounts with a vote, in all, and of different businesses. */
  share: 0.3,
  accounts: 6,
  businesses: 4,
  /** It lasts while half as many do: without that it would end and begin again for hours. */
  lastsFor: 0.5,
  /** A vote counts until the next look is surely late. */
  voteLastsMs: minutes(30),
  /** What was found lasts so long while too few have a vote: longer than Meta's page was late in any documented incident. */
  lastsMs: minutes(60),
  /** How many are looked at. */
  sample: { accounts: 60, ofBusiness: 3 },
} as const;
