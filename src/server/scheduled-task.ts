import type { Clock } from './clock.ts';
import type { Log } from './observability/log.ts';

export interface ScheduledTask {
  /** Runs now, or right after the current run. */
  wake(): void;
  /** Like wake; resolves when that run has ended, and those for which it was woken in between. */
  run(): Promise<void>;
  /** Starts no further run, and waits for the current one. */
  close(): Promise<void>;
}

/** Runs a task at this interval, never concurrently. A failed run is logged, and the next one follows as usual. */
export function startScheduledTask(args: {
  name: string;
  /** Null: only when it is asked to. */
  everyMs: number | null;
  clock: Clock;
  log: Log;
  run: () => Promise<void>;
}): ScheduledTask {
  const { name, everyMs, clock, log, run } = args;
  let cancel = (): void => undefined;
  let running: Promise<void> | null = null;
  let woken = false;
  let closed = false;

  const begin = (): void => {
    cancel();
    if (closed) return;
    if (running !== null) {
      woken = true;
      return;
    }
    woken = false;
    const startedAt = clock.now();
    running = run()
      .catch((error: unknown) => log.error({ err: error, task: name }, 'scheduled task failed'))
      .then(() => {
        running = null;
        if (closed) return;
        if (woken) begin();
        else if (everyMs !== null) cancel = clock.after(waitMs(everyMs, clock.now() - startedAt), begin);
      });
  };
  if (everyMs !== null) begin();

  return {
    wake: begin,
    async run() {
      await running;
      begin();
      while (running !== null) await running;
    },
    async close() {
      closed = true;
      cancel();
      await running;
    },
  };
}

/** Never longer than the interval, even if the clock was set back. */
function waitMs(everyMs: number, spentMs: number): number {
  return Math.min(everyMs, Math.max(0, everyMs - spentMs));
}
