import { expect, test } from 'vitest';
import type { LeavingObstacle, ResumeDelay, ResumeDelayGiven } from './resume-delay.ts';
import { leavingObstacleOf, resumeDelayOf } from './resume-delay.ts';

const USUAL: ResumeDelayGiven = {
  isTokenUsable: true,
  isAccountLost: false,
  blockedUntil: null,
  ...{ isSuspended: false, isAppLimited: false, isUnanswered: false, isRefused: false, isPostponed: false },
  resumeAt: 1000,
  now: 500,
};

test.each<[Partial<ResumeDelayGiven>, ResumeDelay | null]>([
  [{}, null],
  [{ isTokenUsable: false, isAccountLost: true }, 'login'],
  [{ isAccountLost: true, blockedUntil: 2000 }, 'access_lost'],
  [{ blockedUntil: 2000, isUnanswered: true, now: 1500 }, 'limited'],
  // The limit ends before the scheduled time.
  [{ blockedUntil: 900 }, null],
  [{ blockedUntil: 1200, now: 1300 }, null],
  // The resume is not due yet.
  [{ isUnanswered: true }, null],
  [{ isSuspended: true, isUnanswered: true, now: 1000 }, 'suspended'],
  [{ isAppLimited: true }, null],
  [{ isAppLimited: true, isUnanswered: true, isRefused: true, now: 1000 }, 'app_limit'],
  [{ isUnanswered: true, isRefused: true, now: 1000 }, 'no_answer'],
  [{ isRefused: true, isPostponed: true, now: 1000 }, 'refused'],
  [{ isPostponed: true, now: 1000 }, 'other_tool'],
  [{ isRefused: true, isPostponed: true }, null],
])('[UX-05] %o delays the resume by %s', (change, delay) => {
  expect(resumeDelayOf({ ...USUAL, ...change })).toBe(delay);
});

const FREE = { isTokenUsable: true, isAccountLost: false, isBlocked: false, isRefused: false };

test.each<[Partial<typeof FREE>, LeavingObstacle | null]>([
  [{}, null],
  [{ isTokenUsable: false, isBlocked: true }, 'login'],
  [{ isAccountLost: true, isRefused: true }, 'access_lost'],
  [{ isBlocked: true, isRefused: true }, 'blocked'],
  [{ isRefused: true }, 'refused'],
])('[SET-12] of a user who leaves, %o keeps campaigns paused as %s', (change, obstacle) => {
  expect(leavingObstacleOf({ ...FREE, ...change })).toBe(obstacle);
});
