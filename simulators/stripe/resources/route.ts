import { z } from 'zod';
import type { Account } from '../account.ts';
import { noSuch } from '../errors.ts';
import type { Form } from '../wire/form.ts';
import { readParams } from '../wire/params.ts';

interface Asked {
  account: Account;
  /** The part of the path at `:id`. */
  id: string;
  /** The simulator's own URL, for the addresses of its pages. */
  base: string;
  /** The path itself, which lists repeat. */
  path: string;
}

export interface Route {
  method: string;
  pattern: RegExp;
  /** As in Stripe's reference: `POST /v1/customers/:id`. */
  name: string;
  params: z.ZodType;
  answer: (asked: Asked, form: Form) => object;
}

/** The parameters of a call that takes none. */
export const none = z.strictObject({});

export function route<P>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  params: z.ZodType<P>,
  run: (params: P, asked: Asked) => object,
): Route {
  const pattern = new RegExp(`^${path.replace(':id', '([^/]+)')}$`);
  const name = `${method} ${path}`;
  return { method, pattern, name, params, answer: (asked, form) => run(readParams(params, form), asked) };
}

/** @param param the parameter with the id; by default the id stands in the path */
export function find<T>(map: ReadonlyMap<string, T>, kind: string, id: string, param?: string): T {
  const found = map.get(id);
  if (found === undefined) throw noSuch(kind, id, param);
  return found;
}
