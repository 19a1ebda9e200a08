import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { SIMULATED_STRIPE } from '../outside/stripe.ts';
import type { Cast } from './cast.ts';
import { signedRequest } from './cast.ts';
import { faultsOf } from './judge.ts';
import type { PersonKey } from './people.ts';
import { OWN_SESSIONS, PERSON_KEYS, findByKey } from './people.ts';
import { mustNotReach } from './raw.ts';
import type { FuzzRequest } from './request.ts';
import { toBytes } from './request.ts';
import type { Secrets } from './secrets.ts';
import type { Stage } from './stage.ts';
import { exchange, finalOf } from './wire.ts';

/** What came of one request. */
export interface Played {
  faults: string[];
  /** Null: the connection was ended without an answer. */
  status: number | null;
  ms: number;
}

/** By this header the product's process says that the request has reached it. */
const SEEN = 'x-fuzz-seen';

/** Those that wait for what another request has begun at Stripe or at Meta, for up to 35 s. */
const WAITING_FOR_OTHERS = ['createCheckoutSession', 'deauthorize', 'deleteAccount'];
const WAITING_MS = 45_000;

/** Sends requests as the people of the run, and has what comes of them judged. */
export class Player {
  readonly #stage: Stage;
  readonly #cast: Cast;
  readonly #secrets: Secrets;
  readonly #origins: string[];
  #count = 0;

  constructor(stage: Stage, cast: Cast, secrets: Secrets) {
    this.#stage = stage;
    this.#cast = cast;
    this.#secrets = secrets;
    this.#origins = [stage.url, stage.simulators.urls.get('meta-graph') ?? ''];
  }

  async play(request: FuzzRequest): Promise<Played> {
    this.#count += 1;
    const label = String(this.#count);
    const { who } = request;
    const token = who.kind === 'session' ? this.#cast.token(asKey(who.person), who.slot) : null;
    const bytes = await this.#bytes(request, label);
    const until = request.raw === undefined ? 'answered' : 'ended';
    const hangMs = WAITING_FOR_OTHERS.includes(request.target) ? WAITING_MS : undefined;
    const result = await exchange(this.#stage.port, bytes, { until, method: request.method, hangMs });
    const seen = result.answers.filter(({ headers }) => headers.has(SEEN)).length;
    const verdict = seen > 0 ? await this.#stage.verdictOf(label) : null;
    const { origins, secrets } = { origins: this.#origins, secrets: this.#secrets };
    const sent = bytes.toString('latin1');
    const faults = faultsOf({ request, sent, exchange: result, verdict, origins, secrets });
    if (seen > 0 && verdict === null && request.raw === undefined)
      faults.push('it was answered, and never ended');
    if (mustNotReach(request.raw ?? '') && this.#stage.hasReached(`${label}-smuggled`)) {
      faults.push('a request inside of a body was taken for one of its own');
    }
    const answer = finalOf(result);
    const status = answer?.status ?? null;
    if (who.kind === 'session' && token !== null) {
      const renewed = request.target === 'initialize' && status === 200 ? tokenIn(answer?.body) : null;
      if (renewed !== null) this.#cast.replace(asKey(who.person), who.slot, renewed);
      else if (status === 401 || request.target === 'endSession')
        await this.#renewIfOver(asKey(who.person), who.slot, token);
    }
    return { faults, status, ms: result.ms };
  }

  async #renewIfOver(person: PersonKey, slot: number, token: string): Promise<void> {
    const answer = await fetch(`${this.#stage.url}/api/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status === 401) await this.#cast.renew(person, slot, token);
    else await answer.arrayBuffer();
  }

  async #bytes(request: FuzzRequest, label: string): Promise<Buffer> {
    const { who } = request;
    const authorization =
      who.kind === 'session'
        ? `Bearer ${this.#cast.token(asKey(who.person), who.slot)}`
        : who.kind === 'ended'
          ? `Bearer ${this.#cast.endedToken(asKey(who.person))}`
          : who.kind === 'header'
            ? who.value
            : null;
    const fill = await this.#filler(request);
    const filled: FuzzRequest = {
      ...request,
      path: fill(request.path),
      headers: request.headers.map(([name, value]) => [name, fill(value)]),
      body: request.body === null ? null : fill(request.body),
      ...(request.raw === undefined ? {} : { raw: fill(request.raw) }),
    };
    const signed = filled.headers.map<[string, string]>(([name, value]) => [
      name,
      value.replaceAll('{{stripe}}', () => stripeSignature(filled.body ?? '')),
    ]);
    const bytes = toBytes(
      { ...filled, headers: signed },
      authorization === null ? null : fill(authorization),
      label,
    );
    return Buffer.from(
      bytes.toString('latin1').replaceAll('{{host}}', `127.0.0.1:${this.#stage.port}`),
      'latin1',
    );
  }

  async #ownSessions({ who, path }: FuzzRequest): Promise<string[]> {
    if (who.kind !== 'session' || !OWN_SESSIONS.some((id) => path.includes(id))) return [];
    const headers = { authorization: `Bearer ${this.#cast.token(asKey(who.person), who.slot)}` };
    const answer = await fetch(`${this.#stage.url}/api/sessions`, { headers });
    return sessionList.safeParse(await answer.json()).data?.sessions.map(({ id }) => id) ?? [];
  }

  /** Puts in what only the running product knows. */
  async #filler(request: FuzzRequest): Promise<(text: string) => string> {
    const back = /\{\{return:(\w+)\}\}/.exec(request.path)?.[1];
    const login = back === undefined ? null : await this.#cast.loginReturn(asKey(back));
    const sessions = await this.#ownSessions(request);
    return (text) =>
      text
        .replaceAll(/1{17}(\d)/g, (placeholder, index: string) => sessions[Number(index)] ?? placeholder)
        .replaceAll(/\{\{token:(\w+):(\d)\}\}/g, (_, key: string, slot: string) =>
          this.#cast.token(asKey(key), Number(slot)),
        )
        .replaceAll(/\{\{return:\w+\}\}/g, () => login?.query ?? '')
        .replaceAll('{{returnCookie}}', () => login?.cookie ?? `smartpause_login=${'b'.repeat(43)}`)
        .replaceAll(/\{\{signed:(\w+)\}\}/g, (_, whose: string) => signedRequest(claims(whose)))
        .replaceAll(/\{\{signed-json:([0-9a-f]*)\}\}/g, (_, hex: string) => signedRequest(jsonOf(hex)));
  }
}

const sessionList = z.object({ sessions: z.array(z.object({ id: z.string() })) });

function claims(whose: string): object {
  const now = Math.floor(Date.now() / 1000);
  const known = PERSON_KEYS.find((key) => key === whose);
  const user_id = known === undefined ? '7779999999' : findByKey(known).userId;
  if (whose === 'old')
    return { algorithm: 'HMAC-SHA256', issued_at: now - 3600, user_id: findByKey('maya').userId };
  return { algorithm: 'HMAC-SHA256', issued_at: now, user_id };
}

function jsonOf(hex: string): object {
  try {
    return JSON.parse(Buffer.from(hex, 'hex').toString()) as object;
  } catch {
    return {};
  }
}

/** As Stripe signs what it sends us. */
function stripeSignature(body: string): string {
  const at = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET);
  return `t=${at},v1=${hmac.update(`${at}.`).update(Buffer.from(body, 'latin1')).digest('hex')}`;
}

function tokenIn(body: Buffer | undefined): string | null {
  try {
    return (JSON.parse(body?.toString() ?? '') as { token?: string }).token ?? null;
  } catch {
    return null;
  }
}

function asKey(text: string): PersonKey {
  return PERSON_KEYS.find((key) => key === text) ?? 'nora';
}
