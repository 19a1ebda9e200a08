import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { minutes, seconds } from '#core/time.ts';
import type { Http } from './platforms/http.ts';
import { createHttp } from './platforms/http.ts';
import type { Mailer } from './notifications/channels/email.ts';
import { createMailer } from './notifications/channels/email.ts';
import { createAdPlatform } from './platforms/meta/ads.ts';
import { createGraphClient } from './platforms/meta/client.ts';
import { CircuitBreaker } from './platforms/meta/circuit-breaker.ts';
import { createPlatformLogin } from './platforms/meta/login.ts';
import { Billing } from './stripe/billing.ts';
import { createStatusPage } from './platforms/meta/status-page/status-page.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { CLIENTS_CLOSING_MS, ENGINE_GOES_ON_MS, closeInTime } from './shutdown.ts';
import type { Config } from './config/read-config.ts';
import { createDb } from './db/database.ts';
import { DatabaseClock } from './db/database-clock.ts';
import type { Db } from './db/database.ts';
import { dropAllLeases } from './db/work-items.ts';
import { migrate } from './db/migrate.ts';
import { migrations } from './db/migrations/0001-initial.ts';
import { openDatabase } from './db/open-database.ts';
import type { Database } from './db/open-database.ts';
import type { ReconcilerTimings } from './reconciler/loop.ts';
import { RECONCILER_TIMINGS, Reconciler } from './reconciler/loop.ts';
import { observeOnce, startObserver } from './reconciler/observe.ts';
import { createHealth } from './health.ts';
import { CALLBACK_PATH } from './http/login-routes.ts';
import { createOperatorsServer } from './http/health-routes.ts';
import { PublicStatusCache } from './http/public-status/routes.ts';
import type { Demo } from './http/pages.ts';
import { addRoutes, createHttpServer } from './http/server.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { ScheduledTask } from './scheduled-task.ts';
import { startScheduledTask } from './scheduled-task.ts';
import { SCHEDULED_TASKS, startScheduledTasks } from './scheduled-tasks.ts';
import { startOutboxWorker } from './notifications/outbox-worker.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addProcessGauges, addStoredGauges } from './metrics/gauges.ts';
import { withAnswerMetrics, withUsageMetrics } from './metrics/platform-calls.ts';
import type { ServiceDeps } from './services/deps.ts';
import { readPublicStatus } from './services/public-status.ts';
import { ListRefreshes } from './services/campaigns/list-refreshes.ts';
import { createReadiness } from './readiness.ts';
import type { LiveUpdates } from './realtime/live-updates.ts';
import { startLiveUpdates } from './realtime/live-updates.ts';
import type { TokenCipher } from './secrets.ts';
import { createTokenCipher } from './secrets.ts';
import type { Log } from './observability/log.ts';
import type { StoredState } from './stored-state.ts';
import { shareStoredState } from './stored-state.ts';

/** How the app reaches Meta, Stripe and users' mailboxes: tests answer in their own process. */
export interface Transports {
  http: Http;
  stripe: Stripe.HttpClient;
  mailer: Mailer;
}

export interface AppOptions {
  webFolder: string;
  /** Only in demo mode. */
  demo?: Demo;
  clock?: Clock;
  /** Log destination; standard output by default. */
  logTo?: NodeJS.WritableStream;
  timings?: ReconcilerTimings;
  /** Maximum concurrent calls of the reconciler to the platform. */
  concurrency?: number;
  /** Requests per minute; by default RATE_LIMITS. */
  rateLimits?: Partial<RateLimits>;
  /** An open database; the app migrates and closes it like its own. */
  database?: Database;
  /** No other process uses the database, so that all leases in it are of dead processes. */
  ownsDatabase?: boolean;
  /** Instead of the network. */
  transports?: Partial<Transports>;
  /** Nothing runs by itself: `turn` and `runTask` do the background work. For tests, which step time. */
  isStepped?: boolean;
}

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

const CONCURRENCY = 200;
/** Calls to Meta that pages, and that logins, may have under way. */
const PAGES_CONNECTIONS = 128;
const LOGIN_CONNECTIONS = 64;
/** Enough for tens of thousands of campaigns. A user does not wait longer; the reconciler has no such limit. */
const PAGES_LIST_MS = seconds(60);
/** Status files have some tens of kilobytes; a larger response is not one of them. */
const STATUS_PAGE_BYTES = 2 * 1024 * 1024;
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
  const { meta, readiness, health, worker, deps, tasks } = connectParts(shared);
  const following = startScheduledTask({
    ...{ name: 'reading the clock of the database', clock, log },
    everyMs: isStepped ? null : CLOCK_READ_MS,
    run: () => clock.read(store.pagesDb),
  });
  const publicStatus = new PublicStatusCache(
    () => readPublicStatus(deps),
    () => clock.now(),
  );
  const live = await listenForUpdates(shared, database, () => publicStatus.expire());
  await addRoutes(http, {
    deps,
    streams: live?.streams ?? null,
    pages: {
      ...{ folder: options.webFolder, demo: options.demo ?? null },
      ...{ company: config.company, publicUrl: config.publicUrl },
    },
    publicStatus,
    readiness,
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
      const answered = closeInTime(http, log);
      const others = [live, following, ...(tasks?.values() ?? []), worker?.observer ?? null].map((part) =>
        closeInTime(part, log),
      );
      others.push(closeInTime(deps.refreshes, log, CLIENTS_CLOSING_MS));
      await Promise.race([answered, sleep(ENGINE_GOES_ON_MS, undefined, { ref: false })]);
      await Promise.all([answered, ...others, closeInTime(worker?.reconciler, log)]);
      // Metrics close last, so that they cover the shutdown.
      await closeInTime(operators, log, CLIENTS_CLOSING_MS);
      await meta.close();
      await closeInTime(database, log);
    },
  };
}

/** All parts but the HTTP server: services, reconciler and background tasks. */
export function connectParts(shared: Shared) {
  const meta = connectMeta(shared, () => worker?.reconciler.wake());
  const { readiness, stored, health } = watchHealth(shared);
  const worker = shared.config.role === 'web' ? null : startWorker(shared, meta);
  const deps = createDeps(shared, meta, { stored, wake: () => worker?.reconciler.wake() });
  const tasks = worker && startBackground(shared, meta, deps);
  return { meta, readiness, health, worker, deps, tasks };
}

function createServer(config: Config, { logTo }: AppOptions, metrics: Metrics): FastifyInstance {
  return createHttpServer({
    logLevel: config.logLevel,
    onAnswer: metrics.answered,
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

interface Store {
  database: Database;
  /** Pool of the reconciler and the scheduled tasks. */
  db: Db;
  /** Pool of the pages, which must not wait for the reconciler. */
  pagesDb: Db;
  cipher: TokenCipher;
}

/** Dependencies that all parts of this process share. */
export interface Shared extends Omit<Store, 'database'> {
  config: Config;
  options: AppOptions;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Identifies this process in leases. */
  owner: string;
  /** A status that was not read for this long counts as UNKNOWN. */
  staleMs: number;
  isStepped: boolean;
}

async function openStore(config: Config, options: AppOptions, log: Log): Promise<Store> {
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

type Meta = ReturnType<typeof connectMeta>;

/** @param onAnswers called when Meta answers again after an outage of its API */
function connectMeta({ config, options, clock, log, metrics }: Shared, onAnswers: () => void) {
  const clients: Http[] = [];
  const connect = (limits: { connections?: number; maxBodyBytes?: number }): Http => {
    const http = options.transports?.http ?? createHttp(limits);
    clients.push(http);
    return http;
  };
  const graphOver = (http: Http) =>
    withAnswerMetrics(
      createGraphClient(config.meta, http, () => clock.now()),
      metrics.platformAnswered,
    );
  const breaker = new CircuitBreaker(
    () => clock.now(),
    (isOpen) => {
      if (isOpen) log.warn(breaker.outage() ?? {}, 'Meta API circuit breaker opened');
      else log.info({}, 'Meta API circuit breaker closed');
      if (!isOpen) onAnswers();
    },
  );
  // Connections of their own: neither pages nor logins can use up those of the reconciler.
  const graph = graphOver(connect({}));
  const page = createStatusPage({
    url: config.meta.statusUrl,
    services: config.meta.statusServices,
    http: connect({ connections: 8, maxBodyBytes: STATUS_PAGE_BYTES }),
    // A test or the demo moves the product's clock, not that of the status page.
    now: () => (options.clock === undefined ? clock : systemClock).now(),
  });
  return {
    breaker,
    page,
    reconcilerGraph: breaker.guard(graph),
    pagesGraph: breaker.guard(graphOver(connect({ connections: PAGES_CONNECTIONS }))),
    // Logins bypass the circuit breaker: a successful login does not prove that campaigns can be read.
    taskLogin: createPlatformLogin(config.meta, graph),
    login: createPlatformLogin(config.meta, graphOver(connect({ connections: LOGIN_CONNECTIONS }))),
    close: () => Promise.all(clients.map((http) => closeInTime(http, log, CLIENTS_CLOSING_MS))),
  };
}

function watchHealth({ config, pagesDb, cipher, clock, metrics, staleMs }: Shared) {
  const readiness = createReadiness(pagesDb);
  const stored = shareStoredState({
    db: pagesDb,
    clock,
    migrations: Object.keys(migrations),
    keyIds: cipher.keyIds,
    webhookFailures: metrics.webhookFailures,
  });
  addStoredGauges(metrics.registry, { stored, clock });
  addProcessGauges(metrics.registry, { role: config.role, staleMs });
  return { readiness, stored, health: createHealth({ clock, readiness, stored, staleMs }) };
}

function createDeps(
  { config, options, pagesDb, cipher, clock, log, owner, staleMs }: Shared,
  { pagesGraph, login, breaker }: Meta,
  { stored, wake }: { stored: () => Promise<StoredState>; wake: () => void },
): ServiceDeps {
  return {
    db: pagesDb,
    cipher,
    platform: createAdPlatform(pagesGraph, config.meta.appId, { withinMs: PAGES_LIST_MS }),
    login,
    billing: new Billing(
      config.stripe,
      (details) => {
        log[details.failure === 'misconfigured' ? 'error' : 'warn'](details, 'Stripe request failed');
      },
      options.transports?.stripe,
    ),
    isPlatformDown: () => breaker.isOpen(),
    systemNumbers: async () => (await stored()).gauges,
    clock,
    log,
    refreshes: new ListRefreshes(() => clock.now()),
    owner,
    wake,
    staleMs,
    statusServices: config.meta.statusServices,
    statusPollMs: config.statusPollMs,
    isProductionLike: config.isProductionLike,
    redirectUri: config.publicUrl + CALLBACK_PATH,
    publicUrl: config.publicUrl,
    configuredRoles: config.configuredRoles,
  };
}

function startWorker(shared: Shared, { reconcilerGraph, breaker, page }: Meta) {
  const { config, options, db, cipher, clock, log, metrics, owner, staleMs, isStepped } = shared;
  const timings = options.timings ?? RECONCILER_TIMINGS;
  const reconciler = new Reconciler({
    db,
    cipher,
    platform: withUsageMetrics(createAdPlatform(reconcilerGraph, config.meta.appId), ({ percent }) =>
      metrics.limitUsed(percent),
    ),
    onPaused: metrics.paused,
    clock,
    log,
    owner,
    staleMs,
    timings,
    concurrency: options.concurrency ?? CONCURRENCY,
    breaker,
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
  const observer = isStepped ? null : startObserver(observing);
  return { reconciler, observer, observe: () => observeOnce(observing) };
}

/** Null in a process without pages. */
async function listenForUpdates(
  { config, pagesDb: db, clock, log }: Shared,
  database: Database,
  onStatus: () => void,
): Promise<LiveUpdates | null> {
  return config.role === 'worker' ? null : startLiveUpdates({ db, database, clock, log, onStatus });
}

function startBackground(
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

async function runTask(tasks: ReadonlyMap<string, ScheduledTask> | null, name: string): Promise<void> {
  const task = tasks?.get(name);
  if (task === undefined) throw new Error(`this process has no background task ${name}`);
  await task.run();
}

async function turn(
  worker: ReturnType<typeof startWorker> | null,
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
