import type { AppStop } from './app-state.ts';
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
  /** The business that owns it; null: not known, or it belongs to a person. */
  businessId: string | null;
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

/** What a campaign spent on one day, by hour of the ad account's clock, in Meta's unit of its currency. */
export interface HourlySpend {
  spend: readonly number[];
  impressions: readonly number[];
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

/** A failed call to the ad platform. */
export interface PlatformFailure {
  kind: FailureKind;
  /** The platform's code and subcode, such as '100/33', for operators; null: no answer, or one without a code. */
  code: string | null;
  message: string;
  /** The platform's words for its user, without the last period; its message if there are none. */
  saidToUser: string;
  /** A write may have been carried out anyway; read before any other change. */
  maybeDone: boolean;
  /** How long the platform asks us to wait, if it says so. */
  retryAfterMs: number | null;
  /** The platform answers like this to an invalid token, too, in calls about these. */
  tokenInDoubt: readonly Subject[];
  /** Why the platform refuses our app; null: the failure is not of the app. */
  appStop: AppStop | null;
  /** The platform is down; the next probe is due after this time. Says nothing about this call or account. */
  nextProbeInMs?: number;
  /** The platform refused our app in this call, which began the stop or was its probe: another account sends the next one. */
  wasProbe?: true;
  /** The request was sent. Its connection or response was cut off (also: no JSON), or no response came in time. */
  noAnswer?: 'cut' | 'late';
  /** The same request had failed just before. */
  isRepeated?: true;
  /** It tells nothing about the platform: nothing was sent, or we cannot use an answer that is whole. */
  saysNothing?: true;
}

/** What a call was about. */
export type Subject = 'user' | 'account' | 'campaign';

/** No response that can be parsed: a broken connection, HTML, truncated JSON. */
export function unreadable(message: string, maybeDone: boolean): PlatformFailure {
  return {
    ...{ kind: NO_ANSWER, code: null, message, saidToUser: '', maybeDone },
    ...{ retryAfterMs: null, tokenInDoubt: [], appStop: null },
  };
}

/** An answer that is whole, and of another shape: our own fault, as of a version that is too old. */
export function unusable(message: string): PlatformFailure {
  return { ...unreadable(message, true), saysNothing: true };
}

/** The platform was not asked, or its answer cannot be used. */
export function unasked(message: string): PlatformFailure {
  return { ...unreadable(message, false), saysNothing: true };
}

/** The platform responded, or may have got the request. */
export function wasSent({ code, maybeDone }: PlatformFailure): boolean {
  return code !== null || maybeDone;
}

/** Whether the token may be the cause, so that it must be inspected. A campaign may be refused for its own sake. */
export function mayBeTheToken({ kind, tokenInDoubt }: PlatformFailure, about: Subject): boolean {
  if (kind === 'token_invalid' || (kind === 'permission' && about === 'user')) return true;
  return tokenInDoubt.includes(about);
}

/** A failed read of an ad account that another user may be able to read. */
export function isOfUser(failure: PlatformFailure): boolean {
  return failure.kind === 'permission' || mayBeTheToken(failure, 'account');
}

const NOT_OF_APP = new Set<FailureKind>(['transient', 'rate_limited', 'app_limited', 'blocked', 'gone']);

/** A failed inspection of a token that is about our app's own token: an invalid token of a user is a result. */
export function refusesApp({ kind, code }: PlatformFailure): boolean {
  return code !== null && !NOT_OF_APP.has(kind);
}

/** Kept with what failed last. */
export interface StoredFailure {
  /** Null: it did not fail. */
  failureKind: FailureKind | null;
  /** The platform's code and subcode, for operators. Its message may name users or campaigns. */
  failureCode: string | null;
}

export const NO_FAILURE: StoredFailure = { failureKind: null, failureCode: null };

export function storedFailure({ kind, code }: PlatformFailure): StoredFailure {
  return { failureKind: kind, failureCode: code };
}

/** For the log: 'permission (200)'. */
export function describeFailure({ kind, code }: PlatformFailure): string {
  return code === null ? kind : `${kind} (${code})`;
}
