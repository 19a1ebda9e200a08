import type { HttpAnswer } from '../kit/http.ts';
import { DAY } from './clock.ts';
import { StripeError } from './errors.ts';

interface Kept {
  /** The call that the key belongs to, with its parameters. */
  call: string;
  at: number;
  answer: HttpAnswer;
}

/** Answers by the key of their request, for a day: a repeated call is answered again, not done again. */
export class IdempotentAnswers {
  #kept = new Map<string, Kept>();

  /** The answer to replay; null if the call has to be made. */
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

  /** The call was made, but this is what its caller was told. */
  replace(key: string, answer: HttpAnswer): void {
    const found = this.#kept.get(key);
    if (found !== undefined) found.answer = answer;
  }

  clear(): void {
    this.#kept.clear();
  }
}
