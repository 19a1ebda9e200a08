import type { DeliveryTimes } from './campaign.ts';

/** An ad account as the ad platform lists it. */
export interface PlatformAdAccount {
  id: string;
  name: string;
  currency: string;
  /** The user's role on the account allows changes of campaigns. */
  mayPause: boolean;
  /** Meta's codes, see `notDelivering`; null: not known. */
  accountStatus: number | null;
  disableReason: number | null;
  /** An IANA name that `Intl` knows; null: not known. */
  timeZone: string | null;
}

/** A campaign as the ad platform lists it. */
export interface PlatformCampaign extends DeliveryTimes {
  id: string;
  name: string;
  /** The configured status: the effective one lags behind a write (IN_PROCESS). */
  status: string;
  objective: string;
  /** In the minor unit of the account's currency; null when it is kept on the ad sets. */
  dailyBudget: number | null;
  /** It cannot be changed through Meta's API. */
  isLegacyAdvantage: boolean;
}

/** How the caller can react to a failure of the ad platform. */
export const FAILURE_KINDS = [
  'transient',
  'rate_limited',
  'token_invalid',
  'permission',
  'blocked',
  'gone',
  'rejected',
  'misconfigured',
  'app_limited',
  'app_blocked',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** The platform did not answer, or not in a way that counts. */
export const NO_ANSWER: FailureKind = 'transient';
/** They say nothing about the user, the ad account or the campaign. */
export const OF_APP: FailureKind[] = ['app_limited', 'app_blocked'];

/** Kept with what failed last. */
export interface StoredFailure {
  /** Null: it did not fail. */
  failureKind: FailureKind | null;
  /** The platform's code and subcode, for operators. Its message may name users or campaigns. */
  failureCode: string | null;
}

export const NO_FAILURE: StoredFailure = { failureKind: null, failureCode: null };
