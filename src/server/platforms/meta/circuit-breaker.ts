import { backoffMs } from '#core/backoff.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { describeFailure, unasked, wasSent } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { CallGate } from '../platform.ts';
import type { GraphClient, GraphResponse } from './client.ts';

const FAILURES_TO_OPEN = 5;
/** The longest interval between probes, and so the longest delay after the platform recovers. */
export const LONGEST_PROBE_MS = seconds(5);

/**
 * Opens when calls in a row fail for more than one token, or could not be sent: one user's token opens nothing.
 * The tries of one page count once and the activity log not at all: neither a large account nor a failing log is an outage.
 * While it is open, only a probe now and then is sent; any response closes it.
 */
export class CircuitBreaker implements CallGate {
  readonly #now: () => Instant;
  readonly #onChange: (lastError: string | null) => void;
  #failures = 0;
  /** Of the failures in a row; null: the platform could not be reached, for any token. */
  readonly #tokens = new Set<string | null>();
  #open: { probes: number; probeAt: Instant } | null = null;

  /** @param onChange called after it opens, with the last error, or closes */
  constructor(now: () => Instant, onChange: (lastError: string | null) => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  isOpen(): boolean {
    return this.#open !== null;
  }

  /** Never longer than the probe interval, even if the clock was set back. */
  msUntilNextCall(): number {
    const left = (this.#open?.probeAt ?? 0) - this.#now();
    return left <= 0 || left > LONGEST_PROBE_MS ? 0 : left;
  }

  /** The same client behind this breaker. */
  guard(graph: GraphClient): GraphClient {
    return {
      ...graph,
      call: async (call) => {
        if (this.msUntilNextCall() > 0)
          return this.#withNextProbe({
            ...{ ok: false, headers: {} },
            failure: unasked('not sent: the circuit breaker is open'),
          });
        // A probe may never get a response, so the next one is planned at once.
        if (this.#open !== null) this.#planProbe(this.#open);
        const response = await graph.call(call);
        if (response.ok || response.failure.kind !== 'transient') this.#close();
        else if (call.countsForBreaker?.(response.failure) !== false)
          this.#fail(response.failure, call.token ?? '');
        return this.#withNextProbe(response);
      },
    };
  }

  #fail(failure: PlatformFailure, token: string): void {
    if (this.#open !== null) return;
    this.#tokens.add(wasSent(failure) ? token : null);
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN || (this.#tokens.size < 2 && !this.#tokens.has(null))) return;
    this.#open = { probes: 0, probeAt: 0 };
    this.#planProbe(this.#open);
    this.#onChange(failure.code === null ? failure.message : describeFailure(failure));
  }

  #close(): void {
    const wasOpen = this.isOpen();
    this.#open = null;
    this.#failures = 0;
    this.#tokens.clear();
    if (wasOpen) this.#onChange(null);
  }

  #planProbe(open: { probes: number; probeAt: Instant }): void {
    open.probes += 1;
    open.probeAt = this.#now() + backoffMs(open.probes, Math.random(), { longestMs: LONGEST_PROBE_MS });
  }

  /** While it is open, every transient failure carries the time of the next probe. */
  #withNextProbe(response: GraphResponse): GraphResponse {
    if (response.ok || !this.isOpen() || response.failure.kind !== 'transient') return response;
    return { ...response, failure: { ...response.failure, nextProbeInMs: this.msUntilNextCall() } };
  }
}
