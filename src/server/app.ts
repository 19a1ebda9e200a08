import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { seconds } from '#core/time.ts';
import { createHttp } from './platforms/http.ts';
import { createMailer } from './notifications/channels/email.ts';
import { createAdPlatform } from './platforms/meta/ads.ts';
import { createGraphClient } from './platforms/meta/client.ts';
import { guardClient } from './platforms/meta/guarded-client.ts';
import { createPlatformLogin } from './platforms/meta/login.ts';
import { SHARE_OF_LOGINS, SHARE_OF_PAGES, withinShare } from './platforms/meta/own-share.ts';
import { createBilling } from './stripe/billing.ts';
import { createStatusPage } from './platforms/meta/status-page/status-page.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { CLIENTS_CLOSING_MS, ENGINE_GOES_ON_MS, closeInTime } from './closing.ts';
import type { Config } from './config.ts';
import { createDb } from './db/database.ts';
import type { Db } from './db/database.ts';
import { dropAllLeases } from './db/lanes.ts';
import { migrate } from './db/migrate.ts';
import { migrations } from './db/migrations/index.ts';
import { openDatabase } from './db/pool/open.ts';
import type { Database } from './db/pool/open.ts';
import { PoolShare } from './db/pool/own-share.ts';
import type { Engine, EngineTimings } from './reconciler/loop.ts';
import { ENGINE_TIMINGS, startEngine } from './reconciler/loop.ts';
import { startObserver } from './reconciler/observe.ts';
import { createHealth } from './health.ts';
import { CALLBACK_PATH } from './http/routes/login.ts';
import { createOperatorsServer } from './http/operators-server.ts';
import { addRoutes, createHttpServer } from './http/server.ts';
import { startJobs } from './jobs.ts';
import { localKey } from './local-key.ts';
import { startPost } from './notifications/post.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addProcessGauges } from './metrics/process-gauges.ts';
import { tellingAnswers, tellingUsage } from './metrics/platform-calls.ts';
import { addStoredGauges } from './metrics/stored-gauges.ts';
import type { OperationDeps } from './services/deps.ts';
import { Readings } from './services/campaigns/readings.ts';
import { shareReads } from './services/campaigns/shared-reads.ts';
import type { Readiness } from './readiness.ts';
import { createReadiness } from './readiness.ts';
import { startLiveUpdates } from './realtime/live-updates.ts';
import type { Vault } from './secrets.ts';
import { createVault } from './secrets.ts';
import type { Log } from './observability/log.ts';
import { traceStatement } from './observability/spans.ts';
import { shareStoredState } from './stored-state.ts';
import { startTracing } from './tracing.ts';
import { watchTrouble } from './trouble.ts';

export interface AppOptions {
  /** The built web app. */
  webFolder: string;
  /** Control pages of programs that play the outside world, as 'name=address'; empty when all is real. */
  practice?: readonly string[];
  clock?: Clock;
  /** Where the log goes; standard output unless given. */
  logTo?: NodeJS.WritableStream;
  timings?: EngineTimings;
  /** How many calls the engine has under way at the platform. */
  concurrency?: number;
  /** A database that is open already; it is migrated and closed like our own. */
  database?: Database;
}

export interface App {
  http: FastifyInstance;
  /** For whoever runs it; null: it was not asked for. */
  operators: FastifyInstance | null;
  /** This shared, in leases and on the administrators' page. */
  owner: string;
  db: Db;
  close(): Promise<void>;
}

const CONCURRENCY = 200;
/** Tens of thousands of campaigns. Nobody waits for a page any longer; the engine has no such limit. */
const PAGES_LIST_MS = seconds(60);
/** Its files have some tens of thousands; more is something else. */
const STATUS_PAGE_BYTES = 2 * 1024 * 1024;

/** Builds the product in reading order: database, outside world, services, reconciler, HTTP. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const metrics = createMetrics();
  const http = createHttpServer({
    logLevel: config.logLevel,
    onAnswer: metrics.answered,
    trustProxy: config.trustProxy,
    isEncrypted: config.publicUrl.startsWith('https:'),
    logTo: options.logTo,
  });
  const { log } = http;
  const tracing = config.tracing === null ? null : await startTracing(config.tracing, log);
  warnOfMissingProxy(config, log);
  const clock = options.clock ?? systemClock;
  const store = await openStore(config, options, { log, clock });
  const owner = randomUUID();
  const staleMs = Math.max(seconds(60), config.statusPollMs * 6);
  const shared: Shared = { ...store, config, options, log, metrics, clock, owner, staleMs };
  const meta = connectMeta(shared, () => worker?.engine.wake());
  const { readiness, health } = watchHealth(shared);
  const worker = config.role === 'web' ? null : startWorker(shared, meta);
  const deps = createDeps(shared, meta, { readiness, wake: () => worker?.engine.wake() });
  const background = worker === null ? [] : startBackground(shared, meta, { deps, engine: worker.engine });
  const live =
    config.role === 'worker'
      ? null
      : await startLiveUpdates({ db: store.pagesDb, database: store.database, clock, log });
  await addRoutes(http, {
    deps,
    streams: live?.streams ?? null,
    publicUrl: config.publicUrl,
    pages: { folder: options.webFolder, practice: options.practice ?? [], company: config.company },
    readiness,
    health,
  });
  const operators =
    config.operations === null ? null : createOperatorsServer({ health, metrics: metrics.registry });
  return {
    http,
    operators,
    owner,
    db: store.db,
    async close() {
      // All at once: what hangs in one part, or cannot be closed well without a database, takes no time from the others.
      const answered = closeInTime(http, log);
      const others = [live, ...background, worker?.observer].map((part) => closeInTime(part, log));
      others.push(closeInTime(deps.readings, log, CLIENTS_CLOSING_MS));
      await Promise.race([answered, sleep(ENGINE_GOES_ON_MS, undefined, { ref: false })]);
      await Promise.all([answered, ...others, closeInTime(worker?.engine, log)]);
      // Metrics and traces last, so that the closing is seen.
      await Promise.all([operators, tracing].map((part) => closeInTime(part, log, CLIENTS_CLOSING_MS)));
      const clients = [meta.outside, meta.statusHttp];
      await Promise.all(clients.map((part) => closeInTime(part, log, CLIENTS_CLOSING_MS)));
      await store.db.destroy();
      await store.database.close();
    },
  };
}

function warnOfMissingProxy({ role, publicUrl, trustProxy }: Config, log: Log): void {
  if (role === 'worker' || !publicUrl.startsWith('https:') || trustProxy !== 0) return;
  const text =
    'PUBLIC_URL is https and TRUST_PROXY is not set: behind a proxy all people count as one address';
  log.warn({}, text);
}

interface Store {
  database: Database;
  /** For the reconciler and scheduled tasks. */
  db: Db;
  /** For pages, which must not wait for the reconciler. */
  pagesDb: Db;
  vault: Vault;
}

/** What every part of this process shares. */
interface Shared extends Store {
  config: Config;
  options: AppOptions;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Names this process in leases. */
  owner: string;
  /** A status that was not read for this long counts as UNKNOWN. */
  staleMs: number;
}

async function openStore(
  config: Config,
  options: AppOptions,
  { log, clock }: { log: Log; clock: Clock },
): Promise<Store> {
  const { databaseUrl: url, dataDir } = config;
  const database = options.database ?? (await openDatabase({ url, dataDir, log }));
  await migrate(database, migrations);
  const onStatement = config.tracing === null ? undefined : traceStatement;
  const db = createDb(database.pool, onStatement);
  // A process that only serves pages keeps nothing for others.
  const isShared = config.role === 'all';
  const pagesDb = isShared ? createDb(new PoolShare(database.pool, database.forPages), onStatement) : db;
  if (database.exclusive) await dropAllLeases(db, clock.now());
  return { database, db, pagesDb, vault: createVault(config.encryptionKeys ?? [await localKey(dataDir)]) };
}

type Meta = ReturnType<typeof connectMeta>;

/** @param onAnswers Meta answers again after it answered nobody */
function connectMeta({ config, clock, log, metrics }: Shared, onAnswers: () => void) {
  const outside = createHttp();
  const statusHttp = createHttp({ connections: 8, maxBodyBytes: STATUS_PAGE_BYTES });
  const graph = createGraphClient(config.meta, outside, () => clock.now());
  // A login is let through: that it succeeds is no sign that campaigns can be read.
  const guarded = guardClient(tellingAnswers(graph, metrics.platformAnswered), {
    roll: Math.random,
    onChange: (isOpen) => {
      if (isOpen) log.warn(guarded.gate.outage() ?? {}, 'Meta answers nobody: it is asked now and then only');
      else log.info({}, 'Meta answers again');
      if (!isOpen) onAnswers();
    },
  });
  const page = createStatusPage({
    url: config.meta.statusUrl,
    services: config.meta.statusServices,
    http: statusHttp,
  });
  return { outside, statusHttp, graph, guarded, page };
}

function watchHealth({ config, pagesDb, clock, metrics, staleMs }: Shared) {
  const readiness = createReadiness(pagesDb);
  const stored = shareStoredState({ db: pagesDb, clock, migrations: Object.keys(migrations) });
  addStoredGauges(metrics.registry, { stored, clock });
  addProcessGauges(metrics.registry, { role: config.role, staleMs });
  return { readiness, health: createHealth({ clock, readiness, stored, staleMs }) };
}

function createDeps(
  { config, pagesDb, vault, clock, log, owner, staleMs }: Shared,
  { graph, guarded }: Meta,
  { readiness, wake }: { readiness: () => Promise<Readiness>; wake: () => void },
): OperationDeps {
  const stripeTrouble = watchTrouble(clock);
  return {
    db: pagesDb,
    shared: shareReads(pagesDb, clock),
    vault,
    platform: createAdPlatform(withinShare(guarded.graph, SHARE_OF_PAGES), config.meta.appId, {
      withinMs: PAGES_LIST_MS,
    }),
    login: createPlatformLogin(config.meta, withinShare(graph, SHARE_OF_LOGINS)),
    billing: createBilling(
      config.stripe,
      (details) => {
        log[details.failure === 'misconfigured' ? 'error' : 'warn'](details, 'Stripe did not do it');
        if (details.failure !== 'gone') stripeTrouble.fails(details.code);
      },
      { onAnswer: stripeTrouble.answers },
    ),
    around: { platform: () => guarded.gate.outage(), billing: stripeTrouble.current, database: readiness },
    clock,
    log,
    readings: new Readings(() => clock.now()),
    owner,
    wake,
    staleMs,
    isProductionLike: config.isProductionLike,
    redirectUri: config.publicUrl + CALLBACK_PATH,
    publicUrl: config.publicUrl,
    appointed: config.appointed,
  };
}

/** The reconciler and what reads the status page. */
function startWorker(shared: Shared, { guarded, page }: Meta) {
  const { config, options, db, vault, clock, log, metrics, owner, staleMs } = shared;
  const timings = options.timings ?? ENGINE_TIMINGS;
  const engine = startEngine({
    db,
    vault,
    platform: tellingUsage(createAdPlatform(guarded.graph, config.meta.appId), ({ percent }) =>
      metrics.limitUsed(percent),
    ),
    onPaused: metrics.paused,
    clock,
    log,
    roll: Math.random,
    owner,
    staleMs,
    timings,
    concurrency: options.concurrency ?? CONCURRENCY,
    gate: guarded.gate,
  });
  const observer = startObserver({
    db,
    clock,
    log,
    owner,
    staleMs,
    page,
    onReading: metrics.statusRead,
    pollMs: config.statusPollMs,
    laneLeaseMs: timings.leaseMs,
    onChange: () => engine.wake(),
  });
  return { engine, observer };
}

/** Scheduled tasks and the outbox worker. */
function startBackground(
  { config, db, metrics }: Shared,
  { graph }: Meta,
  { deps, engine }: { deps: OperationDeps; engine: Engine },
) {
  const own: OperationDeps = { ...deps, db, login: createPlatformLogin(config.meta, graph) };
  const post = startPost({
    ...own,
    mailer: createMailer(config.mail),
    mailDomain: domainOf(config.mail.from),
    roll: Math.random,
    isHurried: () => engine.isHurried(),
    onTried: metrics.mailTried,
  });
  return [startJobs(own), post];
}

/** What stands behind the @ of the sender's address. */
function domainOf(from: string): string {
  return /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}
