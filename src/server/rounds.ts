import type { Clock } from './clock.ts';
import type { Log } from './observability/log.ts';
import { inSpan } from './observability/spans.ts';

export interface Rounds {
  /** Begins the next round now, or right after the one that is on. */
  wake(): void;
  /** Begins none any more, and waits for the one that is on. */
  close(): Promise<void>;
}

/** Does the same again and again, one round after the other, whatever a round runs into. */
export function startRounds(args: {
  name: string;
  everyMs: number;
  clock: Clock;
  log: Log;
  run: () => Promise<void>;
}): Rounds {
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
    running = inSpan(name, {}, run)
      .catch((error: unknown) => log.error({ err: error }, `a round failed: ${name}`))
      .then(() => {
        running = null;
        if (closed) return;
        if (woken) begin();
        else cancel = clock.after(everyMs, begin);
      });
  };
  begin();

  return {
    wake: begin,
    async close() {
      closed = true;
      cancel();
      await running;
    },
  };
}
