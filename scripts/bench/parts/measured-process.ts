import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Since it was asked before. */
export interface Usage {
  /** Of the processor, all threads together. */
  cpuMs: number;
  wallMs: number;
  /** The longest time that the event loop did not come round; 0 unless it is watched. */
  longestBlockMs: number;
  /** The most that its thread has used of a processor between two rounds; what is above that it waited for a processor. */
  longestWorkMs: number;
  residentMb: number;
}

/** A program that tells what it uses: it is started with `telling-usage.ts` loaded before it. */
export class MeasuredProcess {
  readonly #child: ChildProcess;

  /** @param program the file, and its arguments */
  static async start(
    program: readonly string[],
    options: { environment: Record<string, string>; readyAt: RegExp },
  ): Promise<MeasuredProcess> {
    const preload = ['--import', new URL('telling-usage.ts', import.meta.url).pathname];
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
  }

  /** From now on its usage tells how long the event loop stood still. */
  watchLoop(): void {
    this.#child.send('watch-loop');
  }

  async usage(): Promise<Usage> {
    const answer = once(this.#child, 'message') as Promise<[Usage]>;
    this.#child.send('usage');
    return (await answer)[0];
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

function requireStream(stream: ChildProcess['stdout']): NonNullable<ChildProcess['stdout']> {
  if (stream === null) throw new Error('a process without output');
  return stream;
}
