import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../scripts/outside/free-port.ts';
import type { OwnPostgres } from '../../scripts/outside/own-postgres.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import type { LocalSimulators } from '../../test/support/simulators.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { writeDocuments } from '../../test/support/web-folder.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';
import { startRunPostgres } from '../fixtures/run-database.ts';
import type { Query } from '../invariants/snapshot.ts';
import type { StatusChange, UserCall } from '../invariants/write-log.ts';
import type { FixtureCampaign } from './fixture.ts';
import { enterFixture } from './fixture.ts';
import { Processes } from './processes.ts';

/** The product's processes, everything around them, and what the run did from outside. */
export interface Harness {
  random: Random;
  simulators: LocalSimulators;
  postgres: OwnPostgres;
  processes: Processes;
  campaigns: FixtureCampaign[];
  query: Query;
  /** The product's time. */
  now: () => number;
  aheadMs: number;
  logFile: string;
  /** Must not appear in the log. */
  secrets: string[];
  statusChanges: StatusChange[];
  calls: UserCall[];
}

/** Meta's latency, so that kills fall into the middle of calls. */
const LATENCY_MS = 40;
/** An empty database, the simulators, the processes, and users who have set up. */
export async function startHarness(
  options: { processes: number; seed: number },
  closing: AsyncDisposableStack,
): Promise<Harness> {
  const { postgres, folder } = await startRunPostgres(closing);
  const simulators = await startSimulators();
  closing.defer(() => simulators.stop());
  await simulators.graph.post('/limits', { tier: 'off' });
  const [webFolder, logFile] = [join(folder, 'web'), join(folder, 'log')];
  await mkdir(webFolder);
  await writeDocuments(webFolder);
  const ports = await freePorts(options.processes);
  const url = `http://127.0.0.1:${ports[0] ?? 0}`;
  const encryptionKey = randomBytes(32).toString('base64');
  const environment = {
    ...{ ...simulators.environment, DATABASE_URL: postgres.url, ENCRYPTION_KEY: encryptionKey },
    ...{ HOST: '127.0.0.1', PUBLIC_URL: url, STATUS_POLL_SECONDS: '0.2' },
    MAIL_FROM: 'SmartPause <mail@example.com>',
  };
  const processes = new Processes({ ports, webFolder, logFile, environment });
  closing.defer(() => processes.killAll());
  await processes.startAll();
  const campaigns = await enterFixture(simulators, url);
  await simulators.graph.post('/latency', { ms: LATENCY_MS });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  // Its connections end with those of the product.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const harness: Harness = {
    ...{ random: createRandom(String(options.seed)), simulators, postgres, processes, campaigns, logFile },
    query: async <R>(sql: string) => (await pool.query<pg.QueryResultRow>(sql)).rows as R[],
    ...{ aheadMs: 0, now: () => Date.now() + harness.aheadMs, statusChanges: [], calls: [] },
    secrets: [
      ...[encryptionKey, SIMULATED_APP.META_APP_SECRET, SIMULATED_STRIPE.STRIPE_SECRET_KEY],
      ...campaigns.map(({ owner }) => owner.token),
    ],
  };
  return harness;
}
