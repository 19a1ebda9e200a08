import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/**
 * Requests per minute. Changing SmartPause for hundreds of campaigns, one call each, must pass.
 * An IP address may belong to a whole office.
 */
export const RATE_LIMITS = {
  address: 6000,
  /** Each login and each return from Meta's dialog, by address. */
  logins: 120,
  /** By address, for the login and the return from it; also the next two. */
  metaCallbacks: 600,
  stripeWebhooks: 3000,
  user: 3000,
  /** All users share Stripe's rate limit. */
  stripeCalls: 60,
  /**
   * Each call may reach Meta, whose limit per ad account is shared by everyone with access to the account.
   */
  metaCalls: 600,
  openedStreams: 120,
};
export type RateLimits = Record<keyof typeof RATE_LIMITS, number>;
export type UserRateLimit = 'user' | 'stripeCalls' | 'metaCalls' | 'openedStreams';

/** Maximum number of counted addresses or users. The least recently used one is evicted first. */
const COUNTED = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the session is authenticated. */
    userId: string | null;
    /** Rejects requests above the limit. All sessions of a user share one counter. */
    countRequest: (limit: UserRateLimit, userId: string, reply: FastifyReply) => Promise<void>;
  }
}

/**
 * Rate limits by IP address and by user; routes may add their own limit by address.
 * Each process counts separately: the limits protect a process from overload.
 */
export async function installLimits(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: '1 minute', cache: COUNTED });
  const perAddress = app.createRateLimit({ max: limits.address });
  app.addHook('onRequest', async (request, reply) => {
    // These cost less to send than to count. Each file has its own route; unknown paths have none.
    const isCheap = /^\/(assets\/|status)/.test(request.routeOptions.url ?? '');
    if (!isCheap) refuseExceeded(await perAddress(request), reply);
  });
  const keyGenerator = ({ userId }: FastifyRequest): string => userId ?? '';
  const perUser = {
    user: app.createRateLimit({ max: limits.user, keyGenerator }),
    metaCalls: app.createRateLimit({ max: limits.metaCalls, keyGenerator }),
    stripeCalls: app.createRateLimit({ max: limits.stripeCalls, keyGenerator }),
    openedStreams: app.createRateLimit({ max: limits.openedStreams, keyGenerator }),
  };
  app.decorateRequest('userId', null);
  app.decorateRequest('countRequest', async function (limit, userId, reply) {
    this.userId = userId;
    refuseExceeded(await perUser[limit](this), reply);
  });
}

type Counted = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

function refuseExceeded(counted: Counted, reply: FastifyReply): void {
  if (counted.isAllowed || !counted.isExceeded) return;
  reply.header('retry-after', Math.max(1, counted.ttlInSeconds));
  throw new Refusal('TOO_MANY_REQUESTS');
}
