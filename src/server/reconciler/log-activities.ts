import type { Activity } from '../db/activities.ts';
import type { Log } from '../observability/log.ts';

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
