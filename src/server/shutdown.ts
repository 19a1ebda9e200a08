import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '#core/time.ts';
import type { Log } from './observability/log.ts';

/** Calls in progress may wait for the reconciler, so it closes a little later. */
export const RECONCILER_DELAY_MS = seconds(2);
/** Time limit for closing one part. The whole shutdown stays within ten seconds. */
const CLOSING_MS = seconds(6);
/** For clients whose work is done. */
export const CLIENTS_CLOSING_MS = seconds(0.5);

interface Part {
  close(): PromiseLike<void>;
}

/** Closes a part, and stops waiting for it after a limit, so that one part cannot block the shutdown. */
export async function closeInTime(
  part: Part | null | undefined,
  log: Log,
  mostMs = CLOSING_MS,
): Promise<void> {
  if (part == null) return;
  const closed = part
    .close()
    .then(undefined, (error: unknown) => log.error({ err: error }, 'closing a part failed'));
  await Promise.race([closed, sleep(mostMs, undefined, { ref: false })]);
}
