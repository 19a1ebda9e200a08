import type { HttpAnswer } from '../kit/http.ts';
import { DAY } from './clock.ts';
import { StripeError } from './errors.ts';

interface Kept {
  /** The call that the key belongs to, with its parameters. */
  call: string;
  at: number;
  answer: HttpAnswer;
}

/** Responses by idempotency key, kept for a day: a repeated call returns the stored response. */
export class IdempotentAnswers {
  #kept = new Map<string, Kept>();

  /** The response to replay; null if the call is new. */
  find(key: string, call: string, now: number): HttpAnswer | null {
    const found = this.#kept.get(key);
    if (found === undefined || found.at <= now - DAY) return null;
    if (found.call !== call)
      throw new StripeError(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      );
    return { ...found.answer, headers: { ...found.answer.headers, 'idempotent-replayed': 'true' } };
  }

  keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
  }

  /** Replaces the stored response when a fault changed what the caller received. */
  replace(key: string, answer: HttpAnswer): void {
    const found = this.#kept.get(key);
    if (found !== undefined) found.answer = answer;
  }

  clear(): void {
    this.#kept.clear();
  }
}
