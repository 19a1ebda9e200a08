import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MutantName } from './mutants.ts';
import type { Report, Task } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** Of real time, for one history: whatever takes longer will never end. */
const ENDLESS_MS = 900_000;

/** One process that plays. */
export class Player {
  #child: ChildProcess;
  readonly #mutant: MutantName | null;

  static async start(mutant: MutantName | null): Promise<Player> {
    const player = new Player(mutant);
    await once(player.#child, 'message');
    return player;
  }

  private constructor(mutant: MutantName | null) {
    this.#mutant = mutant;
    this.#child = fork(WORKER, [mutant ?? ''], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: ['--max-semi-space-size=32'],
    });
  }

  async play(task: Task): Promise<Report> {
    const child = this.#child;
    const over = new AbortController();
    const { signal } = over;
    const late = setTimeout(() => child.kill('SIGKILL'), ENDLESS_MS);
    try {
      child.send(task);
      const ended = once(child, 'exit', { signal }).then((): never => {
        throw new Error('the process ended');
      });
      const [report] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Report];
      return report;
    } catch (error) {
      if (child.exitCode === null && child.signalCode === null) throw error;
      await this.#startAgain();
      return neverEnded(task);
    } finally {
      clearTimeout(late);
      over.abort();
    }
  }

  stop(): void {
    this.#child.kill();
  }

  async #startAgain(): Promise<void> {
    this.#child = new Player(this.#mutant).#child;
    await once(this.#child, 'message');
  }
}

function neverEnded(task: Task): Report {
  return {
    ...task,
    events: 0,
    violations: [`it did not end within ${ENDLESS_MS / 1000} s`],
    steps: 0,
    statements: 0,
    virtualMs: 0,
    digest: '',
    facts: {},
    trace: [],
  };
}
