import type { Instant } from '#core/time.ts';
import { hours, minutes, seconds } from '#core/time.ts';
import { dropOldRows } from './db/retention.ts';
import { checkPrices } from './services/billing/checkout.ts';
import { syncDue } from './services/billing/sync.ts';
import { logAlarms } from './services/admin/admin.ts';
import type { ServiceDeps } from './services/deps.ts';
import { finishAllLeaving } from './services/users/leave.ts';
import { recordOutages } from './services/history/record-outages.ts';
import { noteLongUnknown } from './services/status/long-unknown.ts';
import { checkTokens } from './services/users/token-checks.ts';
import { readListsForNewCampaigns } from './services/campaigns/campaign-lists.ts';
import { readSchedules } from './services/campaigns/other-schedules.ts';
import type { ScheduledTask } from './scheduled-task.ts';
import { startScheduledTask } from './scheduled-task.ts';

interface TaskPlan {
  name: string;
  everyMs: number;
  /**
   * @param startedAt when this process started
   * @param raised the alarms that this process has logged
   */
  run: (deps: ServiceDeps, startedAt: Instant, raised: Set<string>) => Promise<void>;
}

/** Background work beside the reconciler. Tasks are idempotent: any number of processes may run them. */
export const SCHEDULED_TASKS: readonly TaskPlan[] = [
  { name: 'leaving', everyMs: seconds(2), run: finishAllLeaving },
  { name: 'checking tokens', everyMs: seconds(5), run: checkTokens },
  { name: 'reading subscriptions', everyMs: seconds(10), run: syncDue },
  { name: 'checking prices', everyMs: hours(1), run: checkPrices },
  { name: 'recording outages', everyMs: seconds(10), run: recordOutages },
  { name: 'long unknown', everyMs: minutes(1), run: noteLongUnknown },
  { name: 'reading lists for new campaigns', everyMs: seconds(5), run: readListsForNewCampaigns },
  { name: 'reading schedules of other tools', everyMs: minutes(2), run: readSchedules },
  { name: 'logging alarms', everyMs: minutes(5), run: logAlarms },
  { name: 'tidying up', everyMs: hours(1), run: ({ db, clock }) => dropOldRows(db, clock.now()) },
];

/**
 * @param isStepped a task runs only when it is asked to
 * @returns the tasks by name
 */
export function startScheduledTasks(deps: ServiceDeps, isStepped: boolean): Map<string, ScheduledTask> {
  const { clock, log } = deps;
  const startedAt = clock.now();
  const raised = new Set<string>();
  return new Map(
    SCHEDULED_TASKS.map(({ name, everyMs, run }) => [
      name,
      startScheduledTask({
        ...{ name, clock, log },
        everyMs: isStepped ? null : everyMs,
        run: () => run(deps, startedAt, raised),
      }),
    ]),
  );
}
