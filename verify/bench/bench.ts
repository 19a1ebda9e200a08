import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWeb } from '../../scripts/build.ts';
import { silent } from '../../scripts/command.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';
import { OwnPostgres } from '../../scripts/outside/own-postgres.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { createApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import type { Db } from '../../src/server/db/database.ts';
import { createDb } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/0001-initial.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import type { Population } from './population.ts';
import { plantCrowd, plantRows, plantTokens } from './population.ts';

/** A PostgreSQL as durable as in production, the simulators in their own process, and the worker in this one. */
export interface Bench extends AsyncDisposable {
  db: Db;
  simulators: Simulators;
  /** Creates users with campaigns in the database and in Meta's simulator. */
  plant: (population: Population) => Promise<void>;
  startWorker: (pollSeconds: number) => Promise<void>;
  /** The number of campaigns that SmartPause has paused, confirmed by Meta. */
  countPaused: () => Promise<number>;
}

/** A preparation may take longer than a request. */
const PREPARING_MS = 600_000;

export async function startBench(): Promise<Bench> {
  await using closing = new AsyncDisposableStack();
  const folder = await makeDataFolder('bench');
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await OwnPostgres.start(join(folder, 'postgres'));
  closing.defer(() => postgres.stop());
  const simulators = await startSimulators(SIMULATORS, 'free');
  closing.defer(() => simulators.stop());
  const { url } = postgres;
  const database = await openDatabase({ url, log: silent, statementTimeoutMs: PREPARING_MS });
  closing.defer(() => database.close());
  await migrate(database, migrations);
  const db = createDb(database.pool);
  const key = randomBytes(32).toString('base64');
  const kept = closing.move();
  return {
    db,
    simulators,
    async plant(population) {
      const tokens = await plantCrowd(simulators.graph, population);
      const at = new Date();
      await plantRows(db, population, at);
      await plantTokens(db, createTokenCipher([key]), tokens, at);
      // Autovacuum does the same after a while.
      await database.pool.query('analyze');
    },
    async startWorker(pollSeconds) {
      const own = { DATABASE_URL: url, ENCRYPTION_KEY: key, ROLE: 'worker', LOG_LEVEL: 'fatal' };
      const settings = { ...simulators.environment, ...own, STATUS_POLL_SECONDS: String(pollSeconds) };
      const { folder: webFolder } = await buildWeb();
      const app = await createApp(readConfig(settings), { webFolder });
      kept.defer(() => app.close());
    },
    async countPaused() {
      const { rows } = await database.pool.query<{ count: number }>(
        `select count(*)::int as count from hold where state = 'paused' and sent_at is null`,
      );
      return rows[0]?.count ?? 0;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
