import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import type { BillingDeps } from '../../services/billing/billing-sync.ts';
import type { CallbackDeps } from '../../services/account/platform-callbacks.ts';
import { receiveWebhook } from '../../services/billing/billing-webhook.ts';
import { deauthorizeByPlatform, deleteByPlatform } from '../../services/account/platform-callbacks.ts';
import type { RateLimits } from '../limits/limits.ts';

const form = z.object({ signed_request: z.string().min(1).max(8192) });

const STRIPE_BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Meta calls these when a user removes the app or requests data deletion. Configured in the app's dashboard.
 */
export function serveCallbacks(app: FastifyInstance, deps: CallbackDeps, limits: RateLimits): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
  const config = { rateLimit: { max: limits.metaCallbacks } };
  app.post('/auth/facebook/deauthorize', { config }, async ({ body }) => {
    await deauthorizeByPlatform(deps, signedRequestOf(body));
    return { success: true };
  });
  app.post('/auth/facebook/data-deletion', { config }, async ({ body }) =>
    deleteByPlatform(deps, signedRequestOf(body)),
  );
  return Promise.resolve();
}

/** The signature covers the raw bytes, so the body is not parsed first. */
export function serveStripeWebhook(
  app: FastifyInstance,
  deps: BillingDeps,
  limits: RateLimits,
): Promise<void> {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: STRIPE_BODY_LIMIT_BYTES },
    (_request, body, done) => done(null, body),
  );
  const config = { rateLimit: { max: limits.stripeWebhooks } };
  app.post('/webhooks/stripe', { config }, async ({ headers, body }) => {
    const signature = headers['stripe-signature'];
    if (typeof signature !== 'string' || !Buffer.isBuffer(body)) {
      throw new Refusal('INVALID_REQUEST', 'not signed by Stripe');
    }
    await receiveWebhook(deps, { rawBody: body, signature });
    return { received: true };
  });
  return Promise.resolve();
}

function signedRequestOf(body: unknown): string {
  const parsed = form.safeParse(body);
  if (!parsed.success) throw new Refusal('INVALID_REQUEST', 'signed_request: missing or too long');
  return parsed.data.signed_request;
}
