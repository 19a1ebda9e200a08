import type { Clock } from '../../clock.ts';

const ASK_AGAIN_AFTER_MS = 50;

/** Polls until true or until the time is over. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  timeoutMs: number,
  clock: Clock,
  askAgainAfterMs = ASK_AGAIN_AFTER_MS,
): Promise<boolean> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    if (await isSo()) return true;
    if (clock.now() >= deadline) return false;
    await new Promise<void>((resolve) => void clock.after(askAgainAfterMs, resolve));
  }
}
