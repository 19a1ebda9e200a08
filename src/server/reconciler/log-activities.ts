import type { Activity } from '../db/activities.ts';
import type { Log } from '../observability/log.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { describeFailure } from '../platforms/meta/errors.ts';

/**
 * One log line per ad account and user, for operators who investigate an incident. Advertisers read the
 * activity log.
 */
export function logActivities(
  log: Pick<Log, 'info'>,
  outcomes: readonly { activities: readonly Activity[] }[],
): void {
  for (const { activities } of outcomes) {
    const first = activities[0];
    if (first === undefined) continue;
    log.info({ account: first.accountId, user: first.userId, ...counted(activities) }, 'activities written');
  }
}

/** Activities per event: '{ paused: 3 }'. */
function counted(activities: readonly Activity[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event } of activities) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}

/** An open circuit breaker is logged once, not for each ad account. */
export function logFailure(
  log: Log,
  accountId: string,
  { failure, what }: { failure: PlatformFailure; what: string },
): void {
  const level = failure.nextProbeInMs === undefined ? 'warn' : 'debug';
  log[level]({ account: accountId, failure: describeFailure(failure) }, what);
}
