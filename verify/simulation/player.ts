import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MutantName } from './mutants.ts';
import type { Report, Task } from './play-history.ts';

/** Real time for one history: a longer one never ends. */
const ENDLESS_MS = 900_000;

/** A child process that plays histories, with a planted fault or without. */
export class Player {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(mutant: MutantName | null) {
    this.#child = fork(join(import.meta.dirname, 'worker.ts'), mutant === null ? [] : [mutant], {
      execArgv: ['--max-semi-space-size=32'],
    });
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error('the process that plays histories has ended');
    });
    // It ends by `stop`, too.
    this.#ended.catch(() => undefined);
  }

  /** @throws if the history never ends, or the process does */
  async play(task: Task): Promise<Report> {
    const late = setTimeout(() => this.stop(), ENDLESS_MS);
    const played = once(this.#child, 'message');
    this.#child.send(task);
    const answer = await Promise.race([played, this.#ended]).finally(() => clearTimeout(late));
    return (answer as [Report])[0];
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}
