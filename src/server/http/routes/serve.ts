import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { isAdmin } from '#core/roles.ts';
import { findUserOfSession } from '../../db/users/sessions.ts';
import type { User } from '../../db/users/users.ts';
import type { Needs, ServiceDeps } from '../../services/deps.ts';
import { logout } from '../../services/account/sessions.ts';
import { handlers } from './handlers.ts';
import type { UserRateLimit } from '../limits/limits.ts';

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/;

const PROVIDERS: readonly { limit: UserRateLimit; endpoints: readonly ApiName[] }[] = [
  {
    limit: 'stripeCalls',
    endpoints: ['createCheckoutSession', 'createPortalSession', 'refreshSubscription'],
  },
  // Turning SmartPause on or off reads our own list of campaigns; the user's limit covers that.
  {
    limit: 'metaCalls',
    endpoints: ['adAccounts', 'campaigns', 'pauseCampaign', 'resumeCampaign', 'dryRun', 'startLiveTest'],
  },
];

/** Most logouts have no body. A body that does not parse counts as none. */
const logoutBody = z.catch(z.object({ isReplaced: z.boolean() }), { isReplaced: false });

/** Turns the contract into routes: session, role, parsed input, handler, parsed response. */
export function serveApi(app: FastifyInstance, deps: ServiceDeps): void {
  for (const name of Object.keys(api) as ApiName[]) {
    const endpoint: Endpoint = api[name];
    // TypeScript cannot express that a handler and its schemas match over all entries.
    const handle = handlers[name] as (call: object) => Promise<unknown>;
    const provider = PROVIDERS.find(({ endpoints }) => endpoints.includes(name));
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const session = endpoint.access === 'public' ? null : await requireSession(deps, request, reply);
        if (endpoint.access === 'admin') requireAdmin(session?.user);
        if (session !== null && provider !== undefined) {
          await request.countRequest(provider.limit, session.user.id, reply);
        }
        const params = parse(endpoint.params, request.params, 'the address');
        const query = parse(endpoint.query, request.query, 'the query string');
        const body = parse(endpoint.body, request.body, 'the body');
        const answer = endpoint.reply.parse(await handle({ deps, ...session, params, query, body }));
        if (isPending(answer)) void reply.status(202);
        return answer;
      },
    });
  }
  app.post('/auth/logout', async (request, reply) => {
    const { user, sessionId } = await requireSession(deps, request, reply);
    const { isReplaced } = logoutBody.parse(request.body);
    await logout(deps, user, { sessionId, isReplaced });
    return reply.status(204).send();
  });
}

function isPending(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'pending' in answer;
}

export async function requireSession(
  deps: Needs<'db' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ user: User; sessionId: string }> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('UNAUTHENTICATED');
  const session = await findUserOfSession(deps.db, token, deps.clock.now());
  if (session === null) throw new Refusal('UNAUTHENTICATED');
  request.context.user = session.user.id;
  await request.countRequest('user', session.user.id, reply);
  return session;
}

/** Enforces the role on the server (ADMIN-08); the page only hides what is not allowed. */
function requireAdmin(user: User | undefined): void {
  if (!isAdmin(user?.roles ?? [])) throw new Refusal('ADMIN_REQUIRED');
}

function parse<T>(schema: z.ZodMiniType<T> | undefined, input: unknown, where: string): T | undefined {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || where}: ${message}`);
  throw new Refusal('INVALID_REQUEST', faults.join('; ').slice(0, 1000));
}
