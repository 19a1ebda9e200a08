import { z } from 'zod';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { json } from '../kit/http.ts';
import type { Account } from './account.ts';
import { DAY, newId } from './account.ts';
import type { List } from './objects.ts';

export const SECRET_KEY = 'sk_test_simulated';

/** One call of the API, with its response. */
export interface ApiCall {
  /** As in Stripe's reference, such as `POST /v1/customers/:id`; null if there is no such call. */
  name: string | null;
  status: number;
  answer: unknown;
}

/** Becomes Stripe's error object. Without that object the SDK treats a 400 as a success. */
export class StripeError extends Error {
  readonly status: number;
  readonly details: { type?: string; code?: string; param?: string };

  constructor(status: number, message: string, details: StripeError['details'] = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  answer(): HttpAnswer {
    const { message, details, status } = this;
    return json(status, { error: { type: 'invalid_request_error', ...details, message } });
  }
}

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
  /** As in Stripe's reference: `POST /v1/customers/:id`. */
  name: string;
  pattern: RegExp;
  params: z.ZodType;
  answer: (form: Form, asked: Asked) => object;
}

export function route<P>(
  name: string,
  params: z.ZodType<P>,
  run: (params: P, asked: Asked) => object,
): Route {
  const pattern = new RegExp(`^${name.replace(':id', '([^/]+)')}$`);
  return { name, pattern, params, answer: (form, asked) => run(readParams(params, form), asked) };
}

/** @param param the parameter with the id; by default the id stands in the path */
export function find<T>(map: ReadonlyMap<string, T>, kind: string, id: string, param?: string): T {
  const found = map.get(id);
  if (found !== undefined) return found;
  const details = { code: 'resource_missing', param: param ?? 'id' };
  throw new StripeError(param === undefined ? 404 : 400, `No such ${kind}: '${id}'`, details);
}

/** The newest matching objects of a map, as one page: cursors are not simulated. */
export function newest<T>(
  map: ReadonlyMap<string, T>,
  { limit = 10, path }: { limit?: number | undefined; path: string },
  matches: (item: T) => boolean = () => true,
): List<T> {
  const found = [...map.values()].reverse().filter(matches);
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url: path };
}

interface Kept {
  call: string;
  at: number;
  answer: HttpAnswer;
}

/** Stripe's API: authentication, parameters and idempotency of the calls in a table of routes. */
export class Api {
  readonly #routes: readonly Route[];
  /** Responses by idempotency key, kept for a day. */
  #kept = new Map<string, Kept>();
  /** The newest calls. */
  calls: ApiCall[] = [];

  constructor(routes: readonly Route[]) {
    this.#routes = routes;
  }

  /** @param injected a failure that replaces the response, and that Stripe replays for the same key */
  answer(account: Account, base: string, request: SimRequest, injected: HttpAnswer | null): HttpAnswer {
    const asked = `${request.method} ${request.path}`;
    const found = this.#routes.find(({ pattern }) => pattern.test(asked));
    const form = decodeForm(request.method === 'POST' ? request.body : request.query.toString());
    const key = request.method === 'POST' ? (request.headers['idempotency-key'] ?? null) : null;
    const given = refusalOr(() => {
      authenticate(request.headers['authorization'] ?? '');
      const call = JSON.stringify([asked, form]);
      return this.#once({ key, call, at: account.now() }, () => {
        if (found === undefined) throw new StripeError(404, `Unrecognized request URL (${asked}).`);
        const id = found.pattern.exec(asked)?.[1] ?? '';
        return json(200, found.answer(form, { account, id, base, path: request.path }));
      });
    });
    const kept = this.#kept.get(key ?? '');
    if (injected !== null && kept !== undefined) kept.answer = injected;
    const { status, headers, body } = injected ?? given;
    this.calls.push({ name: found?.name ?? null, status, answer: JSON.parse(body) as unknown });
    return { status, headers: { 'request-id': newId('req'), ...headers }, body };
  }

  #once({ key, call, at }: { key: string | null; call: string; at: number }, run: () => HttpAnswer) {
    const known = key === null ? undefined : this.#kept.get(key);
    if (known !== undefined && known.at > at - DAY) {
      if (known.call === call) return known.answer;
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      throw new StripeError(400, message, { type: 'idempotency_error' });
    }
    const answer = refusalOr(run);
    // A call that is rejected for its parameters leaves the key free.
    if (key !== null && answer.status !== 400 && answer.status !== 404)
      this.#kept.set(key, { call, at, answer });
    return answer;
  }
}

function refusalOr(run: () => HttpAnswer): HttpAnswer {
  try {
    return run();
  } catch (error) {
    if (error instanceof StripeError) return error.answer();
    throw error;
  }
}

function authenticate(header: string): void {
  const key = header.replace(/^Bearer /, '');
  if (key === SECRET_KEY) return;
  const isLive = /^[rs]k_live_/.test(key);
  throw new StripeError(401, isLive ? 'A live key must never be sent to a simulator.' : 'Invalid API Key.');
}

type FormValue = string | FormValue[] | Form;
export interface Form {
  [name: string]: FormValue;
}

/** Stripe's bracket form: `items[0][price]=x&expand[]=customer`. */
export function decodeForm(text: string): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '' && part !== '__proto__');
    let node = root;
    for (const part of path.slice(0, -1)) node = (node[part] ??= {}) as Form;
    node[path.at(-1) ?? ''] = value;
  }
  return listsOf(root) as Form;
}

/** Objects whose names are numbers are lists. */
function listsOf(value: FormValue): FormValue {
  if (typeof value === 'string') return value;
  const fields = Object.entries(value).map(([name, one]) => [name, listsOf(one)] as const);
  const isList = fields.length > 0 && fields.every(([name]) => /^\d+$/.test(name));
  return isList ? fields.map(([, one]) => one) : Object.fromEntries(fields);
}

/** Every value in a form is text; these schemas parse it as Stripe does. */
export const text = z.string().min(1, 'may not be empty');
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number);
export const limit = integer.pipe(z.number().min(1).max(100)).optional();
export const metadata = z.record(z.string(), z.string()).default({});

function readParams<T>(schema: z.ZodType<T>, form: Form): T {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String);
  const param = path.map((part, index) => (index === 0 ? part : `[${part}]`)).join('');
  if (unknown !== undefined)
    throw new StripeError(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  const isMissing = issue?.message.includes('received undefined') === true;
  throw new StripeError(400, isMissing ? `Missing required param: ${param}.` : `Invalid ${param}`, {
    ...(isMissing && { code: 'parameter_missing' }),
    param,
  });
}
