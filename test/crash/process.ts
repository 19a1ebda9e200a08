import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_OPTIONS_OF_OURS } from '../../scripts/run.ts';
import type { CrashPoint } from './child.ts';

/** The product in a process of its own, which can be told where to die. */
export class CrashingProduct {
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;
  #exited: Promise<unknown> = Promise.resolve();

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    // One that a failed test has left running would keep the port, and this program from ending.
    await this.kill();
    const child = fork(join(import.meta.dirname, 'child.ts'), {
      env: { PATH: process.env['PATH'] ?? '', ...this.#environment },
      execArgv: NODE_OPTIONS_OF_OURS,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#exited = once(child, 'exit');
    const [message] = (await Promise.race([once(child, 'message'), this.#exited])) as unknown[];
    if (message !== 'ready') throw new Error(`the product did not start: ${String(message)}`);
  }

  /** A start costs more than all that a test does with it. */
  async startUnlessRunning(): Promise<void> {
    if (this.#child === null) await this.start();
  }

  async dieAt(point: CrashPoint): Promise<void> {
    const armed = once(this.#running(), 'message');
    this.#running().send(point);
    await armed;
  }

  /** Waits for the death that was ordered. */
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
