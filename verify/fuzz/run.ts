import { randomInt } from 'node:crypto';
import { Writable } from 'node:stream';
import type { LightMyRequestResponse as Response } from 'fastify';
import * as fc from 'fast-check';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import { signIn } from '../../scripts/outside/user.ts';
import { type ApiName, api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { API_ERRORS, errorEnvelope } from '../../src/contract/errors.ts';
import { RATE_LIMITS } from '../../src/server/http/rate-limits.ts';
import { KEY_OF_TESTS } from '../../test/support/product.ts';
import { startWorld } from '../../test/support/world.ts';
import { openRunDatabase } from '../fixtures/run-database.ts';
import { secretsIn } from '../invariants/secrets.ts';
import { type FuzzRequest, type Key, USERS, requests, userOf } from './requests.ts';
import { watchedPool } from './watched-pool.ts';

const MAX_SEED = 2 ** 31 - 1;
const ERROR_LEVEL = 50;
const WRITE = /(?:^|\) )(?:insert into|update|delete from) "?(\w+)/gi;
/** Also written for a request that is refused: a session is used, a list is read, a subscription is read from Stripe. */
const BOOKKEEPING = [
  ...['sessions', 'campaigns', 'campaign_lists', 'ad_accounts', 'work_items', 'login_attempts'],
  ...['stripe_customers', 'subscriptions'],
];
const USAGE = `npm run verify -- fuzz [--requests N] [--seed S]

Sends requests made from the contract, valid, nearly valid and hostile, to the product on PostgreSQL. Ends with 1 at the
first response or effect that breaks a rule.`;

/** @returns the exit code */
export async function fuzz(args: string[]): Promise<number> {
  const { count, seed } = readArguments(
    { usage: USAGE, names: ['requests', 'seed'] },
    ({ values }) => ({
      count: whole('requests', values.requests ?? '50000', 1, 100_000_000),
      seed: whole('seed', values.seed ?? String(randomInt(MAX_SEED)), 0, MAX_SEED),
    }),
    args,
  );
  console.log(`Fuzzing with the seed ${seed}`);
  await using closing = new AsyncDisposableStack();
  const run = await startRun(closing);
  const sending = fc.asyncProperty(requests, async (request) => {
    const wrong = await send(run, request);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  });
  const result = await fc.check(sending, { seed, numRuns: count, endOnFailure: true });
  const found = await checkEffects(run);
  if (result.failed) found.push(`${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`);
  for (const one of found) console.log(`\nFOUND  ${one}`);
  console.log(`${result.numRuns} requests: ${found.length} findings`);
  return found.length === 0 ? 0 : 1;
}

type Run = Awaited<ReturnType<typeof startRun>>;

/** The product with two users who have set up, and two who have only signed in. */
async function startRun(closing: AsyncDisposableStack) {
  const database = await openRunDatabase(closing);
  const written: string[] = [];
  // Requests use the pool of the pages alone.
  const pagesPool = watchedPool(database.pagesPool, (statement) => {
    written.push(...[...statement.matchAll(WRITE)].map(([, table = '']) => table));
  });
  const log: string[] = [];
  const logTo = new Writable({ write: (line: Buffer, _encoding, done) => done(void log.push(String(line))) });
  const world = await startWorld({
    ...{ database: { ...database, pagesPool }, logTo },
    environment: { ADMIN_PLATFORM_IDS: userOf('boss').id, LOG_LEVEL: 'debug' },
    rateLimits: Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, 1e9])),
  });
  closing.defer(() => world.close());
  await world.simulators.graph.post('/seed', { users: USERS.map(({ seed }) => seed) });
  const tokens = new Map<Key, string>();
  for (const { key, id, ids, email } of USERS) {
    const user = await signIn(world.product.url, id);
    if (key === 'maya' || key === 'omar') {
      await user.subscribe(world.simulators.stripe);
      await user.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email });
      await user.get('/api/ad-accounts');
      await user.get(`/api/campaigns/${ids[0] ?? ''}`);
    }
    tokens.set(key, user.token);
  }
  /** Also the tokens of ended sessions. */
  const secrets = new Set([
    ...[KEY_OF_TESTS, SIMULATED_APP.META_APP_SECRET, SIMULATED_STRIPE.STRIPE_SECRET_KEY],
    ...[SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET, ...tokens.values()],
  ]);
  /** Campaigns that their owner asked to pause or resume, or for which SmartPause was turned on. */
  const mayBeWritten = new Set<string>();
  return { world, written, log, tokens, secrets, mayBeWritten };
}

/** Sends the request. @returns what is wrong with its response */
async function send(run: Run, request: FuzzRequest): Promise<string[]> {
  const { who, target, method, path, body } = request;
  const { world, written, tokens, secrets } = run;
  const key = 'key' in who ? who.key : null;
  const headers = {
    authorization: 'key' in who ? `Bearer ${tokens.get(who.key) ?? ''}` : who.authorization,
    'content-type': path.startsWith('/auth/') ? 'application/x-www-form-urlencoded' : 'application/json',
    'stripe-signature': 't=1,v1=00',
  };
  if (key !== null && /pause|resume|test/i.test(path))
    for (const id of userOf(key).ids) if (path.includes(id)) run.mayBeWritten.add(id);
  const { app, url } = world.product;
  written.length = 0;
  const injected = { method: method as 'GET', url: path, headers, payload: body ?? '' };
  const response = await app.http.inject(injected);
  const changed = written.filter((table) => !BOOKKEEPING.includes(table));
  const { statusCode: status } = response;
  const sent = `${path} ${JSON.stringify(headers)} ${String(body)}`;
  const wrong = [
    ...checkContents(request, sent, response, secrets),
    ...checkRedirect(response, [url, world.simulators.graph.url]),
    ...checkOutcome(request, response),
  ];
  if (status >= 400 && status < 500 && changed.length > 0)
    wrong.push(`refused with ${status}, and ${changed.join(', ')} changed`);
  // The end of the setup replaces the session: its new token belongs to its owner.
  const isRenewed = target === 'initialize' && status === 200;
  if (key !== null && (isRenewed || status === 401)) {
    const { token } = isRenewed ? response.json<{ token: string }>() : await signIn(url, userOf(key).id);
    tokens.set(key, token);
    secrets.add(token);
  }
  return wrong;
}

/** The log has no error and no secret, and no campaign was written without a request. */
async function checkEffects({ world, log, secrets, mayBeWritten }: Run): Promise<string[]> {
  const writes = (await world.simulators.graph.writes()).filter(
    ({ campaign }) => !mayBeWritten.has(campaign),
  );
  const errors = log.filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL);
  return [
    ...writes.map(({ status, campaign }) => `${status} was written for ${campaign}, which no request named`),
    ...errors.map((line) => `the log has an error: ${line}`),
    ...secretsIn(log.join(''), secrets).map((secret) => `the log has the secret ${secret}`),
  ];
}

/** No secret, and no data of another user: only the admin sees all users. */
function checkContents(
  { who }: FuzzRequest,
  sent: string,
  { headers, body }: Response,
  secrets: Iterable<string>,
): string[] {
  const text = `${JSON.stringify(headers)}\n${body}`;
  const own = 'key' in who ? who.key : null;
  const others = USERS.filter(({ key }) => own !== 'boss' && key !== own).flatMap(({ marks }) => marks);
  const has = (where: string, mark: string): boolean => where.toLowerCase().includes(mark.toLowerCase());
  return [
    ...secretsIn(text, secrets, sent).map((secret) => `the response has the secret ${secret}`),
    ...others
      .filter((mark) => has(text, mark) && !has(sent, mark))
      .map((mark) => `the response has ${mark}, which belongs to another user`),
  ];
}

function checkRedirect({ statusCode, headers }: Response, origins: readonly string[]): string[] {
  const { location } = headers;
  if (typeof location === 'string' && !origins.some((origin) => location.startsWith(`${origin}/`)))
    return [`redirects to ${location.slice(0, 200)}`];
  // A path that cannot be decoded is refused before it has an id.
  return headers['x-request-id'] === undefined && statusCode !== 400 ? [`${statusCode} without an id`] : [];
}

/** A success has the form of the contract, a refusal its envelope. */
function checkOutcome({ target, isValid, method }: FuzzRequest, response: Response): string[] {
  const { statusCode: status, headers, body } = response;
  if (method === 'HEAD') return status >= 500 ? [`status ${status}`] : [];
  if (status < 400) {
    const endpoint: Endpoint | undefined = Object.hasOwn(api, target) ? api[target as ApiName] : undefined;
    const error = isValid ? endpoint?.reply.safeParse(jsonOf(body)).error : undefined;
    return error === undefined ? [] : [`not the reply of the contract: ${error.message.slice(0, 300)}`];
  }
  if (status === 404 && String(headers['content-type']).startsWith('text/html')) return [];
  const envelope = errorEnvelope.safeParse(jsonOf(body));
  if (!envelope.success) return [`${status} without the error envelope: ${body.slice(0, 200)}`];
  const { code, message } = envelope.data.error;
  const known = Object.entries(API_ERRORS).find(([name]) => name === code)?.[1];
  if (known?.status !== status) return [`${code} with the status ${status}`];
  if (status >= 500) return [`status ${status} ${code}: ${message}`];
  const isContradiction = isValid && code === 'INVALID_REQUEST';
  return isContradiction ? [`valid by the contract, and refused: ${message}`] : [];
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
