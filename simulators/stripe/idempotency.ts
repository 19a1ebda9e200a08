import type { HttpAnswer } from '../kit/http.ts';
import { DAY } from './clock.ts';
import { StripeError } from './errors.ts';

interface Kept {
  call: string;
  at: number;
  /** Null while the call is being carried out. */
  answer: HttpAnswer | null;
}

/** Answers by the key of their request, for a day: a repeated call is answered again, not done again. */
export class IdempotentAnswers {
  #kept = new Map<string, Kept>();

  /** The answer to replay; null if the call has to be made. */
  begin(key: string, call: string, now: number): HttpAnswer | null {
    const found = this.#kept.get(key);
    if (found === undefined || found.at <= now - DAY) {
      this.#kept.set(key, { call, at: now, answer: null });
      return null;
    }
    if (found.call !== call)
      throw new StripeError(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      );
    if (found.answer === null)
      throw new StripeError(
        409,
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
        { type: 'idempotency_error', code: 'idempotency_key_in_use' },
      );
    return { ...found.answer, headers: { ...found.answer.headers, 'idempotent-replayed': 'true' } };
  }

  keep(key: string, answer: HttpAnswer): void {
    const found = this.#kept.get(key);
    if (found !== undefined) found.answer = answer;
  }

  /** What failed before it began can be tried again with the same key. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}
