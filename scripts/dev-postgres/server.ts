import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AlreadyRunningError, PostgresCluster, writeOnce } from './cluster.ts';
import { canReach, serverIdentity } from './program.ts';

export interface DevPostgres {
  url: string;
  /** False: the server belongs to another process, which may stop it at any time. */
  isOurs: boolean;
  stop(): Promise<void>;
}

/** The advisory lock of the process that owns the server. PostgreSQL frees it when that process ends. */
const OWNER_LOCK = 7_283_646;
const LOCK_TRIES = 5;
const RETRY_MS = 200;
const CONNECT_WITHIN_MS = 10_000;
/** A killed server counts as running until its parent, the init process, reaps it. */
const ENDED_WITHIN_MS = 15_000;

/** Creates nothing. */
export function hasDevPostgres(dataDir: string): boolean {
  return fs.existsSync(path.join(dataDir, 'postgres')) || fs.existsSync(pointerIn(dataDir));
}

/**
 * Starts the PostgreSQL of this folder, and owns it until `stop`. Takes over a server that a killed process left behind.
 * @param options share: uses the server of a running SmartPause instead of refusing to start
 */
export async function startDevPostgres(dataDir: string, { share = false } = {}): Promise<DevPostgres> {
  const cluster = await PostgresCluster.open(placeIn(dataDir));
  const until = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const url = cluster.urlOf(cluster.lastServer?.port ?? 0);
    const owner = cluster.lastServer === null ? null : await connect(url);
    if (owner !== null) {
      if (await takeLock(owner, share ? 1 : LOCK_TRIES)) return own(cluster, owner, url);
      await owner.end();
      if (share) return { url, isOurs: false, stop: () => Promise.resolve() };
      throw new Error(
        `Another SmartPause is running on ${path.resolve(dataDir)}: stop it first, or set another DATA_DIR.`,
      );
    }
    try {
      await cluster.start();
    } catch (error) {
      // Two processes start at once, or a killed server has not quite ended.
      if (!(error instanceof AlreadyRunningError) || performance.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/**
 * As root PostgreSQL runs as another user, who may be unable to enter DATA_DIR. Then the data is in a folder that a file in
 * DATA_DIR names.
 */
function placeIn(dataDir: string): string {
  const identity = serverIdentity();
  fs.mkdirSync(dataDir, { recursive: true, mode: identity.uid === undefined ? 0o700 : 0o711 });
  if (canReach(dataDir, identity)) return path.resolve(dataDir, 'postgres');
  const pointer = pointerIn(dataDir);
  writeOnce(pointer, `/var/lib/smartpause-${randomBytes(6).toString('hex')}`);
  return fs.readFileSync(pointer, 'utf8');
}

function pointerIn(dataDir: string): string {
  return path.resolve(dataDir, 'postgres-folder');
}

/** Null: no server of this folder answers. Another one on its port refuses the password. */
async function connect(connectionString: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
    application_name: 'smartpause-owner',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => undefined);
    return null;
  }
}

/** Retries, since the session of a killed process can exist for a moment. */
async function takeLock(client: pg.Client, mostTries: number): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      OWNER_LOCK,
    ]);
    if (rows[0]?.taken === true) return true;
    if (tries === mostTries) return false;
    await sleep(RETRY_MS);
  }
}

function own(cluster: PostgresCluster, owner: pg.Client, url: string): DevPostgres {
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await owner.end().catch(() => undefined);
    await cluster.stop('fast');
  };
  return { url, isOurs: true, stop: () => (stopped ??= stop()) };
}
