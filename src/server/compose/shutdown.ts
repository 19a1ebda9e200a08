import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '#core/time.ts';
import type { Log } from '../observability/log.ts';

/** Calls in progress may wait for the reconciler, so it closes a little later. */
const RECONCILER_DELAY_MS = seconds(2);
/** Time limits for closing one part. The whole shutdown stays within ten seconds. */
const CLOSING_MS = seconds(6);
const CLIENT_CLOSING_MS = seconds(0.5);

type Part = { close(): PromiseLike<unknown> } | null | undefined;

/**
 * Closes all parts: one that hangs or fails keeps no other from closing.
 * @param parts `others` close beside the HTTP server; `clients`, which these use, afterwards and in their order
 */
export async function closeAll(
  log: Log,
  parts: { http: Part; reconciler: Part; others: Part[]; clients: Part[] },
): Promise<void> {
  const close = async (part: Part, mostMs: number): Promise<void> => {
    if (part == null) return;
    const closed = part
      .close()
      .then(undefined, (error: unknown) => log.error({ err: error }, 'closing a part failed'));
    await Promise.race([closed, sleep(mostMs, undefined, { ref: false })]);
  };
  const http = close(parts.http, CLOSING_MS);
  const others = parts.others.map((part) => close(part, CLOSING_MS));
  await Promise.race([http, sleep(RECONCILER_DELAY_MS, undefined, { ref: false })]);
  await Promise.all([http, ...others, close(parts.reconciler, CLOSING_MS)]);
  for (const part of parts.clients) await close(part, CLIENT_CLOSING_MS);
}
