/**
 * The product as a process of its own that kills itself (SIGKILL) at a given database statement, once it is told to
 * be ready for it. Started by crash.test.ts with its settings in the environment.
 */
import { createApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
import type { Pool, PoolClient, QueryResult } from '../../src/server/db/pool/pool.ts';

/** When to die: before or after the first statement that fits. */
export interface CrashPoint {
  /** A regular expression on the statement; a commit reads 'commit after …' with all that it commits. */
  statement: string;
  when: 'before' | 'after';
}

let armed: CrashPoint | null = null;

function dieIf(label: string, when: 'before' | 'after', rows: number): void {
  if (armed?.when !== when || !new RegExp(armed.statement, 's').test(label)) return;
  // Idle rounds claim nothing; those are not the moments we are after.
  if (when === 'after' && !label.startsWith('commit') && rows === 0) return;
  process.kill(process.pid, 'SIGKILL');
}

function watched(client: PoolClient): PoolClient {
  let since: string[] = [];
  const query = async (text: string, values?: readonly unknown[]): Promise<QueryResult> => {
    if (text === 'begin') since = [];
    since.push(text);
    const label = text === 'commit' ? `commit after ${since.join('; ')}` : text;
    dieIf(label, 'before', 0);
    const result = await client.query(text, values);
    dieIf(label, 'after', result.rows.length);
    return result;
  };
  return { query: query as PoolClient['query'], release: (destroy) => client.release(destroy) };
}

const config = readConfig(process.env);
const log = { info: () => undefined, warn: console.warn, error: console.error };
const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, log });
const { pool: inner } = database;
const pool: Pool = {
  options: inner.options,
  connect: async () => watched(await inner.connect()),
  query: (text, values) => inner.query(text, values),
  end: () => inner.end(),
};
const app = await createApp(config, {
  webFolder: process.env['WEB_FOLDER'] ?? '',
  database: { ...database, pool },
  timings: { leaseMs: 700, pollMs: 50, sweepMs: 60_000 },
});
process.on('message', (point: CrashPoint) => {
  armed = point;
  process.send?.('armed');
});
await app.http.listen({ port: config.port, host: '127.0.0.1' });
process.send?.('ready');
