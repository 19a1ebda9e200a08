import type { Fault } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest } from '../kit/http.ts';
import { json } from '../kit/http.ts';
import { TRANSPORT_FAULTS, throughFaults } from '../kit/transport-faults.ts';
import { answerApi } from './api.ts';
import { StripeError } from './errors.ts';
import { newId } from './ids.ts';
import { WEBHOOK_FAULTS } from './webhooks/deliveries.ts';
import type { StripeWorld } from './world.ts';

export const STRIPE_FAULTS = ['error', 'applied_but_error', ...TRANSPORT_FAULTS, ...WEBHOOK_FAULTS];

export function serveApi(world: StripeWorld, request: SimRequest): Promise<SimAnswer> {
  const { faults, idempotency } = world;
  const occasion = { method: request.method, path: request.path.replace(/^\/v1/, ''), op: 'outer' as const };
  return throughFaults(faults, { request, occasion }, () => {
    const before = faults.take(['error'], occasion);
    if (before !== null) return injected(before);
    const given = answerApi(world, request);
    const after = faults.take(['applied_but_error'], occasion);
    if (after === null) return given;
    // Stripe stores a 500 too, and replays it for the same key.
    const answer = injected(after);
    idempotency.replace(request.headers['idempotency-key'] ?? '', answer);
    return answer;
  });
}

const RATE_LIMITED =
  'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.';

function injected({ http = 500, message }: Fault): HttpAnswer {
  const isLimit = http === 429;
  const error = new StripeError(http, message ?? (isLimit ? RATE_LIMITED : 'An unknown error occurred'), {
    type: http >= 500 ? 'api_error' : 'invalid_request_error',
    ...(isLimit && { code: 'rate_limit' }),
  });
  const id = newId('req');
  return json(http, error.body(id), { 'request-id': id });
}
