import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '#core/time.ts';
import type { Log } from './observability/log.ts';

/** Calls under way may wait for what the engine does, so it closes a little later. */
export const ENGINE_GOES_ON_MS = seconds(2);
/** How long a part may take to close; all of it stays within the ten seconds that a process has to end. */
const CLOSING_MS = seconds(6);
/** Of what nobody needs any more. */
export const CLIENTS_CLOSING_MS = seconds(0.5);

interface Part {
  close(): PromiseLike<void>;
}

/** Closes a part and goes on when it has taken too long: what hangs in one keeps nothing else open. */
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
