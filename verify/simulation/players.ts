import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MutantName } from './mutants.ts';
import type { Report, Task } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** Real time for one history: a longer one never ends. */
const ENDLESS_MS = 900_000;

/** A child process that plays histories. */
export class Player {
  readonly #child: ChildProcess;

  static async start(mutant: MutantName | null): Promise<Player> {
    const child = fork(WORKER, [mutant ?? ''], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: ['--max-semi-space-size=32'],
    });
    const ended = once(child, 'exit').then((): never => {
      throw new Error('the process that plays histories ended at its start');
    });
    await Promise.race([once(child, 'message'), ended]);
    // It ends by `stop`, too.
    ended.catch(() => undefined);
    return new Player(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @throws if the history never ends, or the process does */
  async play(task: Task): Promise<Report> {
    const over = new AbortController();
    const late = setTimeout(() => this.stop(), ENDLESS_MS);
    const { signal } = over;
    const ended = once(this.#child, 'exit', { signal }).then((): never => {
      throw new Error(`the process that plays seed ${task.seed} ended, after ${ENDLESS_MS} ms at most`);
    });
    try {
      this.#child.send(task);
      return ((await Promise.race([once(this.#child, 'message', { signal }), ended])) as [Report])[0];
    } finally {
      clearTimeout(late);
      over.abort();
    }
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Plays histories, from the first, until an invariant is violated. Null: none was. */
export async function findMutant(mutant: MutantName, seeds: number): Promise<Report | null> {
  const player = await Player.start(mutant);
  try {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const report = await player.play({ seed: String(seed), only: null });
      if (report.violations.length > 0) return report;
    }
    return null;
  } finally {
    player.stop();
  }
}
