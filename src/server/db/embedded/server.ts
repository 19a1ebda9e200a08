import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLog } from '../pool/pool.ts';
import { AlreadyRunningError, PostgresCluster } from './cluster.ts';
import { claimDataFolder } from './data-folder.ts';

export interface EmbeddedServer {
  url: string;
  /** False: the server belongs to another process, which may stop it at any time. */
  isOurs: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: DatabaseLog;
  /** Uses the server of a running SmartPause instead of refusing to start. */
  share: boolean;
}

/** The advisory lock of the process that owns the server. PostgreSQL frees it when that process ends. */
const OWNER_LOCK = 7_283_646;
const LOCK_TRIES = 5;
const LOCK_RETRY_MS = 200;
const CONNECT_WITHIN_MS = 10_000;
/** A killed server counts as running until its parent, the init process, reaps it. */
const ENDED_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 200;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/**
 * Starts the PostgreSQL of DATA_DIR, owns it until `stop`, and restarts it when it ends by itself.
 * Stops a server that a killed process left behind first.
 */
export async function startEmbedded({ dataDir, log, share }: EmbeddedOptions): Promise<EmbeddedServer> {
  const home = claimDataFolder(dataDir, log);
  const cluster = await PostgresCluster.open(home);
  const until = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const running = await findRunning(cluster);
    if (running !== null && !(await isLeftBehind(running.client, share ? 1 : LOCK_TRIES))) {
      if (share) return { url: cluster.urlOf(running.port), isOurs: false, stop: () => Promise.resolve() };
      throw new Error(
        `Another SmartPause is running on ${path.resolve(dataDir)}: stop it first, or set another DATA_DIR.`,
      );
    }
    if (running !== null) await cluster.stop('fast').catch(() => cluster.stop('immediate'));
    try {
      const { port } = await cluster.start();
      const owner = await own(cluster, port);
      if (owner !== null) return keep({ cluster, port, log }, owner);
    } catch (error) {
      // Two processes start at once, and the other one owns the server.
      if (!(error instanceof AlreadyRunningError) || performance.now() > until) throw error;
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Returns a connection if the server of this cluster accepts connections. */
async function findRunning(cluster: PostgresCluster): Promise<{ client: pg.Client; port: number } | null> {
  const last = cluster.lastServer;
  if (last === null) return null;
  const client = await connect(cluster, last.port).catch(() => null);
  return client === null ? null : { client, port: last.port };
}

/** Checks the cluster, since another server can use the port after a crash. */
async function connect(cluster: PostgresCluster, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: cluster.urlOf(port),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
    application_name: 'smartpause-owner',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    );
    const isOurs =
      fs.realpathSync(rows[0]?.folder ?? '') === fs.realpathSync(path.join(cluster.home, 'data'));
    if (isOurs) return client;
    throw new Error(`The server on port ${port} is another one.`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function isLeftBehind(client: pg.Client, tries: number): Promise<boolean> {
  try {
    return await takeLock(client, tries);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function own(cluster: PostgresCluster, port: number): Promise<pg.Client | null> {
  const client = await connect(cluster, port);
  if (await takeLock(client)) return client;
  await client.end();
  return null;
}

/** Retries, since the session of a killed process can exist for a moment. */
async function takeLock(client: pg.Client, mostTries = LOCK_TRIES): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      OWNER_LOCK,
    ]);
    if (rows[0]?.taken === true) return true;
    if (tries === mostTries) return false;
    await sleep(LOCK_RETRY_MS);
  }
}

/** Restarts the server on the same port whenever it ends, until stopped. */
function keep(
  { cluster, port, log }: { cluster: PostgresCluster; port: number; log: DatabaseLog },
  owner: pg.Client,
): EmbeddedServer {
  let current = owner;
  let isStopping = false;
  let restarting: Promise<void> = Promise.resolve();

  const watch = (client: pg.Client): void => {
    current = client;
    client.once('end', () => {
      if (!isStopping) restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    log.error({}, 'PostgreSQL ended; it is started again');
    for (let waitMs = FIRST_RETRY_MS; !isStopping; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        // PostgreSQL restarts by itself if only one of its processes was killed.
        const running = await findRunning(cluster);
        await running?.client.end();
        if (running === null) await cluster.start({ port });
        const client = await own(cluster, port);
        if (client === null) throw new Error('another process has taken the database over');
        watch(client);
        log.info({}, 'PostgreSQL runs again');
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be started again');
        await sleep(waitMs, undefined, { ref: false });
      }
    }
  };
  watch(owner);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    isStopping = true;
    await restarting;
    await current.end().catch(() => undefined);
    await cluster.stop('fast').catch((error: unknown) => {
      log.warn({ err: error }, 'PostgreSQL could not be stopped');
    });
  };
  return { url: cluster.urlOf(port), isOurs: true, stop: () => (stopped ??= stop()) };
}
