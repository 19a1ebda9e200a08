import { createHash } from 'node:crypto';
import { backoffMs } from '#core/backoff.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { GraphClient, GraphResponse } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { unreadable } from './errors.ts';

const FAILURES_TO_OPEN = 5;
/** Failures further apart are not in a row. */
const IN_A_ROW_MS = minutes(1);
/** The longest interval between probes, and so the longest delay after the platform recovers. */
export const LONGEST_PROBE_MS = seconds(5);

/**
 * Opens when calls in a row fail for more than one token, or could not be sent: one user's token opens nothing.
 * While it is open, only a probe now and then is sent; any response closes it.
 */
export class CircuitBreaker {
  readonly #now: () => Instant;
  readonly #onChange: (isOpen: boolean) => void;
  #failures = 0;
  #failedAt: Instant = 0;
  /** Of the first failure; only a hash is kept. Null: it concerns every token. */
  #token: string | null = null;
  #isWidespread = false;
  #open: { since: Instant; lastError: string; probes: number; probeAt: Instant } | null = null;

  /** @param onChange called after it opens or closes */
  constructor(now: () => Instant, onChange: (isOpen: boolean) => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  isOpen(): boolean {
    return this.#open !== null;
  }

  /** 0: a call may be sent now. Never longer than the probe interval, even if the clock was set back. */
  msUntilNextCall(): number {
    const left = (this.#open?.probeAt ?? 0) - this.#now();
    return left <= 0 || left > LONGEST_PROBE_MS ? 0 : left;
  }

  /** Null: the platform responds. */
  outage(): { since: Instant; lastError: string } | null {
    return this.#open && { since: this.#open.since, lastError: this.#open.lastError };
  }

  /** The same client behind this breaker. */
  guard(graph: GraphClient): GraphClient {
    return {
      ...graph,
      call: async (call) => {
        if (this.msUntilNextCall() > 0) return this.#withNextProbe(notSent());
        // A probe may never get a response, so the next one is planned at once.
        if (this.#open !== null) this.#planProbe(this.#open);
        const response = await graph.call(call);
        if (response.ok || response.failure.kind !== 'transient') this.#close();
        else if (response.failure.isOwnLimit !== true) this.#fail(response.failure, call.token);
        return this.#withNextProbe(response);
      },
    };
  }

  #fail(failure: PlatformFailure, token = ''): void {
    if (this.#open !== null) return;
    if (Math.abs(this.#now() - this.#failedAt) > IN_A_ROW_MS) this.#close();
    this.#failedAt = this.#now();
    const about = tokenOf(failure, token);
    if (this.#failures === 0) this.#token = about;
    this.#isWidespread ||= about === null || about !== this.#token;
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN || !this.#isWidespread) return;
    const lastError = failure.code === null ? failure.message : `code ${failure.code}`;
    this.#open = { since: this.#now(), lastError, probes: 0, probeAt: 0 };
    this.#planProbe(this.#open);
    this.#onChange(true);
  }

  #close(): void {
    const wasOpen = this.isOpen();
    this.#open = null;
    this.#failures = 0;
    this.#isWidespread = false;
    if (wasOpen) this.#onChange(false);
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

function notSent(): GraphResponse {
  const failure = unreadable('not sent: the circuit breaker is open', false);
  return { ok: false, failure, headers: {} };
}

/** An unreachable platform affects all tokens. */
function tokenOf({ code, maybeDone }: PlatformFailure, token: string): string | null {
  if (code === null && !maybeDone) return null;
  return createHash('sha256').update(token).digest('base64url').slice(0, 12);
}
