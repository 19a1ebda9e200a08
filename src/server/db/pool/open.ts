import { startEmbedded } from '../embedded/server.ts';
import type { DatabaseLog, Pool } from './pool.ts';
import { messageOf } from './pool.ts';
import type { Listening, ListenOptions } from './postgres-listener.ts';
import { listenToPostgres } from './postgres-listener.ts';
import { PostgresPool } from './postgres-pool.ts';

const OLDEST_SERVER = 15;
export const PAGES_CONNECTIONS = 5;
const DEFAULT_DATA_DIR = './data';

export interface Database {
  pool: Pool;
  /** For pages in a process that also runs the reconciler: neither waits for the other. Connects when it is used. */
  pagesPool: Pool;
  /** True for an embedded database of this process: no other SmartPause can use it. */
  exclusive: boolean;
  /** Receives NOTIFY messages of all processes on that channel, until closed. */
  listen(options: ListenOptions): Promise<Listening>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Without a URL, the embedded PostgreSQL of `dataDir` starts. */
  url?: string | undefined;
  dataDir?: string;
  /** Lets a command use the embedded PostgreSQL of a running SmartPause. */
  share?: boolean;
  log: DatabaseLog;
  maxConnections?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  maxWaiting?: number;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir = DEFAULT_DATA_DIR, share = false, log } = options;
  if (url !== undefined && url !== '') return openPostgres(options, url);
  const server = await startEmbedded({ dataDir, log, share });
  try {
    const database = await openPostgres(options, server.url);
    const close = async (): Promise<void> => {
      await database.close();
      await server.stop();
    };
    return { ...database, exclusive: server.isOurs, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openPostgres(options: DatabaseOptions, url: string): Promise<Database> {
  const { maxConnections = 10, connectTimeoutMs = 5_000, statementTimeoutMs = 10_000 } = options;
  const { maxWaiting = 1_000, log } = options;
  const settings = { url, maxConnections, connectTimeoutMs, statementTimeoutMs, maxWaiting, log };
  const pool = new PostgresPool(settings);
  const pagesPool = new PostgresPool({ ...settings, maxConnections: PAGES_CONNECTIONS });
  try {
    await requireSupportedServer(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    pool,
    pagesPool,
    exclusive: false,
    listen: (listener) => listenToPostgres({ url, log, ...listener }),
    close: async () => {
      await Promise.all([pool.end(), pagesPool.end()]);
    },
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
