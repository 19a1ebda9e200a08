import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_OPTIONS_OF_OURS } from '../../../scripts/run.ts';
import type { CrashPoint } from './child.ts';

/** The product in a separate process that dies at a chosen point. */
export class CrashingProduct {
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;
  #exited: Promise<unknown> = Promise.resolve();
  #offsetMs = 0;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  /** The product's time. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** @param aheadMs sets the product's clock ahead, further than at the last start */
  async start(aheadMs = 0): Promise<void> {
    this.#offsetMs += aheadMs;
    // A process that a failed test leaves running would keep the port and block the exit of the runner.
    await this.kill();
    const child = fork(join(import.meta.dirname, 'child.ts'), {
      env: {
        PATH: process.env['PATH'] ?? '',
        ...this.#environment,
        CLOCK_OFFSET_MS: String(this.#offsetMs),
      },
      execArgv: NODE_OPTIONS_OF_OURS,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#exited = once(child, 'exit');
    const [message] = (await Promise.race([once(child, 'message'), this.#exited])) as unknown[];
    if (message !== 'ready') throw new Error(`the product did not start: ${String(message)}`);
  }

  /** A start takes longer than everything else in a test. */
  async startUnlessRunning(): Promise<void> {
    if (this.#child === null) await this.start();
  }

  async dieAt(point: CrashPoint): Promise<void> {
    const armed = once(this.#running(), 'message');
    this.#running().send(point);
    await armed;
  }

  /** Waits until the process dies at the chosen point. */
  async death(): Promise<void> {
    await this.#exited;
    if (this.#running().signalCode !== 'SIGKILL')
      throw new Error('the product ended in another way than killed');
    this.#child = null;
  }

  async kill(): Promise<void> {
    if (this.#child === null) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
    this.#child = null;
  }

  #running(): ChildProcess {
    if (this.#child === null) throw new Error('the product is not running');
    return this.#child;
  }
}
