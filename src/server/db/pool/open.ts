import type { DatabaseLog, Pool } from './pool.ts';
import { messageOf } from './pool.ts';
import type { Listening, ListenOptions } from './postgres-listener.ts';
import { listenToPostgres } from './postgres-listener.ts';
import { PostgresPool } from './postgres-pool.ts';

const OLDEST_SERVER = 15;
export const PAGES_CONNECTIONS = 5;

export interface Database {
  pool: Pool;
  /** For pages in a process that also runs the reconciler: neither waits for the other. Connects when it is used. */
  pagesPool: Pool;
  /** Receives NOTIFY messages of all processes on that channel, until closed. */
  listen(options: ListenOptions): Promise<Listening>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  log: DatabaseLog;
  maxConnections?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  maxWaiting?: number;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, maxConnections = 10, connectTimeoutMs = 5_000, statementTimeoutMs = 10_000 } = options;
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
