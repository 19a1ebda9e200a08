import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Usage since the previous query. */
export interface Usage {
  /** Processor time of all threads together. */
  cpuMs: number;
  wallMs: number;
  /** The longest block of the event loop; 0 unless it is watched. */
  longestBlockMs: number;
  /** The most processor time of the thread between two tasks; the rest of a block waits for a processor. */
  longestWorkMs: number;
  residentMb: number;
}

/** A program that reports its usage: `report-usage.ts` is loaded before it. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  /** @param program the file, and its arguments */
  static async start(
    program: readonly string[],
    options: { environment: Record<string, string>; readyAt: RegExp },
  ): Promise<MeasuredProcess> {
    const preload = ['--import', new URL('report-usage.ts', import.meta.url).pathname];
    const child = spawn(process.execPath, [...preload, ...program], {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], ...options.environment },
    });
    const started = new MeasuredProcess(child);
    const lines = createInterface({ input: requireStream(child.stdout) });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`${program.join(' ')} ended while it started`)));
      lines.on('line', (line) => {
        if (options.readyAt.test(line)) resolve();
      });
    });
    const kill = (): unknown => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    return started;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
  }

  /** From now on the usage includes how long the event loop was blocked. */
  watchLoop(): void {
    this.#child.send('watch-loop');
  }

  async usage(): Promise<Usage> {
    const ended = this.#exited.then(() => {
      throw new Error('a measured process has ended by itself');
    });
    if (!this.#child.connected) return await ended;
    const answer = once(this.#child, 'message') as Promise<[Usage]>;
    this.#child.send('usage');
    return (await Promise.race([answer, ended]))[0];
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
  }
}

function requireStream(stream: ChildProcess['stdout']): NonNullable<ChildProcess['stdout']> {
  if (stream === null) throw new Error('a process without output');
  return stream;
}
