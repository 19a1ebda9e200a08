import type { Http, HttpRequest, HttpResult } from '../../../src/server/platforms/http.ts';
import type { SimAnswer, SimRequest } from '../../../simulators/kit/http.ts';
import { answered, failed, toSimRequest } from '../../../test/support/transports.ts';
import { isManual } from './manual.ts';
import type { Random } from '../../fixtures/random.ts';
import type { Lifetime } from './lifetime.ts';
import type { VirtualClock } from './virtual-time.ts';

export const SERVICES = ['graph', 'status', 'stripe'] as const;
export type Service = (typeof SERVICES)[number];

/**
 * What can happen to a request. refused: it is never sent. lost: it never arrives. unanswered:
 * its response is lost. late: it arrives after the caller's timeout, within a minute.
 */
export const NETWORK_FAULTS = ['refused', 'lost', 'unanswered', 'late', 'slow'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

interface Order {
  service: Service;
  fault: NetworkFault;
  times: number;
  /** Only affects writes. */
  isWrite: boolean;
}

export interface ObservedRequest {
  service: Service;
  request: SimRequest;
  /** Sent for a user's manual pause or resume, not by the reconciler. */
  isManual: boolean;
}

export const SERVERS: Record<Service, string> = {
  graph: 'http://graph.test',
  status: 'http://status.test',
  stripe: 'http://stripe.test',
};

const LOSES_RESPONSE: ReadonlySet<NetworkFault> = new Set(['lost', 'unanswered', 'late']);
const DEFAULT_TIMEOUT_MS = 15_000;
const CARRIED_OUT_WITHIN_MS = 55_000;

/** The network between the product and the outside: adds latency and faults. */
export class Network {
  readonly #time: VirtualClock;
  readonly #random: Random;
  readonly #serve: Record<Service, (request: SimRequest) => Promise<SimAnswer>>;
  #orders: Order[] = [];
  /** Called with every request when it is sent. */
  onSend: (observed: ObservedRequest) => void = () => undefined;
  /** Called when a request was carried out. */
  onServed: (observed: ObservedRequest) => void = () => undefined;
  /** Called with every request whose response is lost; it may still be carried out. */
  onLost: (observed: ObservedRequest) => void = () => undefined;
  /** Called with every request that meets a fault. */
  onFault: (observed: ObservedRequest) => void = () => undefined;
  /** Every address that was called, to be searched for secrets. */
  readonly addresses: string[] = [];

  constructor(time: VirtualClock, random: Random, serve: Network['serve']) {
    this.#time = time;
    this.#random = random;
    this.#serve = serve;
  }

  get serve(): Record<Service, (request: SimRequest) => Promise<SimAnswer>> {
    return this.#serve;
  }

  order(order: Order): void {
    this.#orders.push(order);
  }

  clearFaults(): void {
    this.#orders = [];
  }

  /** The HTTP client of one process. */
  httpFor(lifetime: Lifetime): Http {
    return {
      send: (request) => this.carryFor(lifetime, request),
      close: () => Promise.resolve(),
    };
  }

  carryFor(lifetime: Lifetime, request: HttpRequest): Promise<HttpResult> {
    return lifetime.perform(() => this.#carry(request));
  }

  async #carry(request: HttpRequest): Promise<HttpResult> {
    const service = serviceOf(request.url);
    const sent = toSimRequest(request);
    this.addresses.push(request.url.href);
    const observed = { service, request: sent, isManual: isManual() };
    this.onSend(observed);
    const fault = this.#take(observed);
    if (fault !== null && LOSES_RESPONSE.has(fault)) this.onLost(observed);
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const away = this.#random.whole(5, 80);
    if (fault === 'refused') {
      await this.#time.sleep(1);
      return { ok: false, maybeSent: false, message: 'ECONNREFUSED' };
    }
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    const cancel = this.#time.after(timeoutMs, () => resolve(failed('TimeoutError')));
    const delay =
      fault === 'late' ? this.#random.whole(timeoutMs, Math.max(timeoutMs, CARRIED_OUT_WITHIN_MS)) : away;
    if (fault !== 'lost') {
      this.#time.after(delay, () => {
        void this.#answer(observed).then((answer) => {
          if (fault === 'unanswered') return;
          const back = fault === 'slow' ? this.#random.whole(1000, timeoutMs) : this.#random.whole(5, 80);
          this.#time.after(back, () => resolve(answer));
        });
      });
    }
    const result = await promise;
    cancel();
    return result;
  }

  async #answer(observed: ObservedRequest): Promise<HttpResult> {
    const result = await answered(this.#serve[observed.service], observed.request);
    this.onServed(observed);
    return result;
  }

  #take(observed: ObservedRequest): NetworkFault | null {
    const { service, request } = observed;
    const isWrite = request.method !== 'GET';
    const found = this.#orders.find(
      (order) => order.service === service && order.times > 0 && (isWrite || !order.isWrite),
    );
    if (found === undefined) return null;
    found.times -= 1;
    this.onFault(observed);
    return found.fault;
  }
}

function serviceOf(url: URL): Service {
  const service = SERVICES.find((one) => new URL(SERVERS[one]).host === url.host);
  if (service === undefined) throw new Error(`the product calls ${url.host}, which it has no business with`);
  return service;
}
