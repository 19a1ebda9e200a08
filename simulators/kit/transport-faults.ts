import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults, Occasion } from './faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest } from './http.ts';
import { cutShort, html } from './http.ts';

const EARLY = ['html', 'truncated', 'reset', 'hang_before'];
const LATE = ['reset_after', 'hang_after'];
export const TRANSPORT_FAULTS = ['latency', ...EARLY, ...LATE];

const SORRY =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>';

/** Delays a response. */
export async function linger(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms);
}

/** Applies the faults of the connection before and after the response is computed. */
export async function throughFaults(
  faults: Faults,
  { request, occasion }: { request: SimRequest; occasion: Occasion },
  answer: () => HttpAnswer,
): Promise<SimAnswer> {
  await linger(faults.take(['latency'], occasion)?.ms ?? 0);
  const early = faults.take(EARLY, occasion);
  if (early?.kind === 'reset') return 'cut';
  if (early?.kind === 'html') return html(early.http ?? 502, SORRY);
  if (early?.kind === 'hang_before') {
    const gone = early.applyOnRelease ? undefined : request.gone;
    if ((await faults.park(early, gone)) === 'dropped') return 'cut';
  }
  const given = answer();
  const late = faults.take(LATE, occasion);
  if (late?.kind === 'reset_after') return 'cut';
  if (late?.kind === 'hang_after' && (await faults.park(late, request.gone)) === 'dropped') return 'cut';
  return early?.kind === 'truncated' ? cutShort(given) : given;
}
