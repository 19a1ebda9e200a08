import type { HttpAnswer, SimAnswer, SimRequest } from '../kit/http.ts';
import { cutShort, html, json } from '../kit/http.ts';
import type { Fault } from '../kit/faults.ts';
import { linger } from '../kit/simulator.ts';
import { StripeError } from './errors.ts';
import { newId } from './ids.ts';
import { WEBHOOK_FAULTS } from './webhooks/deliveries.ts';
import type { StripeWorld } from './world.ts';

const EARLY = ['error', 'html', 'truncated', 'reset', 'hang_before'];
const LATE = ['applied_but_error', 'reset_after', 'hang_after'];
export const STRIPE_FAULTS = [...EARLY, ...LATE, 'latency', ...WEBHOOK_FAULTS];

/** Applies the ordered faults to a call of the API. */
export async function throughFaults(
  world: StripeWorld,
  request: SimRequest,
  answer: () => HttpAnswer,
): Promise<SimAnswer> {
  const { faults } = world;
  const occasion = { method: request.method, path: request.path.replace(/^\/v1/, ''), op: 'outer' as const };
  await linger(faults.take(['latency'], occasion)?.ms ?? 0);
  const early = faults.take(EARLY, occasion);
  if (early?.kind === 'reset') return 'cut';
  if (early?.kind === 'html')
    return html(early.http ?? 502, '<html><body><h1>502 Bad Gateway</h1></body></html>');
  if (early?.kind === 'error') return injected(early);
  if (early?.kind === 'hang_before') {
    const gone = early.applyOnRelease ? undefined : request.gone;
    if ((await faults.park(early, gone)) === 'dropped') return 'cut';
  }
  const given = answer();
  const late = faults.take(LATE, occasion);
  if (late?.kind === 'reset_after') return 'cut';
  if (late?.kind === 'hang_after' && (await faults.park(late, request.gone)) === 'dropped') return 'cut';
  if (late?.kind === 'applied_but_error') return remembered(world, request, injected(late));
  return early?.kind === 'truncated' ? cutShort(given) : given;
}

const ERRORS: Record<number, [message: string, code?: string]> = {
  409: [
    'There is currently another in-progress request using this Idempotent Key.',
    'idempotency_key_in_use',
  ],
  429: [
    'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    'rate_limit',
  ],
};

function injected({ http = 500, message, headers }: Fault): HttpAnswer {
  const [text, code] = ERRORS[http] ?? ['An unknown error occurred'];
  const type = http >= 500 ? 'api_error' : 'invalid_request_error';
  const error = new StripeError(http, message ?? text, { type, ...(code === undefined ? {} : { code }) });
  const id = newId('req');
  return json(http, error.body(id), { 'request-id': id, ...headers });
}

/** Stripe stores a 500 too, and replays it for the same key. */
function remembered({ idempotency }: StripeWorld, { headers }: SimRequest, answer: HttpAnswer): HttpAnswer {
  const key = headers['idempotency-key'];
  if (key !== undefined) idempotency.replace(key, answer);
  return answer;
}
