import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/outside/free-port.ts';
import { NODE_OPTIONS_OF_OURS } from '../../scripts/run.ts';
import type { Order } from './product.ts';

const SLOTS = [0, 1] as const;
type Slot = (typeof SLOTS)[number];

/** Two processes of the product, each on its own port. */
export class Processes {
  readonly slots = SLOTS;
  /** Ends that no signal of ours caused. */
  readonly unexpectedEnds: string[] = [];
  kills = 0;
  readonly #fork: (port: number) => ChildProcess;
  readonly #ports: number[];
  readonly #running: { child: ChildProcess; exited: Promise<unknown> }[] = [];

  static async start(
    webFolder: string,
    logFile: string,
    environment: Record<string, string>,
  ): Promise<Processes> {
    const log = openSync(logFile, 'a');
    const ports = await freePorts(SLOTS.length);
    const fixed = { PATH: process.env['PATH'] ?? '', ...environment, PUBLIC_URL: urlOf(ports) };
    const processes = new Processes(ports, (port) =>
      fork(join(import.meta.dirname, 'product.ts'), [webFolder], {
        env: { ...fixed, PORT: String(port) },
        execArgv: NODE_OPTIONS_OF_OURS,
        stdio: ['ignore', log, log, 'ipc'],
      }),
    );
    await processes.startAll();
    return processes;
  }

  private constructor(ports: number[], forkOn: (port: number) => ChildProcess) {
    this.#ports = ports;
    this.#fork = forkOn;
    process.once('exit', () => this.#running.forEach(({ child }) => child.kill('SIGKILL')));
  }

  get url(): string {
    return urlOf(this.#ports);
  }

  /** Resolves when it is ready, or has ended. */
  async start(slot: Slot): Promise<void> {
    const child = this.#fork(this.#ports[slot] ?? 0);
    const exited = once(child, 'exit').then(([code, signal]: unknown[]) => {
      if (signal === null) this.unexpectedEnds.push(`a process ended with the code ${String(code)}`);
    });
    this.#running[slot] = { child, exited };
    await Promise.race([once(child, 'message'), exited]);
  }

  /** One after the other: the first migrates the database. */
  async startAll(): Promise<void> {
    for (const slot of SLOTS) await this.start(slot);
  }

  order(slot: Slot, order: Order): void {
    this.#running[slot]?.child.send(order);
  }

  async exited(slot: Slot): Promise<void> {
    await this.#running[slot]?.exited;
  }

  async kill(slot: Slot): Promise<void> {
    this.kills += 1;
    this.#running[slot]?.child.kill('SIGKILL');
    await this.exited(slot);
  }

  async killAll(): Promise<void> {
    for (const slot of SLOTS) await this.kill(slot);
  }
}

function urlOf([port = 0]: number[]): string {
  return `http://127.0.0.1:${port}`;
}
