import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { minutes, seconds } from '#core/time.ts';
import { cached } from './cached.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config/read-config.ts';
import { connectParts } from './connect-parts.ts';
import { createDb } from './db/database.ts';
import { DatabaseClock } from './db/database-clock.ts';
import type { Db } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { migrations } from './db/migrations/0001-initial.ts';
import { openDatabase } from './db/open-database.ts';
import { dropAllLeases } from './db/work-items.ts';
import { createOperatorsServer } from './http/health-routes.ts';
import { addRoutes, createHttpServer } from './http/server.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Log } from './observability/log.ts';
import { startLiveUpdates } from './realtime/live-updates.ts';
import type { ScheduledTask } from './scheduled-task.ts';
import { startScheduledTask } from './scheduled-task.ts';
import { createTokenCipher } from './secrets.ts';
import { readPublicStatus } from './services/public-status.ts';
import type { AppOptions, Shared } from './shared.ts';
import { CLIENTS_CLOSING_MS, RECONCILER_DELAY_MS, closeInTime } from './shutdown.ts';
import { runTask, turn } from './worker.ts';

export interface App {
  http: FastifyInstance;
  /** Health and metrics for operators; null if no port is configured. */
  operators: FastifyInstance | null;
  db: Db;
  /** Runs a background task now and waits for its end: tests step time instead of waiting. */
  runTask(name: string): Promise<void>;
  /** Reads the status, reconciles due work items, runs the frequent tasks and sends due notifications. */
  turn(): Promise<void>;
  close(): Promise<void>;
}

/** So long a wrong step of this machine's clock may last. */
const CLOCK_READ_MS = seconds(5);

/** Builds the app in reading order: database, external services, services, reconciler, HTTP. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const clock = new DatabaseClock(options.clock ?? systemClock);
  const metrics = createMetrics(clock);
  const http = createServer(config, options, metrics);
  const { log } = http;
  warnOfMissingProxy(config, log);
  const { database, ...store } = await openStore(config, options, log);
  await clock.read(store.pagesDb);
  const owner = randomUUID();
  const staleMs = Math.max(seconds(60), config.statusPollMs * 6);
  const { isStepped = false } = options;
  const shared: Shared = { ...store, config, options, log, metrics, clock, owner, staleMs, isStepped };
  const { meta, health, worker, deps, tasks } = connectParts(shared);
  const following = followDatabase(shared, clock);
  const now = () => clock.now();
  const publicStatus = cached(minutes(1), () => readPublicStatus(deps), now);
  const onStatus = () => publicStatus.expire();
  const live =
    config.role === 'worker'
      ? null
      : await startLiveUpdates({ db: store.pagesDb, database, clock, log, onStatus });
  await addRoutes(http, {
    deps,
    streams: live?.streams ?? null,
    pages: {
      ...{ folder: options.webFolder, demo: options.demo ?? null },
      ...{ company: config.company, publicUrl: config.publicUrl },
    },
    publicStatus,
    health,
    rateLimits: options.rateLimits ?? {},
  });
  options.demo?.addRoutes?.(http);
  const operators =
    config.operations === null ? null : createOperatorsServer({ health, metrics: metrics.registry });
  return {
    http,
    operators,
    db: store.db,
    runTask: (name) => runTask(tasks, name),
    turn: () => turn(worker, tasks),
    async close() {
      // Close all parts concurrently: a part that hangs takes no time from the others.
      const httpClosed = closeInTime(http, log);
      const others = [live, following, ...(tasks?.values() ?? []), worker?.observer ?? null].map((part) =>
        closeInTime(part, log),
      );
      others.push(closeInTime(deps.lists, log, CLIENTS_CLOSING_MS));
      await Promise.race([httpClosed, sleep(RECONCILER_DELAY_MS, undefined, { ref: false })]);
      await Promise.all([httpClosed, ...others, closeInTime(worker?.reconciler, log)]);
      // Metrics close last, so that they cover the shutdown.
      await closeInTime(operators, log, CLIENTS_CLOSING_MS);
      await meta.close();
      await closeInTime(database, log);
    },
  };
}

function followDatabase({ isStepped, log, pagesDb }: Shared, clock: DatabaseClock): ScheduledTask {
  return startScheduledTask({
    ...{ name: 'reading the clock of the database', clock, log },
    everyMs: isStepped ? null : CLOCK_READ_MS,
    run: () => clock.read(pagesDb),
  });
}

function createServer(config: Config, { logTo }: AppOptions, metrics: Metrics): FastifyInstance {
  return createHttpServer({
    logLevel: config.logLevel,
    onResponse: metrics.requestHandled,
    trustProxy: config.trustProxy,
    isEncrypted: config.publicUrl.startsWith('https:'),
    logTo,
  });
}

function warnOfMissingProxy({ role, publicUrl, trustProxy }: Config, log: Log): void {
  if (role === 'worker' || !publicUrl.startsWith('https:') || trustProxy !== 0) return;
  const text = 'PUBLIC_URL is https and TRUST_PROXY is not set: behind a proxy all users have one address';
  log.warn({}, text);
}

async function openStore(config: Config, options: AppOptions, log: Log) {
  const database = options.database ?? (await openDatabase({ url: config.databaseUrl, log }));
  await migrate(database, migrations);
  const db = createDb(database.pool, options.clock);
  const pagesDb = config.role === 'all' ? createDb(database.pagesPool, options.clock) : db;
  if (options.ownsDatabase === true) await dropAllLeases(db);
  return {
    database,
    db,
    pagesDb,
    cipher: createTokenCipher(config.encryptionKeys),
  };
}
