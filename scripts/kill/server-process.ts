import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const READY = 'SmartPause is ready';

export interface ProgramOptions {
  /** The program and its arguments. */
  program: readonly string[];
  environment: Record<string, string>;
  logFile: string;
}

/** How a process ended that nobody had told to. */
export interface UnexpectedEnd {
  code: number | null;
  signal: string | null;
  lastLines: string[];
}

/** One run of the server's program: started, killed or stopped once. */
export class ServerProcess {
  readonly startedAt = performance.now();
  readonly exited: Promise<void>;
  /** Resolves with the milliseconds that the start took; null if it ended before. */
  readonly ready: Promise<number | null>;
  unexpectedEnd: UnexpectedEnd | null = null;
  isReady = false;
  readonly #child: ChildProcess;
  readonly #lastLines: string[] = [];
  #isToEnd = false;

  constructor({ program, environment, logFile }: ProgramOptions) {
    const preload = ['--import', join(import.meta.dirname, 'shifted-clock.ts')];
    const child = spawn(process.execPath, [...preload, ...program], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env['PATH'], ...environment },
    });
    this.#child = child;
    const ready = Promise.withResolvers<number | null>();
    this.ready = ready.promise;
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) throw new Error('a process without output');
      createInterface({ input: stream }).on('line', (line) => {
        appendFileSync(logFile, `${line}\n`);
        this.#lastLines.push(line);
        if (this.#lastLines.length > 20) this.#lastLines.shift();
        if (!line.includes(READY)) return;
        this.isReady = true;
        ready.resolve(performance.now() - this.startedAt);
      });
    }
    child.on('error', () => undefined);
    this.exited = once(child, 'exit').then(() => {
      this.isReady = false;
      ready.resolve(null);
      const { exitCode: code, signalCode: signal } = child;
      if (!this.#isToEnd) this.unexpectedEnd = { code, signal, lastLines: [...this.#lastLines] };
    });
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async kill(): Promise<void> {
    this.#isToEnd = true;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** SIGTERM; the answer is how it ended and how long that took. */
  async stop(): Promise<{ code: number | null; ms: number }> {
    this.#isToEnd = true;
    const asked = performance.now();
    this.#child.kill('SIGTERM');
    await this.exited;
    return { code: this.#child.exitCode, ms: performance.now() - asked };
  }

  /** Puts its clock that far from the real one. */
  setClock(offsetMs: number): void {
    this.#child.send(offsetMs);
  }
}
