import { setTimeout as sleep } from 'node:timers/promises';

/** A machine that does other things as well may stand still for long; whoever waits for a fact loses nothing by it. */
export const PATIENCE_MS = 45_000;

/** Waits for a fact: asks until the answer is not undefined, null or false. Real time; it gives up with the title. */
export async function waitFor<T>(
  title: string,
  ask: () => Promise<T> | T,
  timeoutMs = PATIENCE_MS,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer as Exclude<T, null | undefined | false>;
    }
    last = answer;
    if (performance.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms in vain for: ${title} (last: ${String(last)})`);
    await sleep(25);
  }
}
