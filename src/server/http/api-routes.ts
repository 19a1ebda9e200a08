import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { ApiError, errorEnvelope } from '#contract/errors.ts';
import { isAdmin } from '#core/roles.ts';
import { findUserOfSession } from '../db/users/sessions.ts';
import type { User } from '../db/users/users.ts';
import type { Needs, ServiceDeps } from '../services/deps.ts';
import { logout } from '../services/users/end-sessions.ts';
import { handlers } from './handlers.ts';
import type { UserRateLimit } from './rate-limits.ts';
import { replyTagged } from './reply-tags.ts';

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/;

/** Calls that may reach Stripe, Meta or an address of the user's. SmartPause on or off reads our own list; the user's limit covers that. */
const PROVIDERS: Partial<Record<ApiName, UserRateLimit>> = {
  createCheckoutSession: 'stripeCalls',
  createPortalSession: 'stripeCalls',
  refreshSubscription: 'stripeCalls',
  deleteAccount: 'stripeCalls',
  deauthorize: 'metaCalls',
  adAccounts: 'lists',
  campaigns: 'lists',
  pauseCampaign: 'metaCalls',
  resumeCampaign: 'metaCalls',
  readCampaign: 'metaCalls',
  retryCampaign: 'metaCalls',
  createCampaignChange: 'metaCalls',
  dryRun: 'metaCalls',
  pauseAllState: 'metaCalls',
  pauseAll: 'metaCalls',
  resumeAll: 'metaCalls',
  startLiveTest: 'metaCalls',
  testDestination: 'outsideCalls',
  sendDeliveryAgain: 'outsideCalls',
};

/** 10,000 ids of campaigns are longer than any other body. */
const LONG_BODIES: Partial<Record<ApiName, number>> = { createCampaignChange: 512 * 1024 };

/** Most logouts have no body. A body that does not parse counts as none. */
const logoutBody = z.catch(z.object({ isReplaced: z.boolean() }), { isReplaced: false });

interface Session {
  user: User;
  sessionId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by requireSession. */
    session: Session;
  }
}

/** Turns the contract into routes: session, role, parsed input, handler, parsed response. */
export function serveApi(app: FastifyInstance, deps: ServiceDeps): void {
  app.decorateRequest('session');
  parseBySchemas(app);
  for (const name of Object.keys(api) as ApiName[]) {
    const endpoint: Endpoint = api[name];
    const { access, method, path, params, query, body, reply } = endpoint;
    // TypeScript cannot express that a handler and its schemas match over all entries.
    const handle = handlers[name] as (call: object) => Promise<object>;
    app.route({
      method,
      ...(LONG_BODIES[name] !== undefined && { bodyLimit: LONG_BODIES[name] }),
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: {
        operationId: name,
        ...documentationOf(access),
        ...(params !== undefined && { params }),
        ...(query !== undefined && { querystring: query }),
        ...(body !== undefined && { body }),
        response: { '2xx': reply, default: errorEnvelope },
      },
      ...(access !== 'public' && { preValidation: requireSession(deps, access, PROVIDERS[name]) }),
      handler: async (request, response) => {
        const given = { params: request.params, query: request.query, body: request.body };
        const result = await handle({ deps, ...request.session, ...given });
        if ('pending' in result && result.pending === true) void response.status(202);
        return endpoint.hasTag === true ? replyTagged(request, response, result) : result;
      },
    });
  }
  app.post<{ Body: z.output<typeof logoutBody> }>(
    '/auth/logout',
    {
      schema: { operationId: 'logout', ...documentationOf('user'), body: logoutBody },
      preValidation: requireSession(deps),
    },
    async ({ session: { user, sessionId }, body }, reply) => {
      await logout(deps, user, { sessionId, isReplaced: body.isReplaced });
      return reply.status(204).send();
    },
  );
}

export function documentationOf(access: Access) {
  return { tags: [access], ...(access !== 'public' && { security: [{ session: [] }] }) };
}

/** Authenticates the request, checks the role on the server (ADMIN-08) and counts the request. */
export function requireSession(
  { db, clock }: Needs<'db' | 'clock'>,
  access: Access = 'user',
  limit: UserRateLimit = 'user',
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const session = token === undefined ? null : await findUserOfSession(db, token, clock.now());
    if (session === null) throw new ApiError('UNAUTHENTICATED');
    request.session = session;
    request.context.user = session.user.id;
    await request.countRequest('user', reply);
    if (access === 'admin' && !isAdmin(session.user.roles)) throw new ApiError('ADMIN_REQUIRED');
    if (limit !== 'user') await request.countRequest(limit, reply);
  };
}

const PLACES: Record<string, string> = { params: 'the address', querystring: 'the query string' };

/** Zod validates the input and serializes the response; an absent body is undefined, not null. */
function parseBySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler<z.ZodMiniType>(({ schema, httpPart = '' }) => (input: unknown) => {
    const parsed = schema.safeParse(input ?? undefined);
    if (parsed.success) return { value: parsed.data };
    const place = PLACES[httpPart] ?? 'the body';
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || place}: ${message}`);
    return { error: new ApiError('INVALID_REQUEST', faults.join('; ').slice(0, 1000)) };
  });
  app.setSerializerCompiler<z.ZodMiniType>(
    ({ schema }) =>
      (result) =>
        JSON.stringify(schema.parse(result)),
  );
}
