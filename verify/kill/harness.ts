import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../scripts/outside/free-port.ts';
import type { OwnPostgres } from '../../scripts/outside/own-postgres.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';
import { Processes } from '../fixtures/processes.ts';
import { startEnvironment } from '../fixtures/environment.ts';
import type { Query } from '../invariants/snapshot.ts';
import type { ExternalChange, StatusChange, UserCall } from '../invariants/write-log.ts';
import type { Fixture } from './fixture.ts';
import { enterFixture } from './fixture.ts';

export interface HarnessOptions {
  processes: number;
  users: number;
  seed: number;
}

/** Everything that the run did from outside the product. */
export interface RunLog {
  statusChanges: StatusChange[];
  externalChanges: ExternalChange[];
  calls: UserCall[];
  faults: number;
  databaseFaults: number;
}

/** The product's processes, everything around them, and the log of the run. */
export interface Harness {
  random: Random;
  simulators: Simulators;
  processes: Processes;
  fixture: Fixture;
  runLog: RunLog;
  query: Query;
  postgres: OwnPostgres;
  secrets: string[];
  readLog: () => Promise<string>;
  close: () => Promise<void>;
}

/** Meta's latency, so that kills fall into the middle of calls. */
const LATENCY_MS = 40;
const LEASE_MS = 3000;

export async function startHarness({ processes: count, users, seed }: HarnessOptions): Promise<Harness> {
  await using closing = new AsyncDisposableStack();
  const environment = await startEnvironment();
  closing.defer(() => environment.close());
  const { simulators, folder, webFolder, postgres } = environment;
  if (postgres === null) throw new Error('a kill run needs its own PostgreSQL');
  const logFile = join(folder, 'log');
  const ports = await freePorts(count);
  const publicUrl = `http://127.0.0.1:${ports[0] ?? 0}`;
  const processes = new Processes(ports, {
    program: [join(import.meta.dirname, '../fixtures/product.ts'), webFolder, String(LEASE_MS)],
    logFile,
    environment: {
      ...environment.environment,
      PUBLIC_URL: publicUrl,
      STATUS_POLL_SECONDS: '0.2',
      LOG_LEVEL: 'info',
    },
  });
  closing.defer(() => processes.killAll());
  await processes.startAll();
  const fixture = await enterFixture(simulators, publicUrl, users);
  await simulators.graph.post('/latency', { ms: LATENCY_MS });
  const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 2 });
  // Its connections end with those of the product.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const kept = closing.move();
  return {
    random: createRandom(String(seed)),
    simulators,
    processes,
    fixture,
    runLog: { statusChanges: [], externalChanges: [], calls: [], faults: 0, databaseFaults: 0 },
    query: async <R>(sql: string) => (await pool.query<pg.QueryResultRow>(sql)).rows as R[],
    postgres,
    secrets: [...environment.secrets, ...fixture.users.map(({ session }) => session.token)],
    readLog: () => readFile(logFile, 'utf8'),
    close: () => kept.disposeAsync(),
  };
}
