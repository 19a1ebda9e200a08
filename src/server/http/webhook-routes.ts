import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ApiError } from '#contract/errors.ts';
import type { BillingDeps } from '../services/billing/sync.ts';
import type { CallbackDeps } from '../services/users/platform-callbacks.ts';
import { receiveWebhook } from '../services/billing/sync.ts';
import { deauthorizeByPlatform, deleteByPlatform } from '../services/users/platform-callbacks.ts';
import type { RateLimits } from './rate-limits.ts';

const STRIPE_BODY_LIMIT_BYTES = 1024 * 1024;

const form = z.object({ signed_request: z.string().check(z.minLength(1), z.maxLength(8192)) });
interface Form {
  Body: z.output<typeof form>;
}

/** Meta calls these when a user removes the app or requests data deletion. Configured in the app's dashboard. */
export async function serveMetaCallbacks(
  app: FastifyInstance,
  deps: CallbackDeps,
  limits: RateLimits,
): Promise<void> {
  await app.register(formbody);
  const options = { config: { rateLimit: { max: limits.metaCallbacks } }, schema: { body: form } };
  app.post<Form>('/auth/facebook/deauthorize', options, async ({ body }) => {
    await deauthorizeByPlatform(deps, body.signed_request);
    return { success: true };
  });
  app.post<Form>('/auth/facebook/data-deletion', options, ({ body }) =>
    deleteByPlatform(deps, body.signed_request),
  );
}

export function serveStripeWebhook(
  app: FastifyInstance,
  deps: BillingDeps,
  limits: RateLimits,
): Promise<void> {
  // The signature covers the raw bytes, so the body is not parsed first.
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
      throw new ApiError('INVALID_REQUEST', 'not signed by Stripe');
    }
    await receiveWebhook(deps, { rawBody: body, signature });
    return { received: true };
  });
  return Promise.resolve();
}
