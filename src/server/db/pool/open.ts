import { claimDataFolder } from './data-folder.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Listening, ListenOptions } from './listening.ts';
import { PglitePool } from './pglite-pool.ts';
import { PgliteThread } from './pglite-thread.ts';
import type { ShareLimits } from './own-share.ts';
import type { DatabaseLog, Pool } from './pool.ts';
import { messageOf } from './pool.ts';
import { listenToPostgres } from './postgres-listener.ts';
import { PostgresPool } from './postgres-pool.ts';

export const MEMORY = 'memory://';
const OLDEST_SERVER = 15;
/** The rest is for the engine and the jobs, where one process has both. */
const FOR_PAGES = 0.7;

export interface Database {
  kind: 'pglite' | 'postgresql';
  pool: Pool;
  /** What pages may have of the pool in a process that does more than serve them. */
  forPages: ShareLimits;
  /** True for the embedded engine: no other process can be using this database. */
  exclusive: boolean;
  /** Hears what any process says with NOTIFY on that channel, as long as it is not closed. */
  listen(options: ListenOptions): Promise<Listening>;
  close(): Promise<void>;
}

export interface EmbeddedDatabase extends Database {
  kind: 'pglite';
  /** How often the engine made the disk confirm what it wrote. */
  fsyncs(): number;
  /** Writes the whole database to a file that `restoreFrom` takes. */
  dump(file: string): Promise<void>;
}

export interface DatabaseOptions {
  url?: string | undefined;
  /** The folder that holds the embedded database; `memory://` for none. */
  dataDir: string;
  log: DatabaseLog;
  maxConnections?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  maxWaiting?: number;
  housekeepingMs?: number;
  restoreFrom?: string | undefined;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined || options.url === ''
    ? await openEmbedded(options)
    : await openPostgres(options, options.url);
}

async function openPostgres(options: DatabaseOptions, url: string): Promise<Database> {
  const { maxConnections = 10, connectTimeoutMs = 5_000, statementTimeoutMs = 10_000, ...rest } = options;
  const own = { url, maxConnections, connectTimeoutMs, statementTimeoutMs };
  const settings = { ...limits(rest), ...own };
  const pool = new PostgresPool(settings);
  try {
    await requireSupportedServer(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    kind: 'postgresql',
    pool,
    forPages: { ...settings, connections: Math.max(1, Math.floor(maxConnections * FOR_PAGES)) },
    exclusive: false,
    listen: (listener) => listenToPostgres({ url, log: options.log, ...listener }),
    close: () => pool.end(),
  };
}

async function requireSupportedServer(pool: Pool): Promise<void> {
  const { rows } = await pool
    .query<{ version: string; number: number }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
    )
    .catch((cause: unknown) => {
      throw new Error(`The database of DATABASE_URL cannot be used: ${messageOf(cause)}`, { cause });
    });
  if ((rows[0]?.number ?? 0) < OLDEST_SERVER * 10_000) {
    throw new Error(
      `SmartPause needs PostgreSQL ${OLDEST_SERVER} or newer; DATABASE_URL names a ${rows[0]?.version ?? '?'}.`,
    );
  }
}

interface EmbeddedOptions extends Omit<DatabaseOptions, 'url'> {
  /** The engine has ended, and nobody else can have the folder yet. */
  beforeRelease?: () => void;
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log, restoreFrom, beforeRelease, housekeepingMs = 60_000 } = options;
  const fsyncs = new SharedArrayBuffer(4);
  const claim = dataDir === MEMORY ? null : claimDataFolder(dataDir);
  let thread: PgliteThread | undefined;
  let isNew = claim?.isNew ?? true;
  const start = async (): Promise<PgliteThread> => {
    if (claim === null && thread !== undefined) throw thread.lost ?? new Error('The database is closed.');
    thread = await PgliteThread.start({ folder: claim?.folder ?? null, isNew, restoreFrom, fsyncs });
    isNew = false;
    return thread;
  };

  const onClosed = (): void => {
    try {
      beforeRelease?.();
    } finally {
      claim?.lock.release();
    }
  };
  let pool: PglitePool;
  try {
    pool = await PglitePool.open({ start, onClosed, ...limits(options) });
  } catch (error) {
    claim?.lock.release();
    throw error;
  }
  const housekeeping = startHousekeeping(pool, { everyMs: housekeepingMs, log });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await housekeeping.stop();
    await pool.end();
  };
  return {
    kind: 'pglite',
    pool,
    forPages: { ...limits(options), connections: 1 },
    exclusive: true,
    listen: (listener) => pool.listen(listener),
    close: () => (closing ??= close()),
    fsyncs: () => Atomics.load(new Int32Array(fsyncs), 0),
    dump: async (file) => {
      await thread?.dump(file);
    },
  };
}

function limits(options: Omit<DatabaseOptions, 'url'>) {
  // A statement of the embedded engine can only be ended with the whole engine, hence the patience.
  const { connectTimeoutMs = 10_000, statementTimeoutMs = 300_000, maxWaiting = 1_000, log } = options;
  return { connectTimeoutMs, statementTimeoutMs, maxWaiting, log };
}
