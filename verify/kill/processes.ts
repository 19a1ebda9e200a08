import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_OPTIONS_OF_OURS } from '../../scripts/run.ts';
import type { Order } from './product.ts';

interface Running {
  child: ChildProcess;
  exited: Promise<unknown>;
  isReady: boolean;
}

interface Options {
  ports: readonly number[];
  webFolder: string;
  logFile: string;
  environment: Record<string, string>;
}

/** The processes of the product, each on its own port. */
export class Processes {
  /** Ends that no signal of ours caused. */
  readonly unexpectedEnds: string[] = [];
  kills = 0;
  readonly #options: Options;
  readonly #running: Running[] = [];

  constructor(options: Options) {
    this.#options = options;
    process.once('exit', () => {
      for (const { child } of this.#running) child.kill('SIGKILL');
    });
  }

  get size(): number {
    return this.#options.ports.length;
  }

  /** The address of a ready process, if there is one. */
  url(pick: <T>(from: readonly T[]) => T): string {
    const ready = this.#options.ports.filter((_port, slot) => this.#running[slot]?.isReady === true);
    return `http://127.0.0.1:${pick(ready.length === 0 ? this.#options.ports : ready)}`;
  }

  /** Resolves when it is ready, or has ended. */
  async start(slot: number): Promise<void> {
    const { ports, webFolder, logFile, environment } = this.#options;
    const log = openSync(logFile, 'a');
    const child = fork(join(import.meta.dirname, 'product.ts'), [webFolder], {
      env: { PATH: process.env['PATH'] ?? '', ...environment, PORT: String(ports[slot]) },
      execArgv: NODE_OPTIONS_OF_OURS,
      stdio: ['ignore', log, log, 'ipc'],
    });
    const exited = once(child, 'exit').then(([code, signal]: unknown[]) => {
      running.isReady = false;
      if (signal === null) this.unexpectedEnds.push(`a process ended with the code ${String(code)}`);
    });
    const running: Running = { child, exited, isReady: false };
    this.#running[slot] = running;
    const isReady = await Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]);
    running.isReady = isReady;
  }

  /** One after the other: the first migrates the database. */
  async startAll(): Promise<void> {
    for (let slot = 0; slot < this.size; slot += 1) await this.start(slot);
  }

  order(slot: number, order: Order): void {
    this.#running[slot]?.child.send(order);
  }

  exited(slot: number): Promise<unknown> {
    return this.#running[slot]?.exited ?? Promise.resolve();
  }

  async kill(slot: number): Promise<void> {
    this.kills += 1;
    this.#running[slot]?.child.kill('SIGKILL');
    await this.exited(slot);
  }

  async killAll(): Promise<void> {
    for (let slot = 0; slot < this.size; slot += 1) await this.kill(slot);
  }
}
