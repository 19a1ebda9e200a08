import * as fc from 'fast-check';
import { toJSONSchema } from 'zod/v4/core';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import { type ApiName, api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';

/** `maya` and `omar` are set up, `nora` has only signed in, `boss` is an admin. */
const KEYS = ['maya', 'omar', 'nora', 'boss'] as const;
export type Key = (typeof KEYS)[number];

/** No data of a user occurs in those of another, so that a leak is recognised anywhere. */
export const USERS = KEYS.map((key, index) => {
  const number = `0${index + 1}`;
  const account = { id: `act_8880000${number}000001`, name: `Cnry${number} account`, currency: 'USD' };
  const campaigns = ['ACTIVE', 'ACTIVE', 'PAUSED'].map((status, one) => ({
    ...{ id: `9990000${number}00000${one}`, name: `Cnry${number} campaign ${one}`, status },
  }));
  const [id, email] = [`7770000${number}000001`, `cnry${number}@example.com`];
  const ids = [account.id, ...campaigns.map((one) => one.id)];
  const seed = { id, name: `Cnry${number} User`, email, accounts: [{ ...account, campaigns }] };
  return { key, id, email, ids, marks: [`cnry${number}`, id, ...ids], seed };
});

export function userOf(key: Key): (typeof USERS)[number] {
  return USERS[KEYS.indexOf(key)] as (typeof USERS)[number];
}

export interface FuzzRequest {
  target: ApiName | 'other';
  /** Whether the contract accepts it. */
  isValid: boolean;
  /** The user whose session it carries, or the authorization header instead. */
  who: { key: Key } | { authorization: string };
  method: string;
  path: string;
  body: string | Buffer | null;
}

/** All but those that delete the account of their caller. */
const NAMES = (Object.keys(api) as ApiName[]).filter(
  (name) => name !== 'deauthorize' && name !== 'deleteAccount',
);
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const TOKENS = ['', 'Bearer', `Bearer ${'a'.repeat(43)}`, `Bearer ${'a'.repeat(9000)}`, "Bearer ' or 1"];
const ENDINGS = ['/', '?', '%00', '%zz', '%c0%ae', '.json', '?a=1&__proto__[a]=1'];
const PATHS = [
  ...['/', '/dashboard', '/.env', '/assets/..%2findex.html', '/..%5cetc%5cpasswd', '/health'],
  ...['/auth/facebook/deauthorize', '/auth/facebook/data-deletion', '/webhooks/stripe'],
  ...['/auth/facebook?returnTo=//evil.example', '/auth/facebook?returnTo=/%5cevil.example'],
];
/** Of the first destinations, and an address that refuses connections. */
export const CALLED = '127.0.0.1:9';
const OF_DESTINATIONS = ['1', '2', '3', '4', '5', '6', `http://${CALLED}/hook`];
/** Texts and bodies that often break programs. */
const TEXTS = [
  ...[
    '',
    '\0',
    '\ud800',
    '👩‍👩‍👧‍👦',
    'ı İ ß ſ',
    '-1',
    '1e309',
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
  ],
  ...['__proto__', '9223372036854775808', 'a\r\nset-cookie: a=b', 'x'.repeat(70_000)],
];
const BODIES = [
  '',
  '{',
  'NaN',
  '{"__proto__":{"isAdmin":true}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));
const json: fc.Arbitrary<unknown> = fc.oneof(text, fc.constantFrom(null, {}, [], -1, 1e308), fc.jsonValue());
const brokenBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(...BODIES),
  json.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const anyone: fc.Arbitrary<FuzzRequest['who']> = fc.oneof(
  fc.constantFrom(...TOKENS).map((authorization) => ({ authorization })),
  fc.constantFrom(...KEYS).map((key) => ({ key })),
);

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** Values of a schema. @param known ids of the running product, used where they fit */
function valuesOf(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  const { type, oneOf, anyOf = oneOf, properties = {}, items = {}, format, pattern = '^.{0,30}$' } = schema;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(one, known)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'number' || type === 'integer') return fc.integer({ min: 1, max: 60 });
  if (type === 'array') return fc.array(valuesOf(items, known), { maxLength: 5 });
  if (format === 'email') return fc.nat().map((number) => `fuzz.${number}@example.com`);
  if (type === 'string') {
    const fitting = known.filter((one) => new RegExp(pattern).test(one));
    const made = fc.stringMatching(new RegExp(pattern));
    return fitting.length === 0
      ? made
      : fc.oneof(fc.constantFrom(...fitting), fc.constantFrom(...fitting), made);
  }
  // Another type of schema throws, so that none is skipped silently.
  if (type !== 'object') throw new Error(`there are no values for ${JSON.stringify(schema)}`);
  const values = Object.entries(properties).map(([key, one]) => [key, valuesOf(one, known)] as const);
  return fc.record(Object.fromEntries(values), {
    requiredKeys: schema.required ?? [],
    noNullPrototype: true,
  });
}

const PARTS = ['params', 'query', 'body'] as const;
type Parts = Partial<Record<(typeof PARTS)[number], Record<string, unknown>>>;

/** Requests of a call, made from its schemas, which accept them. */
function validRequests(target: ApiName): fc.Arbitrary<FuzzRequest> {
  const endpoint: Endpoint = api[target];
  const keys = endpoint.access === 'admin' ? (['boss'] as const) : KEYS;
  return fc.tuple(fc.constantFrom(...keys), fc.boolean()).chain(([key, isOwn]) => {
    const ids = isOwn ? userOf(key).ids : USERS.flatMap((user) => user.ids);
    const isOfDestination = endpoint.path.startsWith('/api/destinations');
    const own = isOfDestination ? OF_DESTINATIONS : ids;
    const known = endpoint.path.includes('{action}') ? ADMIN_ACTIONS : own;
    const parts = PARTS.filter((part) => endpoint[part] !== undefined).map((part) => {
      const schema = toJSONSchema(endpoint[part] as never, { io: 'input', unrepresentable: 'any' });
      const values = valuesOf(schema as Schema, known);
      return [part, values.filter((value) => endpoint[part]?.safeParse(value).success === true)] as const;
    });
    return fc.record(Object.fromEntries(parts)).map((made): FuzzRequest => {
      const { params = {}, query = {}, body } = made as Parts;
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name]));
      const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
      return {
        ...{ target, isValid: true, who: { key }, method: endpoint.method },
        path: search.length === 0 ? path : `${path}?${search.join('&')}`,
        body: body === undefined ? null : JSON.stringify(body),
      };
    });
  });
}

/** The same requests with one thing wrong, or for another user. */
function brokenRequests(target: ApiName): fc.Arbitrary<FuzzRequest> {
  const change = fc.oneof(
    fc.record({ body: brokenBody }),
    fc.record({ who: anyone }),
    fc.record({ method: fc.constantFrom(...METHODS) }),
    fc.record({ last: text.map(encode) }),
    fc.record({ ending: fc.constantFrom(...ENDINGS) }),
  ) as fc.Arbitrary<Partial<FuzzRequest & { last: string; ending: string }>>;
  return fc.tuple(validRequests(target), change).map(([request, { last, ending = '', ...changed }]) => {
    const path = last === undefined ? request.path : request.path.replace(/[^/=]*$/, last);
    return { ...request, isValid: false, ...changed, path: path + ending };
  });
}

function encode(value: unknown): string {
  const written = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(written.toWellFormed()).slice(0, 12_000);
}

const encoded = text.map(encode);
/** Routes of the product outside the contract. */
const otherRoutes: fc.Arbitrary<FuzzRequest> = fc.record({
  ...{ target: fc.constant('other' as const), isValid: fc.constant(false), who: anyone },
  method: fc.constantFrom(...METHODS),
  path: fc.oneof(
    fc.constantFrom(...PATHS),
    encoded.map((one) => `/auth/facebook/callback?state=${one}&code=${one}`),
    encoded.map((one) => `/${one}`),
  ),
  body: fc.oneof(
    fc.constant(null),
    encoded.map((one) => `signed_request=${one}`),
    brokenBody,
  ),
});

/** To every call of the contract equally often, and to the other routes. */
export const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...NAMES.flatMap((name) => [validRequests(name), brokenRequests(name)]),
  {
    arbitrary: otherRoutes,
    weight: 12,
  },
);
