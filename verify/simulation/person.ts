import type { ApiName } from '../../src/contract/api.ts';
import { Refusal } from '../../src/contract/errors.ts';
import { handlers } from '../../src/server/http/routes/handlers.ts';
import { beginLogin, finishLogin } from '../../src/server/services/account/sign-in.ts';
import type { Wishes } from '../invariants/wishes.ts';
import { byHand, notByHand } from './by-hand.ts';
import type { CastMember } from './cast.ts';
import { toSimRequest } from './network.ts';
import type { Outside } from './outside.ts';
import type { Process } from './process.ts';

export type Answer = { ok: true; value: unknown } | { ok: false; why: string };

const OWN_ACTS: ReadonlySet<ApiName> = new Set(['pauseCampaign', 'resumeCampaign']);
const WISHES: ReadonlySet<ApiName> = new Set([
  'setSmartPause',
  'saveSettings',
  'initialize',
  'pauseCampaign',
  'resumeCampaign',
]);
const LOST: Answer = { ok: false, why: 'nobody answered' };

interface Given {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
}

function outcomeOf(answer: Answer): 'done' | 'refused' | 'unknown' {
  if (answer.ok) return 'done';
  return answer === LOST || answer.why.startsWith('fault') ? 'unknown' : 'refused';
}

/** Somebody who uses the product: their calls go to one of its processes, which may die over them. */
export class Person {
  readonly who: CastMember;
  readonly #outside: Outside;
  readonly #wishes: Wishes;
  /** All that they ever had. */
  readonly sessions = new Set<string>();
  #session: string | null = null;

  constructor(who: CastMember, outside: Outside, wishes: Wishes) {
    this.who = who;
    this.#outside = outside;
    this.#wishes = wishes;
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
    const inContext = OWN_ACTS.has(name) ? byHand : notByHand;
    const { params = {}, body = {} } = given;
    const ask = WISHES.has(name) ? this.#wishes.asked({ userId: this.who.userId, name, params, body }) : null;
    const answer = await this.#asked(process, () =>
      inContext(async () => {
        const { deps } = process;
        const found = await deps.shared.session(session);
        if (found === null) throw new Refusal('UNAUTHENTICATED');
        const handle = handlers[name] as (call: object) => Promise<unknown>;
        return handle({ deps, ...found, params: given.params ?? {}, body: given.body });
      }),
    );
    if (ask !== null) this.#wishes.answered(ask, outcomeOf(answer));
    return answer;
  }

  async logIn(process: Process): Promise<Answer> {
    return this.#asked(process, async () => {
      const { deps } = process;
      const { address, browser } = await beginLogin(deps, { returnTo: '/', browser: undefined });
      const body = new URLSearchParams([
        ['user', this.who.userId],
        ...['ads_management', 'ads_read', 'business_management', 'email'].map((one) => ['granted', one]),
      ] as [string, string][]);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const asked = toSimRequest({ method: 'POST', url: new URL(address), headers, body: body.toString() });
      const answer = await this.#outside.serve.graph(asked);
      if (answer === 'cut') throw new Error('the dialog was cut off');
      const back = new URL(answer.headers?.['location'] ?? 'http://nowhere.test').searchParams;
      const result = await finishLogin(deps, {
        state: back.get('state') ?? undefined,
        code: back.get('code') ?? undefined,
        error: back.get('error') ?? undefined,
        browser,
        device: 'Chrome on Linux',
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
    await this.#outside.serve.stripe(toSimRequest(paying));
    return this.call(process, 'refreshSubscription');
  }

  #asked(process: Process, ask: () => Promise<unknown>): Promise<Answer> {
    if (!process.life.isAlive) return Promise.resolve(LOST);
    return new Promise((resolve) => {
      process.life.onDeath(() => resolve(LOST));
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
