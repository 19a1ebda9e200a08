import type { Instant } from '#core/time.ts';
import { days, hours, minutes, seconds } from '#core/time.ts';
import { dropRemovedAccounts } from './db/ad-accounts.ts';
import { dropOldCampaignChanges } from './db/holds/campaign-changes.ts';
import { dropOldHolds } from './db/holds/holds.ts';
import { dropOldManualChanges } from './db/holds/manual-changes.ts';
import { dropSettledWrites } from './db/holds/writes.ts';
import { dropOldActivities } from './db/activities.ts';
import { dropNotifications } from './db/notifications.ts';
import { dropAllOrphanedAccounts } from './db/orphaned-accounts.ts';
import { dropOldAttempts } from './db/users/login-attempts.ts';
import { dropExpiredSessions } from './db/users/sessions.ts';
import { dropOldOutages } from './db/status/outage-users.ts';
import { dropOldStatusFiles } from './db/status/status-files.ts';
import { checkPrices } from './services/billing/checkout.ts';
import { syncDue } from './services/billing/sync.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import { logAlarms } from './services/admin/admin.ts';
import type { ServiceDeps } from './services/deps.ts';
import { finishAllLeaving } from './services/account/leave.ts';
import { recordOutages } from './services/history/not-paused.ts';
import { noteLongUnknown } from './services/long-unknown.ts';
import { checkTokens } from './services/account/token-checks.ts';
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
  { name: 'tidying up', everyMs: hours(1), run: tidyUp },
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

export async function tidyUp({ db, clock }: Pick<ServiceDeps, 'db' | 'clock'>): Promise<void> {
  await dropExpiredSessions(db, clock.now());
  await dropOldAttempts(db, clock.now());
  await dropRemovedAccounts(db, clock.now());
  await dropAllOrphanedAccounts(db);
  const before = clock.now() - days(HISTORY_DAYS);
  await dropNotifications(db, before);
  await dropOldActivities(db, before);
  await dropOldHolds(db, before);
  await dropOldOutages(db, before);
  await dropOldCampaignChanges(db, clock.now() - days(30));
  // The changes of many refer to them.
  await dropOldManualChanges(db, clock.now() - days(31));
  await dropSettledWrites(db, clock.now() - days(1));
  await dropOldStatusFiles(db, before);
}
