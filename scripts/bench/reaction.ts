import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../outside/person.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { waitFor } from '../outside/wait-for.ts';
import { ROOT } from '../run.ts';

/**
 * How long it takes from the status page's change until the last of 50 campaigns of one account is paused, with a
 * platform that answers in 150 ms. The limit is the poll interval and the two calls: read, batch.
 */
const CAMPAIGNS = 50;
const LATENCY_MS = 150;
const POLL_MS = 2000;
const ROUNDS = 12;
const USER = '7000000000000001';
const ACCOUNT = 'act_8000000000000001';

const folder = await mkdtemp(join(tmpdir(), 'smartpause-bench-'));
const simulators = await startSimulators(SIMULATORS, 'free');
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
await new Promise((resolve) => server.close(resolve));
const url = `http://127.0.0.1:${port}`;
const product = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    PATH: process.env['PATH'],
    ...simulators.environment,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    STATUS_POLL_SECONDS: String(POLL_MS / 1000),
    LOG_LEVEL: 'error',
  },
});

try {
  const healthy = () =>
    fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  await waitFor('the product', healthy, 60_000);
  const ids = await prepare();
  await simulators.graph.post('/latency', { ms: LATENCY_MS });
  const reactions: number[] = [];
  const calls: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep((POLL_MS * round) / ROUNDS);
    const { reaction, made } = await measure(ids);
    reactions.push(reaction);
    calls.push(made);
    await turn('Resolved', ids, 'ACTIVE');
  }
  report(reactions, calls);
} finally {
  product.kill('SIGTERM');
  await once(product, 'exit');
  await simulators.stop();
  await rm(folder, { recursive: true, force: true });
}

async function prepare(): Promise<string[]> {
  const ids = Array.from(
    { length: CAMPAIGNS },
    (_, index) => `90000000000000${String(index).padStart(3, '0')}`,
  );
  const campaigns = ids.map((id, index) => ({
    id,
    name: `Campaign ${index}`,
    status: 'ACTIVE',
    daily_budget: '1000',
  }));
  const account = { id: ACCOUNT, name: 'Fifty campaigns', currency: 'USD', campaigns };
  await simulators.graph.post('/seed', { users: [{ id: USER, name: 'Some Body', accounts: [account] }] });
  const person = await signIn(url, USER);
  await person.subscribe(simulators.stripe);
  await person.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' });
  await person.get('/api/ad-accounts');
  await person.get(`/api/campaigns/${ACCOUNT}`);
  for (const id of ids) await person.setSmartPause(ACCOUNT, id, true);
  return ids;
}

/** Lets the page report this and waits until all campaigns are so; the answer is when the last one became so. */
async function turn(phrase: string, ids: string[], status: string): Promise<number> {
  await simulators.status.reports(phrase);
  await waitFor(`all ${status}`, async () => {
    const campaigns = await simulators.graph.campaigns();
    return ids.every((id) => campaigns.get(id)?.status === status);
  });
  const writes = (await simulators.graph.writes()).slice(-ids.length);
  return Math.max(...writes.map(({ at }) => Date.parse(at)));
}

async function measure(ids: string[]): Promise<{ reaction: number; made: string }> {
  await simulators.graph.ask('DELETE', '/requests');
  const changedAt = Date.now();
  const lastAt = await turn('High disruptions', ids, 'PAUSED');
  const requests = await simulators.graph.requests();
  const reads = requests.filter(({ path }) => path.endsWith(`${ACCOUNT}/campaigns`)).length;
  const batches = requests.filter(({ batch }) => batch !== undefined).length;
  return { reaction: lastAt - changedAt, made: `${reads} read, ${batches} batch` };
}

function report(reactions: number[], calls: string[]): void {
  const sorted = reactions.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  const limit = POLL_MS / 2 + 2 * LATENCY_MS;
  const longest = sorted.at(-1) ?? 0;
  process.stdout.write(
    [
      `Reaction, ${CAMPAIGNS} campaigns of one account, ${LATENCY_MS} ms latency, poll every ${POLL_MS} ms, ${ROUNDS} rounds`,
      `  mean ${Math.round(mean)} ms = ${(mean / limit).toFixed(2)} of the limit (half the poll and two calls: ${limit} ms)`,
      `  longest ${longest} ms = poll interval and ${longest - POLL_MS} ms`,
      `  calls for the account: ${[...new Set(calls)].join('; ')}`,
      '',
    ].join('\n'),
  );
}
