import { seconds } from '#core/time.ts';
import type { Needs } from './deps.ts';

/** A missed notification delays an answer by this long. */
const EVERY_MS = seconds(1);

/**
 * Asks at each change of what the user sees, and now and then, until true or until the time is over.
 * @param given.userId without one it asks at this interval only
 */
export async function waitUntil(
  { clock, signals }: Needs<'clock' | 'signals'>,
  condition: () => Promise<boolean>,
  given: { userId?: string; timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const { userId, timeoutMs, everyMs = EVERY_MS } = given;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    const next = Promise.withResolvers<undefined>();
    const goOn = (): void => next.resolve(undefined);
    // From before the question, so that a change amid it counts.
    const stop = userId === undefined ? null : signals.on(userId, goOn);
    try {
      if (await condition()) return true;
      if (clock.now() >= deadline) return false;
      const cancel = clock.after(everyMs, goOn);
      await next.promise;
      cancel();
    } finally {
      stop?.();
    }
  }
}
