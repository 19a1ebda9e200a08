import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#contract/errors.ts';

/**
 * Requests per minute. Changing SmartPause for hundreds of campaigns, one call each, must pass.
 * An IP address may belong to a whole office.
 */
export const RATE_LIMITS = {
  address: 6000,
  /** Each login and each return from Meta's dialog, by address. */
  logins: 120,
  /** By address; also the next. */
  metaCallbacks: 600,
  stripeWebhooks: 3000,
  user: 3000,
  /** All users share Stripe's rate limit. */
  stripeCalls: 60,
  /** Each call may reach Meta, whose limit per ad account is shared by everyone with access to the account. */
  metaCalls: 600,
  /** Apart from these, because an outage has the page read them again and again (`LISTS_PER_S` in the page). */
  lists: 1200,
  openedStreams: 120,
  /** Messages that a user sends to their own destinations: nothing floods another server with them. */
  outsideCalls: 20,
};
export type RateLimits = Record<keyof typeof RATE_LIMITS, number>;
export type UserRateLimit = 'user' | 'stripeCalls' | 'metaCalls' | 'lists' | 'openedStreams' | 'outsideCalls';

/** Maximum number of counted addresses or users. The least recently used one is evicted first. */
const COUNTED = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Refuses requests above the limit. All sessions of a user share one counter. */
    countRequest: (limit: UserRateLimit, reply: FastifyReply) => Promise<void>;
  }
}

/**
 * Rate limits by IP address and by user; routes may have their own limit by address instead.
 * Each process counts separately: the limits protect a process from overload.
 */
export async function installRateLimits(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, {
    max: limits.address,
    timeWindow: '1 minute',
    cache: COUNTED,
    // Files cost less to send than to count.
    allowList: ({ routeOptions }) => routeOptions.url?.startsWith('/assets/') === true,
  });
  const keyGenerator = ({ context }: FastifyRequest): string => context.user ?? '';
  const perUser = (max: number) => app.createRateLimit({ max, keyGenerator, allowList: [] });
  const counters = {
    user: perUser(limits.user),
    metaCalls: perUser(limits.metaCalls),
    lists: perUser(limits.lists),
    stripeCalls: perUser(limits.stripeCalls),
    openedStreams: perUser(limits.openedStreams),
    outsideCalls: perUser(limits.outsideCalls),
  };
  app.decorateRequest('countRequest', async function (limit, reply) {
    const counted = await counters[limit](this);
    if (counted.isAllowed || !counted.isExceeded) return;
    reply.header('retry-after', Math.max(1, counted.ttlInSeconds));
    throw new ApiError('TOO_MANY_REQUESTS');
  });
}
