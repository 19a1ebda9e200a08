/** The product as a process that can kill itself at a chosen statement. Settings come from the environment. */
import { OffsetClock } from '../../scripts/outside/offset-clock.ts';
import { readConfig } from '../../src/server/config.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
import type { Pool, PoolClient, QueryResult } from '../../src/server/db/pool/pool.ts';
import { runServer } from '../../src/server/main.ts';

export type Order =
  /** Die before or after the first statement that matches; a commit reads 'commit after …' with its whole transaction. */
  | { statement: string; when: 'before' | 'after' }
  /** Set the clock ahead. */
  | { aheadMs: number };

/** With the default of 30 s a run would mostly wait for leases of killed processes. */
const TIMINGS = { leaseMs: 3000, pollMs: 100, sweepMs: 60_000 };

let armed: Order | null = null;

function dieIf(label: string, when: 'before' | 'after', rows: number): void {
  if (armed === null || !('statement' in armed) || armed.when !== when) return;
  if (!new RegExp(armed.statement, 's').test(label)) return;
  // An idle pass claims no work item.
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

const watchedPool = (inner: Pool): Pool => ({
  options: inner.options,
  connect: async () => watched(await inner.connect()),
  query: (text, values) => inner.query(text, values),
  end: () => inner.end(),
});

const config = readConfig(process.env);
const log = { info: () => undefined, warn: console.warn, error: console.error };
const { pool, pagesPool, ...database } = await openDatabase({ url: config.databaseUrl, log });
const pools = { pool: watchedPool(pool), pagesPool: watchedPool(pagesPool) };
const clock = new OffsetClock();
process.on('message', (order: Order) => {
  if ('aheadMs' in order) clock.advance(order.aheadMs);
  else armed = order;
});
const [webFolder = ''] = process.argv.slice(2);
await runServer(config, { clock, webFolder, timings: TIMINGS, database: { ...database, ...pools } });
process.send?.('ready');
