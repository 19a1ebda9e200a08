import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../outside/free-port.ts';
import { buildWeb } from '../build.ts';
import type { ControlClient } from '../outside/control-client.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { waitFor } from '../outside/wait-for.ts';
import { takeNoArguments } from '../arguments.ts';
import type { Player } from './fixture.ts';
import { CAST, enter, makeMetaUnreliable } from './fixture.ts';
import { checkEvidence } from './checks.ts';
import type { Replay } from './replay-clock.ts';
import { replayedAt } from './replay-clock.ts';
import { makeDataFolder } from '../outside/data-folder.ts';

/** A write is sent within 5 s of the replayed clock, or not at all: 42 ms here. Faster, most would never be sent. */
const SPEED = 120;
const INCIDENT = { id: '2026-01-09', high: Date.parse('2026-01-09T02:10:00Z') };
/** Before that, three users sign up, subscribe and set up, at real speed. */
const SIGN_UP = INCIDENT.high - 2 * 60 * 60_000;
const SOON_BEFORE = INCIDENT.high - 10 * 60_000;
const LATENCY_MS = 150;

takeNoArguments('npm run demo    a real incident replayed for three advertisers, under faults');
const folder = await makeDataFolder('demo');
const simulators = await startSimulators(SIMULATORS, 'free');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const { folder: webFolder } = await buildWeb();
let replay: Replay = { started: Date.now(), begins: SIGN_UP, speed: 1 };
let product: ChildProcess | null = null;

try {
  say(`A real incident (High disruptions, ${INCIDENT.id} 02:10Z to 04:08Z) replayed ${SPEED} times faster,`);
  say(`Meta answering in ${LATENCY_MS} ms, with faults, and the product killed in the middle.\n`);
  product = await startProduct();
  const players: Player[] = [];
  for (const role of CAST) players.push(await enter(role, { url, stripe: simulators.stripe }));
  const { graph, status } = simulators;
  await graph.post('/latency', { ms: LATENCY_MS });
  for (const fault of await makeMetaUnreliable(graph)) say(`  fault   ${fault}`);
  await stop(product);
  replay = { started: Date.now(), begins: SOON_BEFORE, speed: SPEED };
  product = await startProduct();
  // The status page and the product's clock must show the same time.
  const wait = (INCIDENT.high - replayedAt(replay, Date.now())) / 1000;
  const { startsAt } = await status.post<{ startsAt: string }>('/replay', {
    incident: INCIDENT.id,
    speed: SPEED,
    fromSecondsBefore: wait,
  });
  await graph.ask('DELETE', '/requests');
  product = await killInTheMiddle(graph, product, players);
  await waitFor(
    'every pause',
    async () => (await countIn(graph, players, 'PAUSED')) === total(players),
    60_000,
  );
  say(`  paused  ${total(players)} campaigns`);
  await makeMetaUnreliable(graph);
  await waitFor(
    'every resume',
    async () => (await countIn(graph, players, 'ACTIVE')) === total(players),
    150_000,
  );
  say(`  resumed ${total(players)} campaigns\n`);
  await waitFor('nothing to be held', async () => (await nothingHeld(players)) || null);
  await stop(product);
  const broken = await checkEvidence({
    players,
    graph,
    replay,
    changedAt: Date.parse(startsAt),
    dataDir: join(folder, 'data'),
  });
  process.exitCode = broken === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(
    `The demo failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
} finally {
  product?.kill('SIGKILL');
  await simulators.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Kills the product after Meta carried out a batch of pauses and before its response arrives. */
async function killInTheMiddle(
  graph: ControlClient,
  running: ChildProcess,
  players: Player[],
): Promise<ChildProcess> {
  const [, daniel] = players;
  const match = { method: 'POST', account: daniel?.accounts[0] };
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
  const args = [
    join(import.meta.dirname, 'product.ts'),
    String(started),
    String(begins),
    String(speed),
    webFolder,
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...simulators.environment,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: join(folder, 'data'),
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

async function countIn(graph: ControlClient, players: Player[], wanted: string): Promise<number> {
  const campaigns = await graph.campaigns();
  return players.flatMap(({ expected }) => expected).filter((id) => campaigns.get(id)?.status === wanted)
    .length;
}

function total(players: Player[]): number {
  return players.flatMap(({ expected }) => expected).length;
}

async function nothingHeld(players: Player[]): Promise<boolean> {
  for (const { user, accounts } of players) {
    for (const account of accounts) {
      const { campaigns } = await user.get<{ campaigns: { held: boolean }[] }>(`/api/campaigns/${account}`);
      if (campaigns.some(({ held }) => held)) return false;
    }
  }
  return true;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
