import { setTimeout as sleep } from 'node:timers/promises';

const ASK_AGAIN_AFTER_MS = 50;

/** Asks again and again until it is so, or until the time is over. Real time: somebody is waiting for an answer. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  timeoutMs: number,
  askAgainAfterMs = ASK_AGAIN_AFTER_MS,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(askAgainAfterMs);
  }
}
