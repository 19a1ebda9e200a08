import type { Form } from './wire/form.ts';

/** One call of the API as it was parsed, with its response. */
export interface ApiCall {
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
