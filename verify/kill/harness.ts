import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { OffsetClock } from '../../scripts/outside/offset-clock.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import { signIn } from '../../scripts/outside/user.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { writeDocuments } from '../../test/support/web-folder.ts';
import { createRandom } from '../fixtures/random.ts';
import { startRunPostgres } from '../fixtures/run-database.ts';
import type { Kind, StatusChange, Watcher } from '../invariants/write-log.ts';
import { Processes } from './processes.ts';

/** The product's processes, everything around them, and what the run did from outside. */
export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** Meta's latency, so that kills fall into the middle of calls. */
const LATENCY_MS = 40;
const MINUTE = 60_000;
/** One user each. */
const WATCHERS: Watcher[] = [
  { threshold: 'LOW', delayMs: 0 },
  { threshold: 'MEDIUM', delayMs: 0 },
  { threshold: 'HIGH', delayMs: 0 },
  { threshold: 'LOW', delayMs: MINUTE },
  { threshold: 'MEDIUM', delayMs: MINUTE },
];
const KINDS: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off'];

/** An empty database, the simulators, the processes, and users who have set up. */
export async function startHarness(closing: AsyncDisposableStack) {
  const { postgres, folder } = await startRunPostgres(closing);
  const simulators = await startSimulators();
  closing.defer(() => simulators.stop());
  await simulators.graph.post('/limits', { tier: 'off' });
  const [webFolder, logFile] = [join(folder, 'web'), join(folder, 'log')];
  await mkdir(webFolder);
  await writeDocuments(webFolder);
  const encryptionKey = randomBytes(32).toString('base64');
  const processes = await Processes.start(webFolder, logFile, {
    ...{ ...simulators.environment, DATABASE_URL: postgres.url, ENCRYPTION_KEY: encryptionKey },
    ...{ HOST: '127.0.0.1', STATUS_POLL_SECONDS: '0.2', MAIL_FROM: 'SmartPause <mail@example.com>' },
  });
  closing.defer(() => processes.killAll());
  const users = [];
  for (const [index, watcher] of WATCHERS.entries())
    users.push(await enter(simulators, processes.url, index, watcher));
  await simulators.graph.post('/latency', { ms: LATENCY_MS });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  // Its connections end with those of the product.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  const query = async <R>(sql: string) => (await pool.query<pg.QueryResultRow>(sql)).rows as R[];
  const statusChanges: StatusChange[] = [];
  /** Must not appear in the log. */
  const secrets = [
    ...[encryptionKey, SIMULATED_APP.META_APP_SECRET, SIMULATED_STRIPE.STRIPE_SECRET_KEY],
    ...users.map(({ token }) => token),
  ];
  return {
    ...{ random: createRandom('1'), clock: new OffsetClock(), simulators, postgres, query },
    ...{ processes, campaigns: users.flatMap((user) => user.campaigns), statusChanges, logFile, secrets },
  };
}

/** A user signs up and sets up, with one ad account. */
async function enter({ graph, stripe }: Simulators, url: string, index: number, watcher: Watcher) {
  const account = `act_8100${index}`;
  const campaigns = KINDS.map((kind, number) => ({
    ...{ id: `9100${index}${number}`, name: `Campaign ${index}${number} ${kind}`, kind, account },
    watcher,
  }));
  const seeded = campaigns.map(({ id, name, kind }) => {
    return { id, name, status: kind === 'resting' ? 'PAUSED' : 'ACTIVE' };
  });
  const accounts = [{ id: account, name: `Account ${index}`, currency: 'USD', campaigns: seeded }];
  await graph.post('/seed', { users: [{ id: `7100${index}`, name: `User ${index}`, accounts }] });
  const user = await signIn(url, `7100${index}`);
  await user.subscribe(stripe);
  const delay = { mode: 'delay', delay: { value: watcher.delayMs / MINUTE, unit: 'minutes' } };
  await user.completeSetup({
    resumeSettings: watcher.delayMs === 0 ? { mode: 'instant' } : delay,
    ...{ outageThreshold: watcher.threshold, email: `user${index}@example.com` },
  });
  await user.get('/api/ad-accounts');
  await user.get(`/api/campaigns/${account}`);
  for (const { id, kind } of campaigns) if (kind !== 'off') await user.setSmartPause(account, id, true);
  return { token: user.token, campaigns };
}
