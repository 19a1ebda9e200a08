import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { json, parseJson } from '../kit/http.ts';
import type { Account } from './account.ts';
import { StripeError } from './errors.ts';
import { newId } from './ids.ts';
import { API_VERSION } from './objects.ts';
import type { Route } from './resources/route.ts';
import { ROUTES } from './resources/routes.ts';
import type { StripeWorld } from './world.ts';
import type { Form } from './wire/form.ts';
import { decodeForm } from './wire/form.ts';

const MAX_CALLS = 5000;
export const SECRET_KEY = 'sk_test_simulated';

/** The call as it was sent, not yet validated. */
interface Given {
  method: string;
  path: string;
  form: Form;
  key: string | null;
  requestId: string;
}

export function answerApi(world: StripeWorld, request: SimRequest): HttpAnswer {
  const given: Given = {
    method: request.method,
    path: request.path,
    form: decodeForm(request.method === 'POST' ? request.body : request.query.toString()),
    key: (request.method === 'POST' && request.headers['idempotency-key']) || null,
    requestId: newId('req'),
  };
  const version = request.headers['stripe-version'] ?? API_VERSION;
  const found = ROUTES.find(({ method, pattern }) => method === given.method && pattern.test(given.path));
  const bare = refusalOr(given, () => {
    authenticate(request.headers['authorization'] ?? '');
    return keyed(world, given, found);
  });
  const answer: HttpAnswer = {
    ...bare,
    headers: {
      'request-id': given.requestId,
      'stripe-version': version,
      'cache-control': 'no-cache, no-store',
      ...(given.key === null ? {} : { 'idempotency-key': given.key }),
      ...bare.headers,
    },
  };
  world.calls.push({
    name: found?.name ?? null,
    method: given.method,
    path: given.path,
    params: given.form,
    status: answer.status,
    answer: parseJson(answer.body),
  });
  if (world.calls.length > MAX_CALLS) world.calls.shift();
  return answer;
}

function keyed(world: StripeWorld, given: Given, found: Route | undefined): HttpAnswer {
  const { key } = given;
  const call = JSON.stringify([given.method, given.path, given.form]);
  const now = world.account.now();
  const replay = key === null ? null : world.idempotency.find(key, call, now);
  if (replay !== null) return replay;
  const answer = refusalOr(given, () => {
    if (found === undefined) throw unrecognized(given);
    return applyPlan(world.account, world.url(), given, found);
  });
  // A call that is rejected for its parameters leaves the key free.
  if (key !== null && answer.status !== 400 && answer.status !== 404)
    world.idempotency.keep(key, { call, at: now, answer });
  return answer;
}

function applyPlan(account: Account, base: string, given: Given, found: Route): HttpAnswer {
  const id = decodeURIComponent(found.pattern.exec(given.path)?.[1] ?? '');
  account.request = { id: given.requestId, idempotency_key: given.key };
  try {
    return json(200, found.answer({ account, id, base, path: given.path }, given.form));
  } finally {
    account.request = { id: null, idempotency_key: null };
  }
}

function refusalOr({ requestId }: Given, run: () => HttpAnswer): HttpAnswer {
  try {
    return run();
  } catch (error) {
    if (error instanceof StripeError) return json(error.status, error.body(requestId));
    throw error;
  }
}

function authenticate(header: string): void {
  const [scheme = '', credentials = ''] = header.split(' ');
  const key =
    scheme === 'Basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials;
  if (key === '')
    throw new StripeError(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  if (key.startsWith('sk_live_') || key.startsWith('rk_live_'))
    throw new StripeError(401, 'This is a simulator: a live key must never be sent to it.');
  if (key !== SECRET_KEY)
    throw new StripeError(401, `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`);
}

function unrecognized({ method, path }: Given): StripeError {
  return new StripeError(404, `Unrecognized request URL (${method}: ${path}). It is not simulated.`);
}
