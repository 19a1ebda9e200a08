import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import type { Listening, ListenOptions } from './listen.ts';
import { listen } from './listen.ts';
import type { DatabaseLog } from './pool.ts';
import { createPool, messageOf } from './pool.ts';

const OLDEST_SERVER = 15;
const PAGES_CONNECTIONS = 5;
const NOTIFICATIONS_CONNECTIONS = 4;
/** Many deliveries may end at once: each waits for its turn, and is stored before its lease ends. */
const NOTIFICATIONS_WAIT_MS = 30_000;

export interface DatabaseOptions {
  url: string;
  log: DatabaseLog;
  maxConnections?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
}

/** Pools connect when they are used. */
export interface Database<Pool extends PostgresPool = PostgresPool> {
  pool: Pool;
  /** For pages in a process that also runs the reconciler: neither waits for the other's connections. */
  pagesPool: Pool;
  /** Of the outbox worker: pauses and resumes wait for none of the many notifications that an outage brings. */
  notificationsPool: Pool;
  /** Without time limits. */
  migrationPool: Pool;
  /** Receives NOTIFY messages of all processes on that channel, until closed. */
  listen(options: ListenOptions): Promise<Listening>;
  close(): Promise<void>;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database<pg.Pool>> {
  const { url, log, maxConnections = 10, connectTimeoutMs = 5_000, statementTimeoutMs = 10_000 } = options;
  const settings = { url, log, connectTimeoutMs, statementTimeoutMs };
  const pool = createPool({ ...settings, maxConnections });
  const pagesPool = createPool({ ...settings, maxConnections: PAGES_CONNECTIONS });
  const notificationsPool = createPool({
    ...{ ...settings, maxConnections: NOTIFICATIONS_CONNECTIONS },
    connectTimeoutMs: Math.max(connectTimeoutMs, NOTIFICATIONS_WAIT_MS),
  });
  const migrationPool = createPool({ ...settings, maxConnections: 1, statementTimeoutMs: 0 });
  const pools = { pool, pagesPool, notificationsPool, migrationPool };
  const closeAll = async (): Promise<void> => {
    await Promise.all(Object.values(pools).map((one) => one.end()));
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll());
  try {
    await requireSupportedServer(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...pools, listen: (listener) => listen({ url, log, ...listener }), close };
}

async function requireSupportedServer(pool: pg.Pool): Promise<void> {
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

/** For messages: host and database, without user or password. */
export function nameOfDatabase(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}
