import { randomBytes } from 'node:crypto';
import { buildWeb } from '../../scripts/build.ts';
import { silent } from '../../scripts/command.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { createApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config/read-config.ts';
import { createDb } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/0001-initial.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { startRunPostgres } from '../fixtures/run-database.ts';
import { type Population, plantCrowd, plantRows, plantTokens } from './population.ts';

/** A preparation may take longer than a request. */
const PREPARING_MS = 600_000;

/** Users with campaigns in a PostgreSQL as durable as in production, and in simulators in their own process. */
export async function startBench(population: Population, latencyMs: number) {
  await using closing = new AsyncDisposableStack();
  const { url } = (await startRunPostgres(closing, {})).postgres;
  const simulators = await startSimulators(SIMULATORS, 'free');
  closing.defer(() => simulators.stop());
  const database = await openDatabase({ url, log: silent, statementTimeoutMs: PREPARING_MS });
  closing.defer(() => database.close());
  await migrate(database, migrations);
  const db = createDb(database.pool);
  const key = randomBytes(32).toString('base64');
  const tokens = await plantCrowd(simulators.graph, population);
  await plantRows(db, population, new Date());
  await plantTokens(db, createTokenCipher([key]), tokens, new Date());
  // Autovacuum does the same after a while.
  await database.pool.query('analyze');
  await simulators.graph.post('/latency', { ms: latencyMs });
  const kept = closing.move();
  return {
    simulators,
    /** In this process. */
    async startWorker(pollSeconds: number): Promise<void> {
      const own = { DATABASE_URL: url, ENCRYPTION_KEY: key, ROLE: 'worker', LOG_LEVEL: 'fatal' };
      const settings = { ...simulators.environment, ...own, STATUS_POLL_SECONDS: String(pollSeconds) };
      const { folder: webFolder } = await buildWeb();
      const app = await createApp(readConfig(settings), { webFolder });
      kept.defer(() => app.close());
    },
    /** The number of campaigns that SmartPause has paused, confirmed by Meta. */
    async countPaused(): Promise<number> {
      const paused = "select count(*)::int as count from holds where state = 'paused' and sent_at is null";
      return (await database.pool.query<{ count: number }>(paused)).rows[0]?.count ?? 0;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
