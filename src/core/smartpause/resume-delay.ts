import type { Instant } from '../time.ts';

/** What delays the resume of an ad account's held campaigns beyond the scheduled time. */
export const RESUME_DELAYS = [
  /** Meta rejects the token: the user has to log in again. */
  'login',
  /** Meta refuses this user access to the ad account. */
  'access_lost',
  /** The ad account's rate limit at Meta is used up. */
  'limited',
  /** The resume is due, and Meta refuses our app. */
  'suspended',
  /** The resume is due, and SmartPause's own limit at Meta is used up. */
  'app_limit',
  /** The resume is due, and Meta did not answer the last call. */
  'no_answer',
  /** Meta refuses the resume, which is tried again. */
  'refused',
  /** The resume is due, and another tool has the campaign off at this time. */
  'other_tool',
] as const;
export type ResumeDelay = (typeof RESUME_DELAYS)[number];

export interface ResumeDelayGiven {
  isTokenUsable: boolean;
  isAccountLost: boolean;
  /** Meta's rate limit for the ad account ends then. */
  blockedUntil: Instant | null;
  isSuspended: boolean;
  isAppLimited: boolean;
  isUnanswered: boolean;
  isRefused: boolean;
  isPostponed: boolean;
  resumeAt: Instant;
  now: Instant;
}

/** Null: nothing is known to delay it. */
export function resumeDelayOf(given: ResumeDelayGiven): ResumeDelay | null {
  const { blockedUntil, resumeAt, now } = given;
  if (!given.isTokenUsable) return 'login';
  if (given.isAccountLost) return 'access_lost';
  if (blockedUntil !== null && blockedUntil > Math.max(resumeAt, now)) return 'limited';
  if (resumeAt > now) return null;
  if (given.isSuspended) return 'suspended';
  if (given.isAppLimited) return 'app_limit';
  if (given.isUnanswered) return 'no_answer';
  if (given.isRefused) return 'refused';
  return given.isPostponed ? 'other_tool' : null;
}
