import type { Http, HttpRequest, HttpResult } from '../../src/server/platforms/http.ts';
import type { HttpAnswer, SimAnswer, SimRequest } from '../../simulators/kit/http.ts';
import { bodyParams } from '../../simulators/kit/http.ts';
import { isByHand } from './by-hand.ts';
import type { Dice } from '../fixtures/dice.ts';
import type { Life } from './life.ts';
import type { VirtualTime } from './virtual-time.ts';

export const PLACES = ['graph', 'status', 'stripe'] as const;
export type Place = (typeof PLACES)[number];

/**
 * What can happen to a request on its way. refused: it never leaves. lost: it never arrives. unanswered: it is carried
 * out, and the answer is lost. late: it arrives when the caller has long given up, but within the minute.
 */
export const TROUBLES = ['refused', 'lost', 'unanswered', 'late', 'slow'] as const;
export type Trouble = (typeof TROUBLES)[number];

interface Order {
  place: Place;
  trouble: Trouble;
  times: number;
  /** Only what changes something is met by it. */
  isWrite: boolean;
}

export interface Sight {
  place: Place;
  request: SimRequest;
  /** A person's own act, and not the engine's. */
  isByHand: boolean;
}

export const HOSTS: Record<Place, string> = {
  graph: 'http://graph.test',
  status: 'http://status.test',
  stripe: 'http://stripe.test',
};

const DEFAULT_TIMEOUT_MS = 15_000;
const CARRIED_OUT_WITHIN_MS = 55_000;

/** Everything between the product and the outside world: time passes on the way, and things go wrong. */
export class Network {
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  readonly #serve: Record<Place, (request: SimRequest) => Promise<SimAnswer>>;
  #orders: Order[] = [];
  /** Who sees every request when it is sent. */
  onSend: (sight: Sight) => void = () => undefined;
  /** Who hears of it when it has arrived and been dealt with. */
  onServed: (sight: Sight) => void = () => undefined;
  /** Who hears of a request that something happens to. */
  onTrouble: (sight: Sight) => void = () => undefined;
  /** Everything that ever stood in an address, for whoever looks for secrets there. */
  readonly addresses: string[] = [];

  constructor(time: VirtualTime, dice: Dice, serve: Network['serve']) {
    this.#time = time;
    this.#dice = dice;
    this.#serve = serve;
  }

  get serve(): Record<Place, (request: SimRequest) => Promise<SimAnswer>> {
    return this.#serve;
  }

  order(order: Order): void {
    this.#orders.push(order);
  }

  calmDown(): void {
    this.#orders = [];
  }

  /** As one process sees it. */
  httpFor(life: Life): Http {
    return {
      send: (request) => this.carryFor(life, request),
      close: () => Promise.resolve(),
    };
  }

  carryFor(life: Life, request: HttpRequest): Promise<HttpResult> {
    return life.deal(() => this.#carry(request));
  }

  async #carry(request: HttpRequest): Promise<HttpResult> {
    const place = placeOf(request.url);
    const sent = toSimRequest(request);
    this.addresses.push(request.url.href);
    const sight = { place, request: sent, isByHand: isByHand() };
    this.onSend(sight);
    const trouble = this.#take(sight);
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const away = this.#dice.whole(5, 80);
    if (trouble === 'refused') {
      await this.#time.sleep(1);
      return { ok: false, maybeSent: false, message: 'ECONNREFUSED' };
    }
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    const cancel = this.#time.after(timeoutMs, () => resolve(failed('TimeoutError')));
    const delay =
      trouble === 'late' ? this.#dice.whole(timeoutMs, Math.max(timeoutMs, CARRIED_OUT_WITHIN_MS)) : away;
    if (trouble !== 'lost') {
      this.#time.after(delay, () => {
        void this.#answer(sight).then((answer) => {
          if (trouble === 'unanswered') return;
          const back = trouble === 'slow' ? this.#dice.whole(1000, timeoutMs) : this.#dice.whole(5, 80);
          this.#time.after(back, () => resolve(answer));
        });
      });
    }
    const result = await promise;
    cancel();
    return result;
  }

  async #answer(sight: Sight): Promise<HttpResult> {
    const answer = await this.#serve[sight.place](sight.request);
    this.onServed(sight);
    return answer === 'cut' ? failed('ECONNRESET') : toResult(answer);
  }

  #take(sight: Sight): Trouble | null {
    const { place, request } = sight;
    const isWrite = request.method !== 'GET';
    const found = this.#orders.find(
      (order) => order.place === place && order.times > 0 && (isWrite || !order.isWrite),
    );
    if (found === undefined) return null;
    found.times -= 1;
    this.onTrouble(sight);
    return found.trouble;
  }
}

function failed(message: string): HttpResult {
  return { ok: false, maybeSent: true, message };
}

function toResult({ status, headers = {}, body }: HttpAnswer): HttpResult {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ok: true, status, headers: Object.fromEntries(lower) as Record<string, string>, body };
}

function placeOf(url: URL): Place {
  const place = PLACES.find((one) => new URL(HOSTS[one]).host === url.host);
  if (place === undefined) throw new Error(`the product calls ${url.host}, which it has no business with`);
  return place;
}

export function toSimRequest({ method, url, headers = {}, body = '' }: HttpRequest): SimRequest {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  ) as Record<string, string>;
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: lower,
    body,
    params: new Map([...url.searchParams, ...bodyParams(lower['content-type'] ?? '', body)]),
    gone: new AbortController().signal,
  };
}
