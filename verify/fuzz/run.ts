import { randomInt } from 'node:crypto';
import { Writable } from 'node:stream';
import type { LightMyRequestResponse as Response } from 'fastify';
import * as fc from 'fast-check';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { SIMULATED_APP } from '../../scripts/simulator-clients/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/simulator-clients/stripe.ts';
import { signIn } from '../../scripts/simulator-clients/user.ts';
import { api } from '../../src/contract/api.ts';
import { API_ERRORS, errorEnvelope } from '../../src/contract/errors.ts';
import { RATE_LIMITS } from '../../src/server/http/rate-limits.ts';
import { KEY_OF_TESTS } from '../../test/support/product.ts';
import { startWorld } from '../../test/support/world.ts';
import { openRunDatabase } from '../fixtures/run-database.ts';
import { secretsIn } from '../invariants/secrets.ts';
import { CALLED, type FuzzRequest, type Key, USERS, requests, userOf } from './requests.ts';

const MAX_SEED = 2 ** 31 - 1;
const ERROR_LEVEL = 50;
const IDS = USERS.flatMap(({ ids }) => ids);
/** Rows that only a request changes. */
const CHOICES = `select json_build_object(
  'users', (select json_agg(row_to_json(u) order by id) from users u),
  'destinations', (select json_agg(row_to_json(d) order by id) from destinations d),
  'settings', (select json_agg(row_to_json(s) order by user_id, campaign_id) from smartpause_settings s),
  'override', (select override_level from platform_status))::text as choices`;
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
  const found = checkLog(run);
  if (result.failed) found.push(`${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`);
  if (run.accepted === 0) found.push('No request was accepted: only refusals were tested.');
  for (const one of found) console.log(`\nFOUND  ${one}`);
  console.log(`${result.numRuns} requests, ${run.accepted} valid and accepted: ${found.length} findings`);
  return found.length === 0 ? 0 : 1;
}

type Run = Awaited<ReturnType<typeof startRun>>;

/** The product with two users who have set up, and two who have only signed in. */
async function startRun(closing: AsyncDisposableStack) {
  const database = await openRunDatabase(closing);
  const log: string[] = [];
  const logTo = new Writable({ write: (line: Buffer, _encoding, done) => done(void log.push(String(line))) });
  const world = await startWorld({
    ...{ database, logTo },
    environment: {
      ...{ ADMIN_PLATFORM_IDS: userOf('boss').id, LOG_LEVEL: 'debug' },
      ALLOWED_WEBHOOK_ADDRESSES: CALLED,
    },
    rateLimits: Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, 1e9])),
  });
  closing.defer(() => world.close());
  await world.simulators.graph.post('/seed', { users: USERS.map(({ seed }) => seed) });
  const tokens = new Map<Key, string>();
  for (const { key, id, email } of USERS) {
    const user = await signIn(world.product.url, id);
    const subscribe = () => user.subscribe(world.simulators.stripe);
    if (key === 'maya' || key === 'omar')
      await user.becomesAdvertiser({ subscribe, setup: { email }, protects: () => [] });
    tokens.set(key, user.token);
  }
  /** Also the tokens of ended sessions. */
  const secrets = new Set([
    ...[KEY_OF_TESTS, SIMULATED_APP.META_APP_SECRET, SIMULATED_STRIPE.STRIPE_SECRET_KEY],
    ...[SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET, ...tokens.values()],
  ]);
  const choices = async (): Promise<string> =>
    (await database.pool.query<{ choices: string }>(CHOICES)).rows[0]?.choices ?? '';
  /** What each user has named in changes of campaigns. */
  const named = new Map<Key, Set<string>>();
  return { world, log, tokens, secrets, named, choices, chosen: await choices(), accepted: 0 };
}

/** Sends the request. @returns what is wrong with its response */
async function send(run: Run, request: FuzzRequest): Promise<string[]> {
  const { who, target, isValid, method, path, body } = request;
  const { world, tokens, secrets } = run;
  const key = 'key' in who ? who.key : null;
  const headers = {
    authorization: 'key' in who ? `Bearer ${tokens.get(who.key) ?? ''}` : who.authorization,
    'content-type': path.startsWith('/auth/') ? 'application/x-www-form-urlencoded' : 'application/json',
    'stripe-signature': 't=1,v1=00',
  };
  const { app, url } = world.product;
  const injected = { method: method as 'GET', url: path, headers, payload: body ?? '' };
  const response = await app.http.inject(injected);
  const { statusCode: status } = response;
  const sent = `${path} ${JSON.stringify(headers)} ${String(body)}`;
  const wrong = [
    ...checkContents(request, sent + namedBefore(run, key, request), response, secrets),
    ...checkRedirect(response, [url, world.simulators.graph.url]),
    ...checkOutcome(request, response),
  ];
  if (isValid && status < 400) run.accepted += 1;
  const before = run.chosen;
  run.chosen = await run.choices();
  if (status >= 400 && status < 500 && run.chosen !== before)
    wrong.push(`refused with ${status}, and written`);
  // The end of the setup replaces the session: its new token belongs to its owner.
  const isRenewed = target === 'initialize' && status === 200;
  if (key !== null && (isRenewed || status === 401)) {
    const { token } = isRenewed ? response.json<{ token: string }>() : await signIn(url, userOf(key).id);
    tokens.set(key, token);
    secrets.add(token);
  }
  // The secret of a webhook is in this reply only.
  if (isValid && (target === 'addDestination' || target === 'rotateSecret') && status === 200)
    secrets.add(response.json<{ secret?: string }>().secret ?? '');
  return wrong;
}

/** The reply of a change of campaigns names all that its user has sent, also ids of another user. */
function namedBefore({ named }: Run, key: Key | null, { target, path, body }: FuzzRequest): string {
  if (key === null) return '';
  const ids = named.get(key) ?? new Set();
  named.set(key, ids);
  if (target === 'createCampaignChange') for (const id of IDS) if (String(body).includes(id)) ids.add(id);
  return path.startsWith('/api/campaign-changes/') ? [...ids].join(' ') : '';
}

/** The log has no error and no secret. */
function checkLog({ log, secrets }: Run): string[] {
  const errors = log.filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL);
  return [
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

function checkRedirect({ headers: { location } }: Response, origins: readonly string[]): string[] {
  const isOurs = typeof location !== 'string' || origins.some((origin) => location.startsWith(`${origin}/`));
  return isOurs ? [] : [`redirects to ${location.slice(0, 200)}`];
}

/** A success has the form of the contract, a refusal its envelope. */
function checkOutcome({ target, isValid, method }: FuzzRequest, response: Response): string[] {
  const { statusCode: status, headers, body } = response;
  if (method === 'HEAD') return status >= 500 ? [`status ${status}`] : [];
  if (status < 400) {
    const reply = isValid && target !== 'other' ? api[target].reply : undefined;
    const error = reply?.safeParse(jsonOf(body)).error;
    return error === undefined ? [] : [`not the reply of the contract: ${error.message.slice(0, 300)}`];
  }
  if (status === 404 && String(headers['content-type']).startsWith('text/html')) return [];
  const envelope = errorEnvelope.safeParse(jsonOf(body));
  if (!envelope.success) return [`${status} without the error envelope: ${body.slice(0, 200)}`];
  const { code, message } = envelope.data.error;
  const known = Object.entries(API_ERRORS).find(([name]) => name === code)?.[1];
  if (known?.status !== status) return [`${code} with the status ${status}`];
  if (status >= 500) return [`status ${status} ${code}: ${message}`];
  // Whether the end of 'Pause all now' lies ahead, only the clock says.
  const isContradiction = isValid && code === 'INVALID_REQUEST' && target !== 'pauseAll';
  return isContradiction ? [`valid by the contract, and refused: ${message}`] : [];
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
