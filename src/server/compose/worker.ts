import { hours, minutes, seconds } from '#core/time.ts';
import type { Instant } from '#core/time.ts';
import { planSpendReads } from '../db/campaign-spend.ts';
import { planLooks } from '../db/delivery.ts';
import { reencryptTargets } from '../db/destinations.ts';
import { dropOldRows } from '../db/retention.ts';
import { runCanary } from '../detection/canary.ts';
import { detect } from '../detection/detect.ts';
import { lookAtDelivery } from '../detection/look-at-delivery.ts';
import { testDelivery } from '../detection/test-delivery.ts';
import { warn } from '../detection/warn.ts';
import { endIncidents } from '../notifications/end-incidents.ts';
import { startOutboxWorker } from '../notifications/outbox-worker.ts';
import { RECONCILER_TIMINGS, Reconciler } from '../reconciler/loop.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import { logAlarms } from '../services/admin/admin.ts';
import { checkPrices } from '../services/billing/checkout.ts';
import { syncDue } from '../services/billing/sync.ts';
import { readListsForNewCampaigns } from '../services/campaigns/campaign-lists.ts';
import { readSchedules } from '../services/campaigns/other-schedules.ts';
import { readSpend } from '../services/campaigns/spend-reads.ts';
import type { ServiceDeps } from '../services/deps.ts';
import { estimateOutages } from '../services/history/estimate-outages.ts';
import { sumUpMonths } from '../services/history/monthly-summary.ts';
import { recordOutages } from '../services/history/record-outages.ts';
import { noteEarlyWarnings } from '../services/status/early-warnings.ts';
import { noteHeldUp } from '../services/status/held-up.ts';
import { noteLongUnknown } from '../services/status/long-unknown.ts';
import { remindOfPaused } from '../services/status/reminders.ts';
import { finishAllLeaving } from '../services/users/leave.ts';
import { checkTokens } from '../services/users/token-checks.ts';
import { pollStatus, startStatusPoller } from '../status/poller.ts';
import type { Meta } from './meta.ts';
import type { Base } from './options.ts';

const CONCURRENCY = 200;

interface TaskPlan {
  everyMs: number;
  /**
   * @param startedAt when this process started
   * @param raised the alarms that this process has logged
   */
  run: (deps: ServiceDeps, startedAt: Instant, raised: Set<string>, detection: Detection) => Promise<void>;
}

/** Background work beside the reconciler. Tasks are idempotent: any number of processes may run them. */
const SCHEDULED_TASKS: Record<string, TaskPlan> = {
  leaving: { everyMs: seconds(2), run: finishAllLeaving },
  'checking tokens': { everyMs: seconds(5), run: checkTokens },
  'reading subscriptions': { everyMs: seconds(10), run: syncDue },
  'checking prices': { everyMs: hours(1), run: checkPrices },
  'recording outages': { everyMs: seconds(10), run: recordOutages },
  'estimating outages': { everyMs: minutes(2), run: estimateOutages },
  'long unknown': { everyMs: minutes(1), run: noteLongUnknown },
  'reporting resumes that wait': { everyMs: seconds(10), run: noteHeldUp },
  'summing up months': { everyMs: minutes(1), run: sumUpMonths },
  'reminding of paused campaigns': { everyMs: minutes(1), run: remindOfPaused },
  'ending incidents': { everyMs: minutes(1), run: endIncidents },
  'reading lists for new campaigns': { everyMs: seconds(5), run: readListsForNewCampaigns },
  'reading schedules of other tools': { everyMs: minutes(2), run: readSchedules },
  'planning reads of spend': { everyMs: hours(1), run: ({ db, clock }) => planSpendReads(db, clock.now()) },
  'reading spend': { everyMs: minutes(2), run: readSpend },
  'encrypting targets': { everyMs: hours(1), run: ({ db, cipher }) => reencryptTargets(db, cipher) },
  'logging alarms': { everyMs: minutes(5), run: logAlarms },
  'running the canary': {
    everyMs: seconds(10),
    run: (deps, _at, _raised, { canary, votes, app }) => runCanary({ ...deps, canary, votes, app }),
  },
  'detecting outages': { everyMs: seconds(10), run: detectAndWarn },
  'reporting early warnings': { everyMs: seconds(10), run: noteEarlyWarnings },
  'planning looks at delivery': { everyMs: hours(1), run: ({ db, clock }) => planLooks(db, clock.now()) },
  'looking at delivery': { everyMs: minutes(1), run: lookAtDelivery },
  'testing delivery': { everyMs: minutes(1), run: testDelivery },
  'tidying up': { everyMs: hours(1), run: ({ db, clock }) => dropOldRows(db, clock.now()) },
};
const FREQUENT_MS = minutes(1);

/** Both lock the same row. */
async function detectAndWarn(deps: ServiceDeps): Promise<void> {
  await detect(deps);
  await warn(deps);
}

type Detection = Pick<Meta, 'canary' | 'votes' | 'app'>;

/** All work that no request asks for: status, reconciler, scheduled tasks and notifications. */
export function startWorker(base: Base, meta: Meta, servicesOfPages: ServiceDeps) {
  const { config, options, metrics } = base;
  const { isStepped = false } = options;
  const reconciler = startReconciler(base, meta);
  const { db, notificationsDb, clock, log, owner, staleMs } = base;
  const polling = {
    ...{ db, clock, log, owner, staleMs, page: meta.statusPage },
    ...{ pollMs: config.statusPollMs, onReading: metrics.statusRead },
    onChange: () => reconciler.wake(),
  };
  const poller = startStatusPoller(polling, isStepped);
  const deps: ServiceDeps = { ...servicesOfPages, db, login: meta.taskLogin };
  const outbox = startOutboxWorker({
    ...{ ...deps, db: notificationsDb },
    isStepped,
    onTried: metrics.notificationTried,
  });
  const tasks = startScheduledTasks(deps, isStepped, meta).set('outbox', outbox);
  const observe = () => pollStatus(polling);
  /** Runs a task now and waits for its end. */
  const runTask = async (name: string): Promise<void> => {
    const task = tasks.get(name);
    if (task === undefined) throw new Error(`there is no background task ${name}`);
    await task.run();
  };
  const turn = async (): Promise<void> => {
    await observe();
    await reconciler.step();
    const frequent = Object.entries(SCHEDULED_TASKS).filter(([, { everyMs }]) => everyMs <= FREQUENT_MS);
    await Promise.all(frequent.map(([name]) => runTask(name)));
    await runTask('outbox');
  };
  return { reconciler, observe, runTask, turn, others: [poller, ...tasks.values()] };
}

function startReconciler(base: Base, { platform, gate }: Meta): Reconciler {
  const { options, db, cipher, clock, log, metrics, owner, staleMs } = base;
  const reconciler = new Reconciler({
    ...{ db, cipher, clock, log, owner, staleMs, platform },
    breaker: gate,
    onPaused: metrics.paused,
    timings: options.timings ?? RECONCILER_TIMINGS,
    concurrency: options.concurrency ?? CONCURRENCY,
  });
  if (options.isStepped !== true) reconciler.start();
  return reconciler;
}

/** @param isStepped a task runs only when it is asked to */
function startScheduledTasks(deps: ServiceDeps, isStepped: boolean, detection: Detection) {
  const { clock, log } = deps;
  const startedAt = clock.now();
  const raised = new Set<string>();
  return new Map(
    Object.entries(SCHEDULED_TASKS).map(([name, { everyMs, run }]) => [
      name,
      startScheduledTask({
        ...{ name, clock, log },
        everyMs: isStepped ? null : everyMs,
        run: () => run(deps, startedAt, raised, detection),
      }),
    ]),
  );
}
