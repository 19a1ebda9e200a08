import { randomUUID } from 'node:crypto';
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
import { createMetrics } from './metrics/metrics.ts';
import type { Log } from './observability/log.ts';
import { startLiveUpdates } from './realtime/live-updates.ts';
import { startScheduledTask } from './scheduled-task.ts';
import { createTokenCipher } from './secrets.ts';
import { readPublicStatus } from './services/status/public-status.ts';
import type { AppOptions } from './shared.ts';
import { closeAll } from './shutdown.ts';
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

/** Builds the app in reading order: database, parts (Meta, services, reconciler), HTTP. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const metrics = createMetrics();
  const http = createHttpServer({
    logLevel: config.logLevel,
    logTo: options.logTo,
    trustProxy: config.trustProxy,
    isEncrypted: config.publicUrl.startsWith('https:'),
    onResponse: metrics.requestHandled,
  });
  const { log } = http;
  warnOfMissingProxy(config, log);
  const store = await openStore(config, options, log);
  const { database, db, pagesDb, clock } = store;
  const { isStepped = false, demo = null } = options;
  const { meta, health, worker, deps, tasks, signals } = connectParts({
    ...store,
    ...{ config, options, log, metrics, isStepped },
    owner: randomUUID(),
    staleMs: Math.max(seconds(60), config.statusPollMs * 6),
  });
  const following = startScheduledTask({
    ...{ name: 'reading the clock of the database', clock, log },
    everyMs: isStepped ? null : CLOCK_READ_MS,
    run: () => clock.read(pagesDb),
  });
  const publicStatus = cached(clock, minutes(1), () => readPublicStatus(deps));
  const servesPages = config.role !== 'worker';
  const live = servesPages
    ? await startLiveUpdates({ db: pagesDb, database, clock, log, signals, onStatus: publicStatus.expire })
    : null;
  await addRoutes(http, {
    deps,
    streams: live?.streams ?? null,
    pages: { folder: options.webFolder, demo, company: config.company, publicUrl: config.publicUrl },
    publicStatus,
    health,
    rateLimits: options.rateLimits ?? {},
  });
  demo?.addRoutes?.(http);
  const operators =
    config.operations === null ? null : createOperatorsServer({ health, metrics: metrics.registry });
  return {
    http,
    operators,
    db,
    runTask: (name) => runTask(tasks, name),
    turn: async () => {
      await meta.app.refresh();
      await turn(worker, tasks);
    },
    close: () =>
      closeAll(log, {
        http,
        reconciler: worker?.reconciler,
        others: [live, following, worker?.observer, ...(tasks?.values() ?? [])],
        // Metrics close late, so that they cover the shutdown.
        clients: [deps.lists, operators, meta, database],
      }),
  };
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
  const clock = new DatabaseClock(options.clock ?? systemClock);
  await clock.read(pagesDb);
  return { database, db, pagesDb, clock, cipher: createTokenCipher(config.encryptionKeys) };
}
