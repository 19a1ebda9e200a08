import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/**
 * How often a minute. What is sent for one's own campaigns, one call each, is work and no abuse: hundreds of them within
 * seconds pass. An address may be a whole office.
 */
const PER_MINUTE = {
  address: 6000,
  person: 3000,
  /** Stripe's own limits are those of everybody together. */
  askingStripe: 60,
  /** Each may be a call to Meta, whose limits for an ad account are those of everybody with access to it. */
  askingMeta: 600,
  openingStreams: 120,
  exportingData: 20,
};
export type PersonalLimit = Exclude<keyof typeof PER_MINUTE, 'address'>;

/** So many addresses, or people, are counted at a time; whoever has been silent for longest is forgotten first. */
const COUNTED = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session the request came with, once that is known. */
    personId: string | null;
    /** Refuses what this person has asked for too often. Counted by the person, however many sessions they have. */
    countFor: (limit: PersonalLimit, personId: string, reply: FastifyReply) => Promise<void>;
  }
}

/**
 * Counts requests by address, and by person. Routes may have limits of their own by address. Each process counts for
 * itself: what matters is that no one of them is overrun.
 */
export async function installLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: '1 minute', cache: COUNTED });
  const perAddress = app.createRateLimit({ max: PER_MINUTE.address });
  app.addHook('onRequest', async (request, reply) => {
    // Files that never change are cheaper to send than to count; each has a route, and what is not there has none.
    const isFile = request.routeOptions.url?.startsWith('/assets/') === true;
    if (!isFile) refuseExceeded(await perAddress(request), reply);
  });
  const keyGenerator = ({ personId }: FastifyRequest): string => personId ?? '';
  const personal = {
    person: app.createRateLimit({ max: PER_MINUTE.person, keyGenerator }),
    askingMeta: app.createRateLimit({ max: PER_MINUTE.askingMeta, keyGenerator }),
    askingStripe: app.createRateLimit({ max: PER_MINUTE.askingStripe, keyGenerator }),
    openingStreams: app.createRateLimit({ max: PER_MINUTE.openingStreams, keyGenerator }),
    exportingData: app.createRateLimit({ max: PER_MINUTE.exportingData, keyGenerator }),
  };
  app.decorateRequest('personId', null);
  app.decorateRequest('countFor', async function (limit, personId, reply) {
    this.personId = personId;
    refuseExceeded(await personal[limit](this), reply);
  });
}

type Counted = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

function refuseExceeded(counted: Counted, reply: FastifyReply): void {
  if (counted.isAllowed || !counted.isExceeded) return;
  reply.header('retry-after', Math.max(1, counted.ttlInSeconds));
  throw new Refusal('TOO_MANY_REQUESTS');
}
