import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { isAdmin } from '#core/roles.ts';
import { findPersonOfSession } from '../db/sessions.ts';
import type { Person } from '../db/people.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { logout } from '../operations/sessions.ts';
import { handlers } from './handlers.ts';

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/;

/** Calls that ask Stripe, per minute and session: its limits are those of everybody together. */
const ASKING_STRIPE = { rateLimit: { max: 60, keyGenerator: sessionOrAddress } };
const LIMITS: Partial<Record<ApiName, object>> = {
  createCheckoutSession: ASKING_STRIPE,
  createPortalSession: ASKING_STRIPE,
  refreshSubscription: ASKING_STRIPE,
};

/** Of a header only as much as a session's can have: what is counted is kept for a while, whoever sent it. */
export function sessionOrAddress({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): string {
  return headers.authorization?.slice(0, 64) ?? ip;
}

/** Turns the contract into routes: session, role, parsed input, handler, parsed reply. */
export function serveApi(app: FastifyInstance, deps: OperationDeps): void {
  for (const name of Object.keys(api) as ApiName[]) {
    const endpoint: Endpoint = api[name];
    // The types of one entry's handler and its schemas belong together; over all entries that cannot be said.
    const handle = handlers[name] as (call: object) => Promise<unknown>;
    app.route({
      method: endpoint.method,
      config: LIMITS[name] ?? {},
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request) => {
        const caller = endpoint.access === 'public' ? {} : await requireSession(deps, request);
        if (endpoint.access === 'admin') requireAdmin(caller);
        const params = parse(endpoint.params, request.params, 'the address');
        const body = endpoint.body === null ? undefined : parse(endpoint.body, request.body, 'the body');
        return endpoint.reply.parse(await handle({ deps, ...caller, params, body }));
      },
    });
  }
  app.post('/auth/logout', async (request, reply) => {
    const { person, sessionId } = await requireSession(deps, request);
    await logout(deps, person, sessionId);
    return reply.status(204).send();
  });
}

export async function requireSession(
  deps: OperationDeps,
  request: FastifyRequest,
): Promise<{ person: Person; sessionId: string }> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('UNAUTHENTICATED');
  const session = await findPersonOfSession(deps.db, token, deps.clock.now());
  if (session === null) throw new Refusal('UNAUTHENTICATED');
  return session;
}

/** The server's own word on it (ADMIN-08): what the page shows is for convenience only. */
function requireAdmin(caller: { person?: Person }): void {
  if (!isAdmin(caller.person?.roles ?? [])) throw new Refusal('ADMIN_REQUIRED');
}

function parse<T>(schema: z.ZodMiniType<T>, input: unknown, where: string): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || where}: ${message}`);
  throw new Refusal('INVALID_REQUEST', faults.join('; ').slice(0, 1000));
}
