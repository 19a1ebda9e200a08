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

/** What keeps an ad account's campaigns paused if their user leaves now: of all but the last no resume is tried. */
export const LEAVING_OBSTACLES = [
  'login',
  'access_lost',
  /** Meta refuses all changes of the user there. */
  'blocked',
  'refused',
] as const;
export type LeavingObstacle = (typeof LEAVING_OBSTACLES)[number];

interface Access {
  isTokenUsable: boolean;
  isAccountLost: boolean;
}

export interface ResumeDelayGiven extends Access {
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

/** Null: nothing is known. The reconciler's `isAbandoned` is the same for one user. */
export function leavingObstacleOf(
  given: Access & { isBlocked: boolean; isRefused: boolean },
): LeavingObstacle | null {
  const lack = lackOf(given);
  if (lack !== null) return lack;
  if (given.isBlocked) return 'blocked';
  return given.isRefused ? 'refused' : null;
}

function lackOf({ isTokenUsable, isAccountLost }: Access): 'login' | 'access_lost' | null {
  if (!isTokenUsable) return 'login';
  return isAccountLost ? 'access_lost' : null;
}

/** Null: nothing is known to delay it. */
export function resumeDelayOf(given: ResumeDelayGiven): ResumeDelay | null {
  const { blockedUntil, resumeAt, now } = given;
  const lack = lackOf(given);
  if (lack !== null) return lack;
  if (blockedUntil !== null && blockedUntil > Math.max(resumeAt, now)) return 'limited';
  if (resumeAt > now) return null;
  if (given.isSuspended) return 'suspended';
  if (given.isAppLimited) return 'app_limit';
  if (given.isUnanswered) return 'no_answer';
  if (given.isRefused) return 'refused';
  return given.isPostponed ? 'other_tool' : null;
}
