import * as fc from 'fast-check';
import type * as z from 'zod/v4/core';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import { type ApiName, api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { hostileBody, hostileText, valuesFor } from './values.ts';

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
  target: string;
  /** Whether the contract accepts it. */
  isValid: boolean;
  /** The user whose session it carries, or the authorization header instead. */
  who: { key: Key } | { authorization: string };
  method: string;
  path: string;
  body: string | Buffer | null;
}
type Requests = fc.Arbitrary<FuzzRequest>;

/** All but those that delete the account of their caller. */
const NAMES = (Object.keys(api) as ApiName[]).filter(
  (name) => name !== 'deauthorize' && name !== 'deleteAccount',
);
const TOKENS = ['', 'Bearer', `Bearer ${'a'.repeat(43)}`, `Bearer ${'a'.repeat(9000)}`, "Bearer ' or 1"];
const ENDINGS = ['/', '?', '%00', '%zz', '%c0%ae', ';jsessionid=1', '.json', '?a=1&__proto__[a]=1'];
const RETURNS = ['/', '//evil.example', '/%5cevil.example', 'https://evil.example', '/%0d%0aset-cookie:a=b'];
const PATHS = [
  ...['/', '/dashboard', '/.env', '/assets/..%2findex.html', '/..%5cetc%5cpasswd', '/health'],
  ...['/auth/facebook/deauthorize', '/auth/facebook/data-deletion', '/webhooks/stripe'],
];
const PARTS = ['params', 'query', 'body'] as const;
type Parts = Partial<Record<(typeof PARTS)[number], unknown>>;

const stranger = fc.constantFrom(...TOKENS).map((authorization) => ({ authorization }));
const userWith = (...keys: Key[]) => fc.constantFrom(...keys).map((key) => ({ key }));
const anyone: fc.Arbitrary<FuzzRequest['who']> = fc.oneof(
  { weight: 1, arbitrary: stranger },
  { weight: 4, arbitrary: userWith('maya', 'maya', 'omar', 'nora', 'boss') },
);
const method = fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
/** Also ids of others, and numbers like outage ids. */
const ANY_IDS = [...USERS.flatMap(({ ids }) => ids), '1', '7'];

/** Requests of a call, made from its schemas: valid in half of the cases. */
function requestsOf(name: ApiName, endpoint: Endpoint): Requests {
  const usual = { public: anyone, user: userWith('maya', 'omar', 'nora', 'boss'), admin: userWith('boss') };
  return fc.tuple(usual[endpoint.access], fc.integer({ min: 1, max: 4 })).chain(([who, chance]) => {
    const own = chance < 4 && 'key' in who ? userOf(who.key).ids : ANY_IDS;
    const known = endpoint.path.includes('{action}') ? ADMIN_ACTIONS : own;
    const parts = (isValid: boolean): fc.Arbitrary<Parts> => {
      const given = PARTS.filter((part) => endpoint[part] !== undefined).map((part) => {
        return [part, valuesFor(endpoint[part] as z.$ZodType, { known, isValid })] as const;
      });
      return fc.record(Object.fromEntries(given));
    };
    const fixed = { target: name, who, method: endpoint.method };
    const changes: fc.Arbitrary<Partial<FuzzRequest>> = fc.oneof(
      ...[fc.constant({}), fc.constant({}), fc.record({ body: hostileBody }), fc.record({ method })],
      fc.record({ who: anyone }),
    );
    const broken = fc
      .tuple(parts(false), changes, fc.constantFrom('', '', '', ...ENDINGS))
      .map(([made, change, ending]) => {
        const request = { ...fixed, isValid: false, ...compose(endpoint, made), ...change };
        return { ...request, path: request.path + ending };
      });
    return fc.oneof(
      parts(true).map((made) => ({ ...fixed, isValid: true, ...compose(endpoint, made) })),
      broken,
    );
  });
}

function compose(endpoint: Endpoint, { params, query, body }: Parts): Pick<FuzzRequest, 'path' | 'body'> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(fieldsOf(params)[name]));
  const search = Object.entries(fieldsOf(query)).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return {
    path: search.length === 0 ? path : `${path}?${search.join('&')}`,
    body: endpoint.body === undefined || body === undefined ? null : JSON.stringify(body),
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value };
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}

const text = hostileText.map(encode);
/** Routes of the product outside the contract. */
const otherRoutes: Requests = fc.record({
  target: fc.constant('other'),
  isValid: fc.constant(false),
  who: anyone,
  method,
  path: fc.oneof(
    fc.constantFrom(...PATHS),
    fc.oneof(text, fc.constantFrom(...RETURNS)).map((to) => `/auth/facebook?returnTo=${to}`),
    text.map((one) => `/auth/facebook/callback?state=${one}&code=${one}`),
    text.map((one) => `/${one}`),
  ),
  body: fc.oneof(
    fc.constant(null),
    text.map((one) => `signed_request=${one}`),
    hostileBody,
  ),
});

/** To every call of the contract equally often, and to the other routes. */
export const requests: Requests = fc.oneof(...NAMES.map((name) => requestsOf(name, api[name])), {
  arbitrary: otherRoutes,
  weight: 6,
});
