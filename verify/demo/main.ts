import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { takeNoArguments } from '../../scripts/arguments.ts';
import { freePort } from '../../scripts/outside/free-port.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { runQuery, startEnvironment } from '../fixtures/environment.ts';
import type { Advertiser } from './fixture.ts';
import { ADVERTISERS, INCIDENT, enter, makeMetaUnreliable } from './fixture.ts';
import type { Replay } from './replay-clock.ts';
import { replayedAt } from './replay-clock.ts';
import { report } from './report.ts';

/** A write is sent within 5 s of the replayed clock, or not at all: 42 ms here. Faster, most would never be sent. */
const SPEED = 120;
/** Before the incident three users sign up, subscribe and set up, at real speed. */
const SIGN_UP = INCIDENT.high - 2 * 60 * 60_000;
const SOON_BEFORE = INCIDENT.high - 10 * 60_000;
const LATENCY_MS = 150;

takeNoArguments('npm run demo    a real incident replayed for three advertisers, under faults');
const environment = await startEnvironment();
const { simulators, databaseUrl } = environment;
const { graph, status, stripe } = simulators;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
let replay: Replay = { started: Date.now(), begins: SIGN_UP, speed: 1 };
let product: ChildProcess | null = null;
// At a signal, too.
process.once('exit', () => product?.kill('SIGKILL'));

try {
  say('A real incident (High disruptions, 2026-01-09 02:10Z to 04:08Z) replayed 120 times faster,');
  say(`Meta answering in ${LATENCY_MS} ms, with faults, and the product killed in the middle.\n`);
  product = await startProduct();
  const advertisers: Advertiser[] = [];
  for (const settings of ADVERTISERS) advertisers.push(await enter(settings, { url, stripe }));
  await graph.post('/latency', { ms: LATENCY_MS });
  for (const fault of await makeMetaUnreliable(graph)) say(`  fault   ${fault}`);
  await stop(product);
  replay = { started: Date.now(), begins: SOON_BEFORE, speed: SPEED };
  product = await startProduct();
  // The status page and the product's clock must show the same time.
  const fromSecondsBefore = (INCIDENT.high - replayedAt(replay, Date.now())) / 1000;
  await status.post('/replay', { speed: SPEED, fromSecondsBefore });
  product = await killInTheMiddle(product, advertisers);
  const watched = advertisers.flatMap(({ campaigns }) => campaigns.filter(({ kind }) => kind === 'watched'));
  await waitFor('every pause', () => isEvery(watched, 'PAUSED'), 60_000);
  say(`  paused  ${watched.length} campaigns`);
  await makeMetaUnreliable(graph);
  await waitFor('every resume', () => isEvery(watched, 'ACTIVE'), 150_000);
  say(`  resumed ${watched.length} campaigns\n`);
  const unfinished = `select 1 from hold where state <> 'ended' union all select 1 from notification where sent_at is null`;
  await waitFor('every hold to end', async () => (await runQuery(databaseUrl, unfinished)).length === 0);
  await stop(product);
  const broken = await report(environment, advertisers, replay);
  process.exitCode = broken === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(
    `The demo failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
} finally {
  product?.kill('SIGKILL');
  await environment.close();
}

/** Kills the product after Meta carried out a batch of pauses and before its response arrives. */
async function killInTheMiddle(
  running: ChildProcess,
  advertisers: readonly Advertiser[],
): Promise<ChildProcess> {
  const [, daniel] = advertisers;
  const match = { method: 'POST', account: daniel?.accounts[0]?.id };
  const fault = await graph.fault({ kind: 'hang_after', match });
  await waitFor('a batch on its way', async () => (await graph.parked(fault)) === 1, 30_000);
  running.kill('SIGKILL');
  await once(running, 'exit');
  await graph.ask('DELETE', `/faults/${fault}`);
  say(`  killed  the product (SIGKILL), with a batch carried out by Meta and not answered`);
  const next = await startProduct();
  say('  started it again');
  return next;
}

async function startProduct(): Promise<ChildProcess> {
  const { started, begins, speed } = replay;
  const program = join(import.meta.dirname, 'product.ts');
  const args = [program, String(started), String(begins), String(speed), environment.webFolder];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...environment.environment,
      PORT: String(port),
      PUBLIC_URL: url,
      STATUS_POLL_SECONDS: '10',
      LOG_LEVEL: 'fatal',
    },
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('the product ended at once');
    }),
  ]);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function isEvery(campaigns: readonly { id: string }[], wanted: string): Promise<boolean> {
  const now = await graph.campaigns();
  return campaigns.every(({ id }) => now.get(id)?.status === wanted);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
