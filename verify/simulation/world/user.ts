import type { ApiName } from '../../../src/contract/api.ts';
import { Refusal } from '../../../src/contract/errors.ts';
import { handlers } from '../../../src/server/http/routes/handlers.ts';
import { beginLogin, finishLogin } from '../../../src/server/services/account/sign-in.ts';
import type { UserRequests } from '../../invariants/user-requests.ts';
import type { FixtureUser } from '../history/fixture.ts';
import { toSimRequest } from '../../../test/support/transports.ts';
import type { Simulators } from './simulators.ts';
import type { Process } from './process.ts';

export type Answer = { ok: true; value: unknown } | { ok: false; why: string };

const WISHES: ReadonlySet<ApiName> = new Set([
  'setSmartPause',
  'saveSettings',
  'initialize',
  'pauseCampaign',
  'resumeCampaign',
]);
const LOST: Answer = { ok: false, why: 'no response' };

interface Given {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
}

function outcomeOf(answer: Answer): 'done' | 'refused' | 'unknown' {
  if (answer.ok) return isPending(answer.value) ? 'unknown' : 'done';
  return answer === LOST || answer.why.startsWith('fault') ? 'unknown' : 'refused';
}

function isPending(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'pending' in value;
}

/** A user of the product: each call goes to one of its processes, which may end during the call. */
export class User {
  readonly who: FixtureUser;
  readonly #simulators: Simulators;
  readonly #userRequests: UserRequests;
  /** All sessions, ended ones included. */
  readonly sessions = new Set<string>();
  #session: string | null = null;

  constructor(who: FixtureUser, simulators: Simulators, userRequests: UserRequests) {
    this.who = who;
    this.#simulators = simulators;
    this.#userRequests = userRequests;
  }

  get session(): string | null {
    return this.#session;
  }

  set session(session: string | null) {
    this.#session = session;
    if (session !== null) this.sessions.add(session);
  }

  async call(process: Process, name: ApiName, given: Given = {}): Promise<Answer> {
    const { session } = this;
    if (session === null) return { ok: false, why: 'UNAUTHENTICATED' };
    const { params = {}, body = {} } = given;
    const ask = WISHES.has(name)
      ? this.#userRequests.requested({ userId: this.who.userId, name, params, body })
      : null;
    const answer = await this.#requested(process, async () => {
      const { deps } = process;
      const found = await deps.sharedReads.session(session);
      if (found === null) throw new Refusal('UNAUTHENTICATED');
      const handle = handlers[name] as (call: object) => Promise<unknown>;
      return handle({ deps, ...found, params: given.params ?? {}, body: given.body });
    });
    ask?.(outcomeOf(answer));
    return answer;
  }

  async logIn(process: Process): Promise<Answer> {
    return this.#requested(process, async () => {
      const { deps } = process;
      const { address, browser } = await beginLogin(deps, { returnTo: '/', browser: undefined });
      const body = new URLSearchParams([
        ['user', this.who.userId],
        ...['ads_management', 'ads_read', 'business_management', 'email'].map((one) => ['granted', one]),
      ] as [string, string][]);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const requested = toSimRequest({
        method: 'POST',
        url: new URL(address),
        headers,
        body: body.toString(),
      });
      const answer = await this.#simulators.serve.graph(requested);
      if (answer === 'cut') throw new Error('the dialog was cut off');
      const back = new URL(answer.headers?.['location'] ?? 'http://nowhere.test').searchParams;
      const result = await finishLogin(deps, {
        state: back.get('state') ?? undefined,
        code: back.get('code') ?? undefined,
        error: back.get('error') ?? undefined,
        browser,
      });
      if (!result.ok) throw new Refusal('UNAUTHENTICATED', result.error);
      this.session = result.token;
      return null;
    });
  }

  /** Through checkout, with a card that works. */
  async subscribe(process: Process): Promise<Answer> {
    const opened = await this.call(process, 'createCheckoutSession', { body: { planType: 'monthly' } });
    if (!opened.ok) return opened;
    const { checkoutUrl } = opened.value as { checkoutUrl?: string | null };
    if (checkoutUrl == null) return { ok: false, why: 'no checkout' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const paying = { method: 'POST', url: new URL(checkoutUrl), headers, body: 'card=good' } as const;
    await this.#simulators.serve.stripe(toSimRequest(paying));
    return this.call(process, 'refreshSubscription');
  }

  #requested(process: Process, ask: () => Promise<unknown>): Promise<Answer> {
    if (!process.lifetime.isAlive) return Promise.resolve(LOST);
    return new Promise((resolve) => {
      process.lifetime.onDeath(() => resolve(LOST));
      ask().then(
        (value) => resolve({ ok: true, value }),
        (error: unknown) => {
          const why = error instanceof Refusal ? error.code : `fault: ${String(error)}`;
          resolve({ ok: false, why });
        },
      );
    });
  }
}
