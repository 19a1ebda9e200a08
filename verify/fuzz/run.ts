import { randomInt } from 'node:crypto';
import { Writable } from 'node:stream';
import type { LightMyRequestResponse as Response } from 'fastify';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import { signIn } from '../../scripts/outside/user.ts';
import { RATE_LIMITS } from '../../src/server/http/limits/limits.ts';
import { KEY_OF_TESTS } from '../../test/support/product.ts';
import type { World } from '../../test/support/world.ts';
import { startWorld } from '../../test/support/world.ts';
import { createRandom } from '../fixtures/random.ts';
import { openRunDatabase } from '../fixtures/run-database.ts';
import { watchedPool } from '../fixtures/watched-pool.ts';
import { secretsIn } from '../invariants/secrets.ts';
import type { FuzzRequest } from './requests.ts';
import { allTargets } from './requests.ts';
import { checkResponse } from './response.ts';
import type { Key } from './users.ts';
import { USERS, idsOf, userOf } from './users.ts';

const MAX_SEED = 2 ** 31 - 1;
const ENOUGH_FINDINGS = 25;
const ERROR_LEVEL = 50;
const WRITE = /(?:^|; |\) )(?:insert into|update|delete from) "?(\w+)/gi;
/** Also written for a request that is refused: a session is used, a list is read, a subscription is read from Stripe. */
const BOOKKEEPING = [
  ...['session', 'campaign', 'campaign_list', 'ad_account', 'work_item', 'login_attempt'],
  ...['billing_customer', 'subscription', 'webhook_delivery'],
];
const SECRETS = [
  ...[KEY_OF_TESTS, SIMULATED_APP.META_APP_SECRET],
  ...[SIMULATED_STRIPE.STRIPE_SECRET_KEY, SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET],
];

/** Sends requests made from the contract to the product in this process. @returns the exit code */
export async function fuzz(args: string[]): Promise<number> {
  const targets = allTargets();
  const usage = `npm run verify -- fuzz [--requests N] [--seed S]

Sends requests made from the contract, valid, nearly valid and hostile, to the product on PostgreSQL. Ends with 1 when a
response or the effect of a request breaks a rule.`;
  const { requests, seed } = readArguments(
    { usage, names: ['requests', 'seed'] },
    ({ values }) => ({
      requests: whole('requests', values.requests ?? '50000', 1, 100_000_000),
      seed: values.seed === undefined ? randomInt(MAX_SEED) : whole('seed', values.seed, 0, MAX_SEED),
    }),
    args,
  );
  console.log(`Fuzzing with the seed ${seed}`);
  await using closing = new AsyncDisposableStack();
  const run = await startRun(closing);
  const random = createRandom(String(seed));
  while (run.requests < requests && run.findings.size < ENOUGH_FINDINGS) {
    await run.send(random.pick(targets)(random));
  }
  await run.checkEffects();
  for (const [status, count] of run.statuses) console.log(status, count);
  for (const finding of run.findings.values()) console.log(`\nFOUND  ${finding}`);
  console.log(`${run.requests} requests: ${run.findings.size} findings`);
  return run.findings.size === 0 ? 0 : 1;
}

/** The product with two users who have set up, and three who have only signed in. */
async function startRun(closing: AsyncDisposableStack): Promise<FuzzRun> {
  const database = await openRunDatabase(closing);
  const written: string[] = [];
  // Requests use the pool of the pages alone.
  const pagesPool = watchedPool(database.pagesPool, {
    after: (statement, { rowCount }, isOpen) => {
      const isWritten = statement.startsWith('commit after') || rowCount > 0;
      if (isWritten && !isOpen)
        written.push(...[...statement.matchAll(WRITE)].map(([, table = '']) => table));
    },
  });
  const log: string[] = [];
  const logTo = new Writable({
    write: (line: Buffer, _encoding, done) => {
      log.push(line.toString());
      done();
    },
  });
  const world = await startWorld({
    ...{ database: { ...database, pagesPool }, logTo },
    environment: { ADMIN_PLATFORM_IDS: userOf('boss').id, LOG_LEVEL: 'debug' },
    rateLimits: Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, 1e9])),
  });
  closing.defer(() => world.close());
  const { graph, stripe } = world.simulators;
  await graph.post('/seed', {
    users: USERS.map(({ id, name, email, accounts }) => ({ id, name, email, accounts })),
  });
  const run = new FuzzRun(world, written, log);
  for (const { key, id, email, accounts } of USERS) {
    const user = await signIn(world.product.url, id);
    if (key === 'maya' || key === 'omar') {
      await user.subscribe(stripe);
      await user.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email });
      await user.get('/api/ad-accounts');
      await user.get(`/api/campaigns/${accounts[0]?.id ?? ''}`);
    }
    run.useToken(key, user.token);
  }
  return run;
}

class FuzzRun {
  requests = 0;
  readonly statuses = new Map<number, number>();
  /** By kind. */
  readonly findings = new Map<string, string>();
  readonly #world: World;
  readonly #written: string[];
  readonly #log: readonly string[];
  readonly #tokens = new Map<Key, string>();
  /** Also those of ended sessions. */
  readonly #secrets = new Set(SECRETS);
  /** Campaigns that their owner asked to pause or resume, or for which SmartPause was turned on. */
  readonly #mayBeWritten = new Set<string>();

  constructor(world: World, written: string[], log: readonly string[]) {
    this.#world = world;
    this.#written = written;
    this.#log = log;
  }

  useToken(key: Key, token: string): void {
    this.#tokens.set(key, token);
    this.#secrets.add(token);
  }

  async send(request: FuzzRequest): Promise<void> {
    const { who, target, method, path, body } = request;
    const key = 'key' in who ? who.key : null;
    const isForm = target.startsWith('meta-');
    const headers = {
      authorization: 'key' in who ? `Bearer ${this.#tokens.get(who.key) ?? ''}` : who.authorization,
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'stripe-signature': 't=1,v1=00',
    };
    if (key !== null && /pause|resume|test/i.test(path))
      for (const id of idsOf(userOf(key))) if (path.includes(id)) this.#mayBeWritten.add(id);
    const { http } = this.#world.product.app;
    this.#written.length = 0;
    const response = await http.inject({ method: method as 'GET', url: path, headers, payload: body ?? '' });
    const written = this.#written.filter((table) => !BOOKKEEPING.includes(table));
    this.requests += 1;
    const { statusCode: status } = response;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const sent = `${path} ${JSON.stringify(headers)} ${String(body)}`;
    const origins = [this.#world.product.url, this.#world.simulators.graph.url];
    const renewed = renewedToken(request, response);
    const wrong = checkResponse({ request, sent, response, origins, secrets: this.#secrets });
    if (status >= 400 && status < 500 && written.length > 0)
      wrong.push(`refused with ${status}, and ${written.join(', ')} changed`);
    for (const one of wrong) this.#find(one, describe(request));
    if (key === null) return;
    if (renewed !== null) this.useToken(key, renewed);
    if (status === 401) this.useToken(key, (await signIn(this.#world.product.url, userOf(key).id)).token);
  }

  /** The log has no error and no secret, and no campaign was written without a request. */
  async checkEffects(): Promise<void> {
    for (const { campaign, status } of await this.#world.simulators.graph.writes())
      if (!this.#mayBeWritten.has(campaign))
        this.#find(`${status} was written for ${campaign}, which no request named`);
    for (const line of this.#log) {
      const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { stack: string } };
      if (level >= ERROR_LEVEL) this.#find(`the log has an error: ${msg} ${err?.stack ?? line}`);
    }
    for (const secret of secretsIn(this.#log.join(''), this.#secrets))
      this.#find(`the log has the secret ${secret}`);
  }

  /** The same fault in another request is reported once. */
  #find(finding: string, request = ''): void {
    const kind = `${request.split(':')[0] ?? ''} ${finding.replaceAll(/\d{3,}|req-\w+/g, '#').slice(0, 120)}`;
    if (!this.findings.has(kind)) this.findings.set(kind, `${finding}\n  ${request}`);
  }
}

/** The end of the setup replaces the session: its new token belongs to its owner. */
function renewedToken({ target }: FuzzRequest, { statusCode, body }: Response): string | null {
  return target === 'initialize' && statusCode === 200 ? (JSON.parse(body) as { token: string }).token : null;
}

function describe({ target, who, method, path, body }: FuzzRequest): string {
  const text = JSON.stringify({ who, body: body === null ? null : String(body) });
  return `${target}: ${method} ${JSON.stringify(path.slice(0, 500))} ${text.slice(0, 1500)}`;
}
