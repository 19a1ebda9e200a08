/**
 * The product as a separate process that kills itself (SIGKILL) at a given database
 * statement, once it is armed. Started by process.ts with its settings in the environment.
 */
import { createApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/config.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';
import type { Pool, PoolClient, QueryResult } from '../../../src/server/db/pool/pool.ts';
import { OffsetClock } from '../../../scripts/outside/offset-clock.ts';

/** Dies before or after the first matching statement. */
export interface CrashPoint {
  /** A regular expression for the statement; a commit reads 'commit after …' with all its statements. */
  statement: string;
  when: 'before' | 'after';
}

let armed: CrashPoint | null = null;

function dieIf(label: string, when: 'before' | 'after', rows: number): void {
  if (armed?.when !== when || !new RegExp(armed.statement, 's').test(label)) return;
  // An idle pass claims no work item; the test needs a claim.
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
const database = await openDatabase({ url: config.databaseUrl, log });
const watchedPool = (inner: Pool): Pool => ({
  options: inner.options,
  connect: async () => watched(await inner.connect()),
  query: (text, values) => inner.query(text, values),
  end: () => inner.end(),
});
const clock = new OffsetClock();
clock.advance(Number(process.env['CLOCK_OFFSET_MS']));
const [pool, pagesPool] = [watchedPool(database.pool), watchedPool(database.pagesPool)];
const app = await createApp(config, {
  clock,
  webFolder: process.env['WEB_FOLDER'] ?? '',
  database: { ...database, pool, pagesPool },
  timings: { leaseMs: 700, pollMs: 50, sweepMs: 60_000 },
});
process.on('message', (point: CrashPoint) => {
  armed = point;
  process.send?.('armed');
});
await app.http.listen({ port: config.port, host: '127.0.0.1' });
process.send?.('ready');
