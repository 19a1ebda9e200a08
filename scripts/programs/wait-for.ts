import { setTimeout as sleep } from 'node:timers/promises';

/** Shorter than the time limit of a test, so that the error says what was waited for. */
const WAIT_MS = 20_000;

/** Polls until the result is not undefined, null or false. Real time; the timeout error has the title. */
export async function waitFor<T>(
  title: string,
  ask: () => Promise<T> | T,
  timeoutMs = WAIT_MS,
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
