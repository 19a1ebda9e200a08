import { SIMULATED_STRIPE } from '../../../scripts/simulator-clients/stripe.ts';
import { subscribe } from '../../../simulators/stripe/billing.ts';
import type { ApiName } from '../../../src/contract/api.ts';
import { ApiError } from '../../../src/contract/errors.ts';
import type { Db } from '../../../src/server/db/database.ts';
import { findUserOfSession } from '../../../src/server/db/users/sessions.ts';
import { handlers } from '../../../src/server/http/handlers.ts';
import { beginLogin, finishLogin } from '../../../src/server/services/users/login.ts';
import { toSimRequest } from '../../../test/support/transports.ts';
import type { UserRequests } from '../user-requests.ts';
import type { FixtureUser } from '../history/fixture.ts';
import type { Process } from './process.ts';
import { type Service, type Simulators, SERVERS } from './simulators.ts';

export type Answer = { ok: true; value: unknown } | { ok: false; why: string };

const CHANGES: readonly ApiName[] = ['setSmartPause', 'pauseCampaign', 'resumeCampaign'];
const LOST: Answer = { ok: false, why: 'no response' };

function outcomeOf(answer: Answer): 'done' | 'refused' | 'unknown' {
  if (!answer.ok) return answer === LOST || answer.why.startsWith('fault') ? 'unknown' : 'refused';
  const { value } = answer;
  return typeof value === 'object' && value !== null && 'pending' in value ? 'unknown' : 'done';
}

/** A user of the product: each call goes to one of its processes, which may end during the call. */
export class User {
  readonly who: FixtureUser;
  readonly #simulators: Simulators;
  readonly #userRequests: UserRequests;
  /** The last one is the current one. */
  readonly sessions: string[] = [];

  constructor(who: FixtureUser, simulators: Simulators, userRequests: UserRequests) {
    this.who = who;
    this.#simulators = simulators;
    this.#userRequests = userRequests;
  }

  async call(
    process: Process,
    name: ApiName,
    given: { params?: Record<string, string>; body?: Record<string, unknown> } = {},
  ): Promise<Answer> {
    const session = this.sessions.at(-1);
    if (session === undefined) return { ok: false, why: 'UNAUTHENTICATED' };
    const { params = {}, body = {} } = given;
    const { userId } = this.who;
    const campaign = params['id'] ?? params['campaignId'] ?? '';
    const request = { userId, name, campaign, enabled: body['enabled'] === true };
    const onResponse = CHANGES.includes(name) && this.#userRequests.add(request);
    const answer = await answerOf(process, async ({ deps }) => {
      const found = await findUserOfSession(deps.db, session, deps.clock.now());
      if (found === null) throw new ApiError('UNAUTHENTICATED');
      const handle = handlers[name] as (call: object) => Promise<unknown>;
      return handle({ deps, ...found, params, body: given.body });
    });
    if (onResponse !== false) onResponse(outcomeOf(answer));
    return answer;
  }

  logIn(process: Process): Promise<Answer> {
    return answerOf(process, async ({ deps }) => {
      const { address, browser } = await beginLogin(deps, { returnTo: '/', browser: undefined });
      const form = new URLSearchParams({ user: this.who.userId });
      for (const scope of ['ads_management', 'ads_read', 'business_management', 'email'])
        form.append('granted', scope);
      const answer = await this.#submit('graph', address, form);
      if (answer === 'cut') throw new Error('the dialog was cut off');
      const back = new URL(answer.headers?.['location'] ?? 'http://nowhere.test').searchParams;
      const { state, code, error } = Object.fromEntries(back);
      const result = await finishLogin(deps, { state, code, error, browser });
      if (!result.ok) throw new ApiError('UNAUTHENTICATED', result.error);
      if (result.token !== null) this.sessions.push(result.token);
      return null;
    });
  }

  /** What a checkout leads to. A checkout itself keeps a database connection, and PGlite has only one. */
  async subscribe(process: Process): Promise<Answer> {
    const planted = await answerOf(process, ({ deps }) => this.#plantSubscription(deps.db, deps.clock.now()));
    return planted.ok ? this.call(process, 'refreshSubscription') : planted;
  }

  async #plantSubscription(db: Db, now: number): Promise<void> {
    const { account } = this.#simulators.stripe;
    const { userId: platformUserId } = this.who;
    const query = db.selectFrom('users').leftJoin('stripeCustomers as c', 'c.userId', 'users.id');
    const found = query.select(['id', 'customerId']).where('platformUserId', '=', platformUserId);
    const { id: userId, customerId: known } = (await found.executeTakeFirst()) ?? {};
    if (userId === undefined) throw new ApiError('UNAUTHENTICATED');
    const customer = known ?? (await this.#createCustomer());
    if (known === null)
      await db
        .insertInto('stripeCustomers')
        .values({ userId, customerId: customer, syncAt: new Date(now) })
        .execute();
    const own = [...account.subscriptions.values()].filter((one) => one.customer === customer);
    const price = account.prices.get(SIMULATED_STRIPE.STRIPE_PRICE_MONTHLY);
    if (price === undefined || own.some(({ status }) => status !== 'canceled')) return;
    const terms = { trialDays: 30, missingPaymentMethod: 'create_invoice' } as const;
    const purchase = { price, metadata: { smartpause: 'subscription' }, ...terms };
    subscribe(account, { customer, card: 'good', purchase });
  }

  async #createCustomer(): Promise<string> {
    const { name, email } = this.who;
    const authorization = `Bearer ${SIMULATED_STRIPE.STRIPE_SECRET_KEY}`;
    const form = new URLSearchParams({ name, email });
    const answer = await this.#submit('stripe', `${SERVERS.stripe}/v1/customers`, form, { authorization });
    if (answer === 'cut') throw new ApiError('BILLING_UNAVAILABLE');
    return (JSON.parse(answer.body) as { id: string }).id;
  }

  /** A form of a page of Meta, or a call of Stripe. */
  #submit(service: Service, address: string, form: URLSearchParams, more: Record<string, string> = {}) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
    const request = { method: 'POST', url: new URL(address), headers, body: form.toString() } as const;
    return this.#simulators.serve[service](toSimRequest(request));
  }
}

function answerOf(process: Process, ask: (process: Process) => Promise<unknown>): Promise<Answer> {
  if (!process.lifetime.isAlive) return Promise.resolve(LOST);
  return new Promise((resolve) => {
    process.lifetime.onDeath(() => resolve(LOST));
    ask(process).then(
      (value) => resolve({ ok: true, value }),
      (error: unknown) => {
        const why = error instanceof ApiError ? error.code : `fault: ${String(error)}`;
        resolve({ ok: false, why });
      },
    );
  });
}
