import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { seconds } from '#core/time.ts';

/** Why Stripe did not do it. */
export type StripeFailure =
  /** No answer, or not now: it may be asked again. */
  | 'unavailable'
  /** Our key, a price or a setting of the account is wrong: whoever runs this must mend it. */
  | 'misconfigured'
  /** There is no such customer or object any more. */
  | 'gone'
  /** The idempotency key is used up: asked with it again, Stripe would answer the same again. */
  | 'spent';

export type StripeAnswer<T> = { ok: true; value: T } | { ok: false; failure: StripeFailure };

/** Somebody is waiting, and one click may take several calls. */
const TIMEOUT_MS = seconds(8);
/** Its limit is about a hundred calls a second for everybody together. */
const MAX_CONNECTIONS = 50;

/**
 * @param apiUrl where Stripe is; null: the real one
 * @param httpClient instead of the SDK's own
 */
export function createStripe(
  secretKey: string,
  apiUrl: string | null,
  httpClient?: Stripe.HttpClient,
): Stripe {
  const limits = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const own = httpClient === undefined ? {} : { httpClient };
  const common = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, ...own };
  if (apiUrl === null) {
    return new Stripe(secretKey, { ...common, httpAgent: new https.Agent(limits) });
  }
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    ...common,
    httpAgent: isPlain ? new http.Agent(limits) : new https.Agent(limits),
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  });
}

/** What may be logged of a failure: nothing secret is in it. */
export interface StripeFault {
  failure: StripeFailure;
  code: string;
  /** What of the request Stripe did not like. */
  param: string | null;
  /** By which Stripe finds it. */
  requestId: string | null;
}

/** Failures as data; what Stripe says about them goes to `onFailure`, which may log it. */
export async function asking<T>(
  ask: () => Promise<T>,
  onFailure: (details: StripeFault) => void,
): Promise<StripeAnswer<T>> {
  try {
    return { ok: true, value: await ask() };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const failure = failureOf(error);
    const { code, type, param, requestId } = error;
    onFailure({ failure, code: code ?? type, param: param ?? null, requestId: requestId ?? null });
    return { ok: false, failure };
  }
}

/** Whether Stripe refused the request as it was, for instance since something is not in the state that it needs. */
export function isRefused(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Whether Stripe refused the request because of this parameter. */
export function isAbout(error: unknown, param: string): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.param === param;
}

function failureOf(error: InstanceType<typeof Stripe.errors.StripeError>): StripeFailure {
  if (error.code === 'resource_missing' && (error.param === 'customer' || error.param === 'id'))
    return 'gone';
  // A failure of Stripe's own is kept under the key like any other answer; a key in use is not used up.
  const isKept = error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
  const isMismatch = error instanceof Stripe.errors.StripeIdempotencyError;
  if ((isKept || isMismatch) && error.code !== 'idempotency_key_in_use') return 'spent';
  const isOurs =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError;
  return isOurs && error.code !== 'lock_timeout' ? 'misconfigured' : 'unavailable';
}
