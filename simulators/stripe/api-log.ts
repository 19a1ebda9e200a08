import type { Form } from './wire/form.ts';

/** One call of the API as it was understood, and what it was answered. */
export interface ApiCall {
  n: number;
  /** As in Stripe's reference, such as `POST /v1/customers/:id`; null if there is no such call. */
  name: string | null;
  method: string;
  path: string;
  params: Form;
  idempotencyKey: string | null;
  replayed: boolean;
  version: string | null;
  status: number;
  answer: unknown;
}

const KEPT = 5000;

/** The API's calls, to assert on and to hold against the SDK's declarations. */
export class ApiLog {
  #calls: ApiCall[] = [];
  #count = 0;

  add(call: Omit<ApiCall, 'n'>): void {
    this.#count += 1;
    this.#calls.push({ n: this.#count, ...call });
    if (this.#calls.length > KEPT) this.#calls.shift();
  }

  calls(): ApiCall[] {
    return this.#calls;
  }

  clear(): void {
    this.#calls = [];
  }
}
