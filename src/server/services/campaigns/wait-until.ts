import type { Clock } from '../../clock.ts';

const EVERY_MS = 50;

/** Polls until true or until the time is over. */
export async function waitUntil(
  condition: () => Promise<boolean>,
  timeoutMs: number,
  clock: Clock,
  everyMs = EVERY_MS,
): Promise<boolean> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (clock.now() >= deadline) return false;
    await new Promise<void>((resolve) => void clock.after(everyMs, resolve));
  }
}
