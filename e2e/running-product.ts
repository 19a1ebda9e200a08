import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlDoor } from '../scripts/outside/control-door.ts';
import { startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { ROOT } from '../scripts/run.ts';

export interface RunningProduct {
  url: string;
  /** The simulated ad platform and status page, by their control doors. */
  graph: ControlDoor;
  status: ControlDoor;
  stop: () => Promise<void>;
}

/** The product as people start it, in a process of its own on a fresh database, with the simulators around it. */
export async function startRunningProduct(): Promise<RunningProduct> {
  const simulators = await startSimulators(['meta-graph', 'meta-status'], 'free');
  const dataDir = await mkdtemp(join(tmpdir(), 'smartpause-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...simulators.environment,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      STATUS_POLL_SECONDS: '1',
      LOG_LEVEL: 'error',
    },
  });
  const exited = once(child, 'exit');
  const healthy = () =>
    fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  await waitFor('the product to be ready', healthy, 90_000);
  return {
    url,
    graph: simulators.graph,
    status: simulators.status,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await simulators.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
