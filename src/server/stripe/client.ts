import Stripe from 'stripe';
import { ApiError } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';

/** Why a call to Stripe failed. */
export type FailureKind =
  /** No response, or a temporary failure: can be retried. */
  | 'unavailable'
  /** Our key, a price or a setting of the account is wrong: an operator must fix it. */
  | 'misconfigured'
  /** No such object in the account of our key. */
  | 'missing'
  /** The customer was deleted at Stripe. */
  | 'gone';

/** A failed call to Stripe. Where no service handles it, it is the response to the request. */
export class StripeFailure extends ApiError {
  readonly kind: FailureKind;

  constructor(kind: FailureKind) {
    super(kind === 'unavailable' ? 'BILLING_UNAVAILABLE' : 'BILLING_MISCONFIGURED');
    this.kind = kind;
  }
}

export function isFailure(error: unknown, kind: FailureKind): boolean {
  return error instanceof StripeFailure && error.kind === kind;
}

/** A user is waiting, and one click may take several calls. */
const TIMEOUT_MS = seconds(8);

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
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    ...(httpClient !== undefined && { httpClient }),
  });
}

const { errors } = Stripe;

/** Whether Stripe refused the request itself, for instance because of an object's state or of this parameter. */
export function isRefused(error: unknown, param?: string): boolean {
  return error instanceof errors.StripeInvalidRequestError && (param === undefined || error.param === param);
}

export function failureKind(error: Stripe.errors.StripeError): FailureKind {
  if (error.code === 'resource_missing') return 'missing';
  const isOurs =
    isRefused(error) ||
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError;
  return isOurs && error.code !== 'lock_timeout' ? 'misconfigured' : 'unavailable';
}
