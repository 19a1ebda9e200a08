import { expect, test } from 'vitest';
import { afterFailure } from './after-failure.ts';
import type { FailureKind, PlatformFailure } from './platform.ts';
import { unreadable } from './platform.ts';
import type { Usage } from './platform-usage.ts';
import { minutes, seconds } from './time.ts';

const NOW = Date.parse('2026-01-09T02:10:00Z');
const usage = (over: Partial<Usage>): Usage => ({
  ...{ tier: 'standard_access', percent: 100, regainAt: null, resetAt: null, at: NOW },
  ...over,
});

const WAIT = { retryAfterMs: 60_000 };

/** The longest waits: each row adds the jitter of its attempt. */
test.each<[FailureKind, string, Partial<PlatformFailure>, number, Usage | null, number]>([
  ['transient', 'after the third failure', {}, 3, null, seconds(4)],
  ['transient', 'while all calls wait for a probe', { nextProbeInMs: 30_000 }, 9, null, seconds(31)],
  ['token_invalid', 'soon', {}, 1, null, seconds(1)],
  ['gone', 'when Meta says', { retryAfterMs: 7000 }, 1, null, seconds(8)],
  ['permission', 'slowly', {}, 2, null, minutes(5) + seconds(2)],
  ['permission', 'when Meta says', { retryAfterMs: 7000 }, 2, null, seconds(9)],
  ['app_limited', 'with the next probe, however often', { nextProbeInMs: 30_000 }, 9, null, seconds(31)],
  ['app_limited', 'in a minute, if other operations of the batch were accepted', WAIT, 1, null, seconds(61)],
  ['app_blocked', 'with the next probe', { nextProbeInMs: 30_000 }, 9, null, seconds(31)],
  ['app_blocked', 'slowly, if it is not known to be of the app', {}, 1, null, minutes(5) + seconds(1)],
  ['misconfigured', 'with the next probe', { nextProbeInMs: 30_000 }, 9, null, seconds(31)],
  ['rate_limited', 'when Meta says', { retryAfterMs: 7000 }, 9, usage({ resetAt: NOW + 90_000 }), 8000],
  ['rate_limited', 'without a report', {}, 1, null, seconds(61)],
  ['rate_limited', 'of the tier', {}, 1, usage({ tier: 'development_access' }), seconds(301)],
  ['rate_limited', 'until the reset', {}, 1, usage({ resetAt: NOW + 90_000 }), seconds(91)],
  ['rate_limited', 'until the access', {}, 1, usage({ regainAt: NOW + 90_000 }), seconds(91)],
])('%s: tried again %s', (kind, _when, over, failures, used, waitMs) => {
  const failure = { ...unreadable('', false), kind, ...over };
  const after = afterFailure(failure, { failures, usage: used, now: NOW }, 0.999_999);
  const retryAt = NOW + waitMs;
  expect(after).toEqual({ retryAt, blockedUntil: kind === 'rate_limited' ? retryAt : null });
});
