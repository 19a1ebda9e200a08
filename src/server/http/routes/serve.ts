import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { isAdmin } from '#core/roles.ts';
import type { Person } from '../../db/users/people.ts';
import type { OperationDeps } from '../../services/deps.ts';
import { logout } from '../../services/account/sessions.ts';
import { handlers } from './handlers.ts';
import type { PersonalLimit } from '../limits/limits.ts';
import { LargeAnswers } from '../limits/large-answers.ts';

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/;

const PROVIDERS: readonly { limit: PersonalLimit; askedBy: readonly ApiName[] }[] = [
  { limit: 'askingStripe', askedBy: ['createCheckoutSession', 'createPortalSession', 'refreshSubscription'] },
  // Turning SmartPause on or off looks at our own list, and seldom has that read.
  { limit: 'askingMeta', askedBy: ['adAccounts', 'campaigns', 'pauseCampaign', 'resumeCampaign'] },
];

/** Most log out without a word; what is not understood is none. */
const lastWord = z.catch(z.object({ isReplaced: z.boolean() }), { isReplaced: false });
/** Everything of a person is read, checked and packed in this process: of all calls the dearest. */
const EXPORTS_AT_ONCE = 2;

/** Turns the contract into routes: session, role, parsed input, handler, parsed reply. */
export function serveApi(app: FastifyInstance, deps: OperationDeps): void {
  const exporting = new LargeAnswers(EXPORTS_AT_ONCE);
  for (const name of Object.keys(api) as ApiName[]) {
    const endpoint: Endpoint = api[name];
    // The types of one entry's handler and its schemas belong together; over all entries that cannot be said.
    const handle = handlers[name] as (call: object) => Promise<unknown>;
    const provider = PROVIDERS.find(({ askedBy }) => askedBy.includes(name));
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const session = endpoint.access === 'public' ? null : await requireSession(deps, request, reply);
        if (endpoint.access === 'admin') requireAdmin(session?.person);
        if (session !== null && provider !== undefined) {
          await request.countFor(provider.limit, session.person.id, reply);
        }
        const params = parse(endpoint.params, request.params, 'the address');
        const query =
          endpoint.query === undefined
            ? undefined
            : parse(endpoint.query, request.query, 'what stands behind the ?');
        const body = endpoint.body === null ? undefined : parse(endpoint.body, request.body, 'the body');
        const work = async () =>
          endpoint.reply.parse(await handle({ deps, ...session, params, query, body }));
        if (name !== 'exportData' || session === null) return work();
        const personId = session.person.id;
        return exporting.take({ personId, request, reply }, async () => {
          await request.countFor('exportingData', personId, reply);
          return work();
        });
      },
    });
  }
  app.post('/auth/logout', async (request, reply) => {
    const { person, sessionId } = await requireSession(deps, request, reply);
    const { isReplaced } = lastWord.parse(request.body);
    await logout(deps, person, { sessionId, isReplaced });
    return reply.status(204).send();
  });
}

export async function requireSession(
  deps: OperationDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ person: Person; sessionId: string }> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('UNAUTHENTICATED');
  const session = await deps.shared.session(token);
  if (session === null) throw new Refusal('UNAUTHENTICATED');
  request.behalf.person = session.person.id;
  await request.countFor('person', session.person.id, reply);
  return session;
}

/** The server's own word on it (ADMIN-08): what the page shows is for convenience only. */
function requireAdmin(person: Person | undefined): void {
  if (!isAdmin(person?.roles ?? [])) throw new Refusal('ADMIN_REQUIRED');
}

function parse<T>(schema: z.ZodMiniType<T>, input: unknown, where: string): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || where}: ${message}`);
  throw new Refusal('INVALID_REQUEST', faults.join('; ').slice(0, 1000));
}
