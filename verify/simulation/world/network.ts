import { AsyncLocalStorage } from 'node:async_hooks';
import { contextForLog } from '../../../src/server/observability/request-context.ts';
import type { Http, HttpRequest, HttpResult } from '../../../src/server/platforms/http.ts';
import { type SimRequest, parseJson } from '../../../simulators/kit/http.ts';
import { answered, failed, toSimRequest } from '../../../test/support/transports.ts';
import type { Random } from '../../fixtures/random.ts';
import type { Lifetime } from './lifetime.ts';
import { type Service, type Simulators, SERVERS, SERVICES } from './simulators.ts';
import type { VirtualClock } from './virtual-time.ts';

/**
 * What can happen to a request. lost: it never arrives. unanswered: its response is lost. late: it
 * arrives after the caller's timeout, within a minute. slow: its response takes almost that long.
 */
export const NETWORK_FAULTS = ['lost', 'unanswered', 'late', 'slow'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** The next requests to a service, or only its next writes, meet this fault. */
export interface NetworkOrder {
  service: Service;
  fault: NetworkFault;
  times: number;
  isWrite: boolean;
}

export interface ObservedRequest {
  service: Service;
  request: SimRequest;
  /** Sent for a user's manual pause or resume, not by the reconciler. */
  isManual: boolean;
}

export interface NetworkObserver {
  onSend: (observed: ObservedRequest) => void;
  /** @param isLost the response is lost; the request may still be carried out */
  onFault: (observed: ObservedRequest, isLost: boolean) => void;
  /** The request was carried out. */
  onServed: (observed: ObservedRequest) => void;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const CARRIED_OUT_WITHIN_MS = 55_000;

/** Runs an act outside any request: work that a manual pause or resume only triggers is not part of it. */
export const outsideRequests: <T>(act: () => T) => T = AsyncLocalStorage.snapshot();

export type Network = ReturnType<typeof createNetwork>;

/** The network between the product and the outside: adds latency and faults. */
export function createNetwork(
  time: VirtualClock,
  random: Random,
  serve: Simulators['serve'],
  observer: NetworkObserver,
) {
  const takeFault = (observed: ObservedRequest): NetworkFault | null => {
    const isWrite = observed.request.method !== 'GET';
    const found = network.orders.find(
      (one) => one.service === observed.service && one.times > 0 && (isWrite || !one.isWrite),
    );
    if (found === undefined) return null;
    found.times -= 1;
    observer.onFault(observed, found.fault !== 'slow');
    return found.fault;
  };
  const carry = async (request: HttpRequest): Promise<HttpResult> => {
    const service = SERVICES.find((one) => request.url.href.startsWith(SERVERS[one]));
    if (service === undefined) throw new Error(`the product calls ${request.url.host}, an unknown host`);
    const isManual = contextForLog()['request']?.startsWith('manual change') === true;
    const observed = { service, request: toSimRequest(request), isManual };
    observer.onSend(observed);
    const fault = takeFault(observed);
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const away = random.whole(5, 80);
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    const cancel = time.after(timeoutMs, () => resolve(failed('TimeoutError')));
    const latest = Math.max(timeoutMs, CARRIED_OUT_WITHIN_MS);
    const delay = fault === 'late' ? random.whole(timeoutMs, latest) : away;
    const arrive = async (): Promise<void> => {
      const result = await answered(serve[service], observed.request);
      observer.onServed(observed);
      if (fault === 'unanswered') return;
      const back = fault === 'slow' ? random.whole(1000, timeoutMs) : random.whole(5, 80);
      time.after(back, () => resolve(result));
    };
    if (fault !== 'lost') time.after(delay, () => void arrive());
    return promise.finally(cancel);
  };
  const network = {
    orders: [] as NetworkOrder[],
    /** The HTTP client of one process. */
    httpFor: (lifetime: Lifetime): Http => ({
      send: (request) => lifetime.perform(() => carry(request)),
      close: () => Promise.resolve(),
    }),
  };
  return network;
}

function operationsOf(request: SimRequest) {
  const batch = parseJson(request.params.get('batch') ?? '[]');
  return batch as { method: string; relative_url: string; body?: string }[];
}

/** The status changes in a batch. */
export function writesIn(request: SimRequest): { campaign: string; status: string }[] {
  return operationsOf(request).flatMap(({ method, relative_url: campaign, body = '' }) => {
    const status = new URLSearchParams(body).get('status');
    return method === 'POST' && status !== null ? [{ campaign, status }] : [];
  });
}

/** A request in one line, without secrets. */
export function describeRequest({ service, request, isManual }: ObservedRequest): string {
  const operations = (service === 'graph' ? operationsOf(request) : []).map(
    ({ relative_url: address, body = '' }) => `${address.split('?')[0] ?? ''} ${body}`.trim(),
  );
  const text = [request.method, request.path, ...operations].join(' ');
  return `${service}: ${text}${isManual ? ' (manual)' : ''}`;
}
