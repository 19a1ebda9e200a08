import type { Instant } from './time.ts';
import { minutes } from './time.ts';

/** Why Meta refuses our app, for all users: its limit, Meta's word against the app, or our own settings. */
export const APP_STOPS = ['limited', 'blocked', 'misconfigured'] as const;
export type AppStop = (typeof APP_STOPS)[number];

export const SUSPENDED = 'SmartPause’s own connection to Meta is suspended; your access is fine.';

/** What all processes know about our app at Meta. */
export interface AppState {
  /** Null: Meta serves the app. */
  stopped: AppStop | null;
  /** While it is stopped, no call is sent before. */
  probeAt: Instant | null;
  /** The end of the last stop, if it was by the app's limit. */
  openedAt: Instant | null;
  /** Of the app's limit: the last report of 70 % or more, or the first one below. */
  usedPercent: number | null;
  usedAt: Instant | null;
}
export const APP_OPEN = { stopped: null, probeAt: null, openedAt: null, usedPercent: null, usedAt: null };

/** Meta's word against the app, or our settings: one banner says it, and nothing beside it names another reason. */
export function isSuspended(stopped: AppStop | null): boolean {
  return stopped !== null && stopped !== 'limited';
}

/** Shared by all processes. */
export interface AppStateStore {
  read(): Promise<AppState>;
  /** @returns whether Meta served the app until now */
  stop(given: { cause: AppStop; said: string; probeAt: Instant }, now: Instant): Promise<boolean>;
  /** Of all processes one may send a call. */
  takeProbe(now: Instant, nextAt: Instant): Promise<boolean>;
  /** @returns whether it was stopped until now */
  open(now: Instant): Promise<boolean>;
  saveUsage(percent: number, now: Instant): Promise<void>;
  /** Of users, without those that Meta has rejected. */
  countTokens(): Promise<number>;
}

/** Between two calls of all processes while the app is stopped, unless Meta states a time. */
export const PROBE_MS = minutes(1);
/** Meta counts an hour, so a longer wait is a mistake. */
export const LONGEST_STOP_MS = minutes(60);
export const HIGH_PERCENT = 70;
/** The count of an hour changes slowly, and pages that call again get a newer report. */
export const REPORT_KEPT_MS = minutes(5);
/** After a stop by the limit, for what has become due in it. */
const CATCH_UP_MS = minutes(2);

/** Pages show stored lists, and background reads wait: what Meta still allows is for pauses and resumes. */
export function isSparing(state: AppState, now: Instant): boolean {
  const { stopped, probeAt, openedAt } = state;
  if (stopped !== null) return now < (probeAt ?? 0);
  return isNearLimit(state, now) || (openedAt !== null && now < openedAt + CATCH_UP_MS);
}

/** Meta has reported lately that most of the app's limit is used. */
export function isNearLimit({ usedPercent, usedAt }: AppState, now: Instant): boolean {
  return (usedPercent ?? 0) >= HIGH_PERCENT && now < (usedAt ?? 0) + REPORT_KEPT_MS;
}

/** Whether other processes must learn of this report: the line is crossed, or the stored one becomes outdated. */
export function isNews(state: AppState, percent: number, now: Instant): boolean {
  if (percent >= HIGH_PERCENT !== isNearLimit(state, now)) return true;
  return percent >= HIGH_PERCENT && now >= (state.usedAt ?? 0) + PROBE_MS;
}
