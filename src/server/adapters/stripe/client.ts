import Stripe from 'stripe';
import { seconds } from '#core/time.ts';

/** Why Stripe did not do it. */
export type StripeFailure =
  /** No answer, or not now: it may be asked again. */
  | 'unavailable'
  /** Our key, a price or a setting of the account is wrong: whoever runs this must mend it. */
  | 'misconfigured'
  /** There is no such customer or object any more. */
  | 'gone';

export type StripeAnswer<T> = { ok: true; value: T } | { ok: false; failure: StripeFailure };

const TIMEOUT_MS = seconds(10);

/** @param apiUrl where Stripe is; null: the real one */
export function createStripe(secretKey: string, apiUrl: string | null): Stripe {
  const common = { timeout: TIMEOUT_MS, maxNetworkRetries: 2, telemetry: false };
  if (apiUrl === null) return new Stripe(secretKey, common);
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    ...common,
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  });
}

/** Failures as data; what Stripe says about them goes to `onFailure`, which may log it. */
export async function asking<T>(
  ask: () => Promise<T>,
  onFailure: (details: { failure: StripeFailure; code: string; requestId: string | null }) => void,
): Promise<StripeAnswer<T>> {
  try {
    return { ok: true, value: await ask() };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const failure = failureOf(error);
    onFailure({ failure, code: error.code ?? error.type, requestId: error.requestId ?? null });
    return { ok: false, failure };
  }
}

function failureOf(error: InstanceType<typeof Stripe.errors.StripeError>): StripeFailure {
  if (error.code === 'resource_missing' && (error.param === 'customer' || error.param === 'id'))
    return 'gone';
  const isOurs =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError;
  return isOurs && error.code !== 'lock_timeout' ? 'misconfigured' : 'unavailable';
}
