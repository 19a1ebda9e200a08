/** The product as a process that can kill itself at a chosen statement. Settings come from the environment. */
import { OffsetClock } from '../../scripts/outside/offset-clock.ts';
import { readConfig } from '../../src/server/config/read-config.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import type { PostgresQueryResult } from 'kysely';
import { runServer } from '../../src/server/main.ts';
import { watchedPool } from '../fixtures/watched-pool.ts';

/** A pattern; a commit reads 'commit after …' with its whole transaction. */
export interface Statement {
  text: string;
  when: 'before' | 'after';
}

/** With the default of 30 s a run would mostly wait for leases of killed processes. */
const TIMINGS = { leaseMs: 3000, pollMs: 100, sweepMs: 60_000 };

let last: Statement | null = null;

function dieIf(label: string, when: 'before' | 'after', rows: number): void {
  if (last === null || last.when !== when || !new RegExp(last.text, 's').test(label)) return;
  // An idle pass claims no work item.
  if (when === 'after' && !label.startsWith('commit') && rows === 0) return;
  process.kill(process.pid, 'SIGKILL');
}

const config = readConfig(process.env);
const log = { info: () => undefined, warn: console.warn, error: console.error };
const { pool, pagesPool, ...database } = await openDatabase({ url: config.databaseUrl, log });
const watcher = {
  before: (statement: string) => dieIf(statement, 'before', 0),
  after: (statement: string, { rows }: PostgresQueryResult<unknown>) =>
    dieIf(statement, 'after', rows.length),
};
const pools = { pool: watchedPool(pool, watcher), pagesPool: watchedPool(pagesPool, watcher) };
const clock = new OffsetClock();
clock.advance(Number(process.env['AHEAD_MS']));
process.on('message', (statement: Statement) => (last = statement));
const [webFolder = ''] = process.argv.slice(2);
await runServer(config, { clock, webFolder, timings: TIMINGS, database: { ...database, ...pools } });
process.send?.('ready');
