import { createHash } from 'node:crypto';
import type { Breaker } from '#core/breaker.ts';
import { CLOSED, admit, afterAnswer, afterOutage, msUntilNextCall } from '#core/breaker.ts';
import type { Instant } from '#core/time.ts';
import type { GraphClient, RawAnswer } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { unreadable } from './errors.ts';

/** State of the circuit breaker in front of the platform. */
export interface PlatformGate {
  /** Calls are rejected, except for an occasional probe. */
  isOpen(): boolean;
  /** How long no call is sent; 0: calls are sent. */
  msUntilNextCall(): number;
  /** Null: the platform answers. */
  outage(): { since: Instant; lastError: string } | null;
}

export interface GuardOptions {
  roll: () => number;
  /** After the circuit breaker opens or closes. */
  onChange: (isOpen: boolean) => void;
}

/**
 * A client with a circuit breaker. Only failures that would affect every call count.
 * A rejected token, a rate limit or a campaign error counts as a response. Our own limits do not count.
 */
export function guardClient(
  graph: GraphClient,
  { roll, onChange }: GuardOptions,
): { graph: GraphClient; gate: PlatformGate } {
  let breaker: Breaker = CLOSED;
  let lastError = '';
  const become = (next: Breaker): void => {
    const hasChanged = next.kind !== breaker.kind;
    breaker = next;
    if (hasChanged) onChange(next.kind === 'open');
  };
  const gate: PlatformGate = {
    isOpen: () => breaker.kind === 'open',
    msUntilNextCall: () => msUntilNextCall(breaker, graph.now()),
    outage: () => (breaker.kind === 'open' ? { since: breaker.since, lastError } : null),
  };
  /** While the breaker is open, every transient failure carries the time of the next probe. */
  const withNextProbe = (answer: RawAnswer): RawAnswer =>
    answer.ok || !gate.isOpen() || answer.failure.kind !== 'transient'
      ? answer
      : { ...answer, failure: { ...answer.failure, nextProbeInMs: gate.msUntilNextCall() } };

  return {
    gate,
    graph: {
      now: () => graph.now(),
      aheadMs: () => graph.aheadMs(),
      async call(call) {
        const { isAdmitted, after } = admit(breaker, graph.now(), roll());
        if (!isAdmitted) return withNextProbe({ ok: false, failure: notSent(), headers: {} });
        become(after);
        const answer = await graph.call(call);
        if (answer.ok || answer.failure.kind !== 'transient') become(afterAnswer(breaker));
        else if (answer.failure.isOwnLimit !== true) {
          lastError = answer.failure.code === null ? answer.failure.message : `code ${answer.failure.code}`;
          become(afterOutage(breaker, { about: aboutOf(answer.failure, call.token) }, graph.now(), roll()));
        }
        return withNextProbe(answer);
      },
    },
  };
}

function notSent(): PlatformFailure {
  return unreadable('not sent: the circuit breaker is open', false);
}

/** An unreachable platform affects all tokens, so no token is recorded. Only a hash of a token is kept. */
function aboutOf({ code, maybeDone }: PlatformFailure, token = ''): string | null {
  if (code === null && !maybeDone) return null;
  return createHash('sha256').update(token).digest('base64url').slice(0, 12);
}
