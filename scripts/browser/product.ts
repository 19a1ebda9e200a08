import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../outside/free-port.ts';
import type { ControlClient } from '../outside/control-client.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import type { Mailbox } from '../outside/mailbox.ts';
import type { StripeControlClient } from '../outside/stripe.ts';
import { waitFor } from '../outside/wait-for.ts';
import { NODE_OPTIONS_OF_OURS, ROOT } from '../run.ts';
import { makeDataFolder } from '../outside/data-folder.ts';

const READY_MS = 30_000;
const STOP_MS = 10_000;

export interface Product {
  url: string;
  /** The control clients of the simulated Meta and of its status page. */
  graph: ControlClient;
  status: ControlClient;
  /** The simulated Stripe: its clock, its webhooks, and its pages without a browser. */
  stripe: StripeControlClient;
  /** All emails to users. */
  mailbox: Mailbox;
  /** Moves the clocks of the product and of Meta. */
  advance: (ms: number) => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts the product in a separate process, with the simulators around it. The web app is built before.
 * @param settings further environment variables; without DATABASE_URL it starts its own PostgreSQL
 */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const dataDir = await makeDataFolder('e2e');
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = startServer({
    ...simulators.environment,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    STATUS_POLL_SECONDS: '1',
    LOG_LEVEL: 'error',
    ...settings,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await simulators.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const { graph, status, stripe, mailbox } = simulators;
  let offsetMs = 0;
  const advance = async (ms: number): Promise<void> => {
    offsetMs += ms;
    await graph.post('/clock', { offsetMs });
    server.advance(ms);
  };
  try {
    await waitFor('the product to be ready', () => isHealthy(url, server.hasEnded()), READY_MS);
    await stripe.registerEndpoint(`${url}/webhooks/stripe`);
    return { url, graph, status, stripe, mailbox, advance, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startServer(settings: Record<string, string>) {
  const child = spawn(process.execPath, [...NODE_OPTIONS_OF_OURS, join(ROOT, 'scripts/browser/serve.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  });
  const exited = once(child, 'exit');
  const killIt = (): void => void child.kill('SIGKILL');
  process.once('exit', killIt);
  return {
    advance: (ms: number): void => void child.send({ advanceMs: ms }),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      const late = setTimeout(killIt, STOP_MS);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(late);
      process.off('exit', killIt);
    },
  };
}

async function isHealthy(url: string, hasEnded: boolean): Promise<boolean> {
  if (hasEnded) throw new Error('the product ended before it was ready');
  return fetch(`${url}/health`).then(
    (answer) => answer.ok,
    () => false,
  );
}
