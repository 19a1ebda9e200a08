import type { Activity } from '../db/journal.ts';
import type { Log } from '../observability/log.ts';

/** A line of the log for each ad account and person: the journal is for advertisers, this for whoever looks into a bad evening. */
export function sayWhatWasDone(
  log: Pick<Log, 'info'>,
  outcomes: readonly { activities: readonly Activity[] }[],
): void {
  for (const { activities } of outcomes) {
    const first = activities[0];
    if (first === undefined) continue;
    log.info(
      { account: first.accountId, person: first.personId, ...counted(activities) },
      'acts were written',
    );
  }
}

/** How many of each: '{ paused: 3 }'. */
function counted(activities: readonly Activity[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event } of activities) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}
