import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/outside/free-port.ts';
import { NODE_OPTIONS_OF_OURS } from '../../scripts/run.ts';

const SLOTS = [0, 1] as const;
type Slot = (typeof SLOTS)[number];

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Two processes of the product, each on its own port. */
export async function startProcesses(webFolder: string, logFile: string, settings: Record<string, string>) {
  const log = openSync(logFile, 'a');
  const ports = await freePorts(SLOTS.length);
  const url = `http://127.0.0.1:${ports[0] ?? 0}`;
  const env = { PATH: process.env['PATH'] ?? '', ...settings, PUBLIC_URL: url };
  const running: { child: ChildProcess; exited: Promise<unknown> }[] = [];
  process.once('exit', () => running.forEach(({ child }) => child.kill('SIGKILL')));
  const processes = {
    ...{ url, slots: SLOTS, kills: 0 },
    /** How far the clocks of processes that start from now on are ahead. */
    aheadMs: 0,
    /** Ends that no signal of ours caused. */
    unexpectedEnds: [] as string[],
    /** Resolves when it is ready, or has ended. */
    async start(slot: Slot): Promise<void> {
      const child = fork(join(import.meta.dirname, 'product.ts'), [webFolder], {
        env: { ...env, PORT: String(ports[slot]), AHEAD_MS: String(processes.aheadMs) },
        execArgv: NODE_OPTIONS_OF_OURS,
        stdio: ['ignore', log, log, 'ipc'],
      });
      const exited = once(child, 'exit').then(([code, signal]: unknown[]) => {
        if (signal === null) processes.unexpectedEnds.push(`a process ended with the code ${String(code)}`);
      });
      running[slot] = { child, exited };
      await Promise.race([once(child, 'message'), exited]);
    },
    /** One after the other: the first migrates the database. */
    async startAll(): Promise<void> {
      for (const slot of SLOTS) await processes.start(slot);
    },
    async kill(slot: Slot): Promise<void> {
      processes.kills += 1;
      running[slot]?.child.kill('SIGKILL');
      await running[slot]?.exited;
    },
    async restart(slot: Slot): Promise<void> {
      await processes.kill(slot);
      await processes.start(slot);
    },
    async killAll(): Promise<void> {
      for (const slot of SLOTS) await processes.kill(slot);
    },
  };
  await processes.startAll();
  return processes;
}
