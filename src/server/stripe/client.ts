import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { seconds } from '#core/time.ts';

/** Why a call to Stripe failed. */
export type StripeFailure =
  /** No response, or a temporary failure: can be retried. */
  | 'unavailable'
  /** Our key, a price or a setting of the account is wrong: an operator must fix it. */
  | 'misconfigured'
  /** The customer or object does not exist any more. */
  | 'gone'
  /** The idempotency key is used: Stripe would replay the same response. */
  | 'spent';

export type StripeResult<T> = { ok: true; value: T } | { ok: false; failure: StripeFailure };

/** A user is waiting, and one click may take several calls. */
const TIMEOUT_MS = seconds(8);
/** Stripe allows about a hundred calls a second per account. */
const MAX_CONNECTIONS = 50;

/**
 * @param apiUrl of Stripe; null: the real one
 * @param httpClient instead of the SDK's own
 */
export function createStripe(
  secretKey: string,
  apiUrl: string | null,
  httpClient?: Stripe.HttpClient,
): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl ?? 'https://api.stripe.com');
  const isPlain = protocol === 'http:';
  const limits = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    httpAgent: isPlain ? new http.Agent(limits) : new https.Agent(limits),
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    ...(httpClient !== undefined && { httpClient }),
  });
}

/** A failure without secrets, for the log. */
export interface StripeFault {
  failure: StripeFailure;
  code: string;
  /** The parameter that Stripe rejected. */
  param: string | null;
  /** Identifies the request at Stripe. */
  requestId: string | null;
}

/** Returns failures as data; `onFailure` gets Stripe's details, which may be logged. */
export async function callStripe<T>(
  ask: () => Promise<T>,
  onFailure: (details: StripeFault) => void,
): Promise<StripeResult<T>> {
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

/** Whether Stripe rejected the request itself, for instance because of an object's state. */
export function isRefused(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Whether Stripe rejected the request because of this parameter. */
export function isAbout(error: unknown, param: string): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.param === param;
}

function failureOf(error: InstanceType<typeof Stripe.errors.StripeError>): StripeFailure {
  if (error.code === 'resource_missing' && (error.param === 'customer' || error.param === 'id'))
    return 'gone';
  // Stripe replays its own 500s for the same key. A key in use is not used up.
  const isKept = error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
  const isMismatch = error instanceof Stripe.errors.StripeIdempotencyError;
  if ((isKept || isMismatch) && error.code !== 'idempotency_key_in_use') return 'spent';
  const isOurs =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError;
  return isOurs && error.code !== 'lock_timeout' ? 'misconfigured' : 'unavailable';
}
