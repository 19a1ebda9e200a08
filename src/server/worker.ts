import { minutes } from '#core/time.ts';
import type { Meta } from './connect-meta.ts';
import { createMailer } from './notifications/email.ts';
import { startOutboxWorker } from './notifications/outbox-worker.ts';
import { createAdPlatform } from './platforms/meta/ads.ts';
import { RECONCILER_TIMINGS, Reconciler } from './reconciler/loop.ts';
import { pollStatus, startStatusPoller } from './status/poller.ts';
import type { ScheduledTask } from './scheduled-task.ts';
import { SCHEDULED_TASKS, startScheduledTasks } from './scheduled-tasks.ts';
import type { ServiceDeps } from './services/deps.ts';
import type { Shared } from './shared.ts';

const CONCURRENCY = 200;

export type Worker = ReturnType<typeof startWorker>;

export function startWorker(shared: Shared, { reconcilerGraph, pageSizes, app, breaker, page }: Meta) {
  const { config, options, db, cipher, clock, log, metrics, owner, staleMs, isStepped } = shared;
  const timings = options.timings ?? RECONCILER_TIMINGS;
  const reconciler = new Reconciler({
    db,
    cipher,
    platform: createAdPlatform(reconcilerGraph, config.meta.appId, metrics.limitUsed, pageSizes),
    onPaused: metrics.paused,
    clock,
    log,
    owner,
    staleMs,
    timings,
    concurrency: options.concurrency ?? CONCURRENCY,
    breaker: {
      isOpen: () => breaker.isOpen() || app.stopped() !== null,
      msUntilNextCall: () => Math.max(breaker.msUntilNextCall(), app.msUntilNextCall()),
    },
  });
  const observing = {
    db,
    clock,
    log,
    owner,
    staleMs,
    page,
    onReading: metrics.statusRead,
    pollMs: config.statusPollMs,
    onChange: () => reconciler.wake(),
  };
  if (!isStepped) reconciler.start();
  const observer = startStatusPoller(observing, isStepped);
  return { reconciler, observer, observe: () => pollStatus(observing) };
}

export function startBackground(
  { config, options, db, metrics, isStepped }: Shared,
  { taskLogin }: Meta,
  deps: ServiceDeps,
) {
  const own: ServiceDeps = { ...deps, db, login: taskLogin };
  const outbox = startOutboxWorker({
    ...own,
    isStepped,
    mailer: options.transports?.mailer ?? createMailer(config.mail),
    mailDomain: domainOf(config.mail.from),
    onTried: metrics.notificationTried,
  });
  return startScheduledTasks(own, isStepped).set('outbox', outbox);
}

export async function runTask(tasks: ReadonlyMap<string, ScheduledTask> | null, name: string): Promise<void> {
  const task = tasks?.get(name);
  if (task === undefined) throw new Error(`this process has no background task ${name}`);
  await task.run();
}

export async function turn(
  worker: Worker | null,
  tasks: ReadonlyMap<string, ScheduledTask> | null,
): Promise<void> {
  await worker?.observe();
  await worker?.reconciler.step();
  const frequent = SCHEDULED_TASKS.filter(({ everyMs }) => everyMs <= minutes(1));
  await Promise.all(frequent.map(({ name }) => runTask(tasks, name)));
  await runTask(tasks, 'outbox');
}

/** The domain of the sender's address. */
function domainOf(from: string): string {
  return /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}
