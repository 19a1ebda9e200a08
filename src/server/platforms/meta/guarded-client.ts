import { createHash } from 'node:crypto';
import type { Breaker } from '#core/breaker.ts';
import { CLOSED, admit, afterAnswer, afterOutage, holdOffMs } from '#core/breaker.ts';
import type { Trouble } from '#core/trouble.ts';
import type { GraphClient, RawAnswer } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { unreadable } from './errors.ts';

/** Whether the platform is worth asking, as this process has found. */
export interface PlatformGate {
  /** Calls are refused here, but for a probe now and then. */
  isOpen(): boolean;
  /** How long nobody is asked; 0: a call is sent. */
  holdOffMs(): number;
  /** Null: it answers. */
  outage(): Trouble | null;
}

export interface GuardOptions {
  roll: () => number;
  /** After it was opened or closed. */
  onChange: (isOpen: boolean) => void;
}

/**
 * The same client, which spares a platform that answers nobody, and us the waiting for it. Only what says that nobody
 * would get an answer counts: every refusal of a token, a limit, or one campaign is an answer, and what we never sent
 * for having too much under way is neither.
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
    holdOffMs: () => holdOffMs(breaker, graph.now()),
    outage: () => (breaker.kind === 'open' ? { since: breaker.since, lastError } : null),
  };
  /** Whatever failed: while the breaker is open, the next probe says when to come again. */
  const told = (answer: RawAnswer): RawAnswer =>
    answer.ok || !gate.isOpen() || answer.failure.kind !== 'transient'
      ? answer
      : { ...answer, failure: { ...answer.failure, askAgainMs: gate.holdOffMs() } };

  return {
    gate,
    graph: {
      now: () => graph.now(),
      aheadMs: () => graph.aheadMs(),
      async call(call) {
        const { isAdmitted, after } = admit(breaker, graph.now(), roll());
        if (!isAdmitted) return told({ ok: false, failure: notAsked(), headers: {} });
        become(after);
        const answer = await graph.call(call);
        if (answer.ok || answer.failure.kind !== 'transient') become(afterAnswer(breaker));
        else if (answer.failure.isOurs !== true) {
          lastError = answer.failure.code === null ? answer.failure.message : `code ${answer.failure.code}`;
          become(afterOutage(breaker, { about: aboutOf(answer.failure, call.token) }, graph.now(), roll()));
        }
        return told(answer);
      },
    },
  };
}

function notAsked(): PlatformFailure {
  return unreadable('not asked, since the platform answers nobody', false);
}

/** Who cannot be reached at all cannot be reached by anybody. A token is kept by its mark only. */
function aboutOf({ code, maybeDone }: PlatformFailure, token = ''): string | null {
  if (code === null && !maybeDone) return null;
  return createHash('sha256').update(token).digest('base64url').slice(0, 12);
}
