import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { minutes, seconds } from '#core/time.ts';
import { cached } from '../cached.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/read-config.ts';
import { createDb } from '../db/database.ts';
import { DatabaseClock } from '../db/database-clock.ts';
import type { Db } from '../db/database.ts';
import { hasMigrations, migrate } from '../db/migrate.ts';
import { migrations } from '../db/migrations/all.ts';
import { openDatabase } from '../db/open-database.ts';
import { readGauges } from '../db/reports/gauges.ts';
import { dropAllLeases } from '../db/work-items.ts';
import { createHealth } from '../health.ts';
import { createOperatorsServer } from '../http/health-routes.ts';
import { CALLBACK_PATH } from '../http/login-routes.ts';
import { addRoutes, createHttpServer } from '../http/server.ts';
import { addGauges } from '../metrics/gauges.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Log } from '../observability/log.ts';
import { connectionsOf, createChannels } from '../notifications/channels/channels.ts';
import { createMailer } from '../notifications/channels/email.ts';
import { startLiveUpdates } from '../realtime/live-updates.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import { createTokenCipher } from '../secrets.ts';
import { ListReads } from '../services/campaigns/list-reads.ts';
import type { ServiceDeps } from '../services/deps.ts';
import { readPublicStatus } from '../services/status/public-status.ts';
import { Billing } from '../stripe/billing.ts';
import { UserSignals } from '../user-signals.ts';
import { connectMeta } from './meta.ts';
import type { AppOptions, Base } from './options.ts';
import { closeAll } from './shutdown.ts';
import { startWorker } from './worker.ts';

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
/** The database counts its rows at most this often. */
const NUMBERS_MS = seconds(5);
const PUBLIC_STATUS_MS = minutes(1);

/** Builds the app in reading order: database, parts (Meta, services, worker), HTTP. */
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
  const { database, ...store } = await openStore(config, options, log);
  const { db, pagesDb, clock } = store;
  const owner = randomUUID();
  const staleMs = Math.max(seconds(60), config.statusPollMs * 6);
  const base: Base = { ...store, config, options, log, metrics, owner, staleMs };
  const { meta, deps, worker, signals } = connectParts(base);
  const following = startScheduledTask({
    ...{ name: 'reading the clock of the database', clock, log },
    everyMs: options.isStepped === true ? null : CLOCK_READ_MS,
    run: () => clock.read(pagesDb),
  });
  const publicStatus = cached(clock, PUBLIC_STATUS_MS, () => readPublicStatus(deps));
  const servesPages = config.role !== 'worker';
  const live = servesPages
    ? await startLiveUpdates({ db: pagesDb, database, clock, log, signals, onStatus: publicStatus.expire })
    : null;
  const health = createHealth(clock, () => hasMigrations(pagesDb, Object.keys(migrations)));
  const { demo = null, rateLimits = {}, webFolder: folder } = options;
  const { company, publicUrl } = config;
  await addRoutes(http, {
    ...{ deps, publicStatus, health, rateLimits, streams: live?.streams ?? null },
    pages: { folder, demo, company, publicUrl },
  });
  demo?.addRoutes?.(http);
  const operators =
    config.operations === null ? null : createOperatorsServer({ health, metrics: metrics.registry });
  const background = (): NonNullable<typeof worker> => {
    if (worker === null) throw new Error('this process does no background work');
    return worker;
  };
  return {
    http,
    operators,
    db,
    runTask: (name) => background().runTask(name),
    turn: async () => {
      await meta.refresh();
      await background().turn();
    },
    close: () =>
      closeAll(log, {
        http,
        reconciler: worker?.reconciler,
        others: [live, following, ...(worker?.others ?? [])],
        // Metrics close late, so that they cover the shutdown.
        clients: [deps.lists, operators, meta, connectionsOf(deps.channels), database],
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
  const notificationsDb = createDb(database.notificationsPool, options.clock);
  if (options.ownsDatabase === true) await dropAllLeases(db);
  const clock = new DatabaseClock(options.clock ?? systemClock);
  await clock.read(pagesDb);
  return { database, db, pagesDb, notificationsDb, clock, cipher: createTokenCipher(config.encryptionKeys) };
}

/** All parts but the HTTP server: Meta, services and the worker, which is null in a process that only serves pages. */
export function connectParts(base: Base) {
  const { config, options, pagesDb, cipher, clock, log, metrics, owner, staleMs } = base;
  const { statusPollMs, isProductionLike, publicUrl, configuredRoles } = config;
  const wake = () => worker?.reconciler.wake();
  const meta = connectMeta(base, wake);
  const { login, app, statusPage } = meta;
  const numbers = cached(clock, NUMBERS_MS, () => readGauges(pagesDb, cipher.keyIds, clock.now()));
  addGauges(metrics.registry, { numbers: numbers.read, clock, role: config.role, staleMs });
  const signals = new UserSignals();
  const deps: ServiceDeps = {
    ...{ db: pagesDb, cipher, clock, log, owner, signals, wake, staleMs },
    ...{ statusPollMs, isProductionLike, publicUrl, configuredRoles },
    ...{
      login,
      app,
      statusPage,
      platform: meta.pagesPlatform,
      spendReports: meta.spendReports,
      isPlatformDown: meta.isDown,
    },
    channels: createChannels({
      mailer: options.transports?.mailer ?? createMailer(config.mail),
      mailDomain: domainOf(config.mail.from),
      allowed: config.allowedWebhookAddresses,
    }),
    allowedAddresses: config.allowedWebhookAddresses,
    billing: new Billing(config.stripe, log, options.transports?.stripe),
    systemNumbers: numbers.read,
    lists: new ListReads(clock, log),
    statusServices: config.meta.statusServices,
    redirectUri: publicUrl + CALLBACK_PATH,
    hasCanary: config.canary !== null,
    controlUrls: config.controlUrls,
  };
  const worker = config.role === 'web' ? null : startWorker(base, meta, deps);
  return { meta, deps, worker, signals };
}

/** The domain of the sender's address. */
function domainOf(from: string): string {
  return /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}
