import * as fc from 'fast-check';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import type { ApiName } from '../../src/contract/api.ts';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { signedRequest } from '../fixtures/signed-request.ts';
import type { Key } from './users.ts';
import { USERS, idsOf, userOf } from './users.ts';
import { hostileBody, hostileText, nearlyValid, validValue } from './values.ts';

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

/** These delete the account of their caller. */
const LEAVING: readonly ApiName[] = ['deauthorize', 'deleteAccount'];
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const AUTHORIZATIONS = [
  '',
  'Bearer',
  `Bearer ${'a'.repeat(43)}`,
  `Bearer ${'a'.repeat(9000)}`,
  "Bearer ' or 1",
];
const ENDINGS = ['/', '?', '%00', '%zz', '%c0%ae', ';jsessionid=1', '.json', '?a=1&__proto__[a]=1'];
const RETURNS = ['/', '//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0aset-cookie:a=b'];
const PAGES = [
  '/',
  '/dashboard',
  '/status',
  '/.env',
  '/assets/..%2findex.html',
  '/..%5cetc%5cpasswd',
  '/health',
];

type Who = fc.Arbitrary<FuzzRequest['who']>;
const session = (...keys: Key[]): Who => fc.constantFrom(...keys).map((key) => ({ key }));
const noSession: Who = fc.constantFrom(...AUTHORIZATIONS).map((authorization) => ({ authorization }));
const anyone = fc.oneof(noSession, session('maya', 'omar', 'nora', 'boss'));

/** The requests of every call of the contract and of the other routes, by name. */
export function allTargets(): Map<string, fc.Arbitrary<FuzzRequest>> {
  const names = Object.keys(api) as ApiName[];
  return new Map([...names.map((name) => [name, requestsOf(name, api[name])] as const), ...otherTargets()]);
}

function callersOf(name: ApiName, { access }: Endpoint): Who {
  if (LEAVING.includes(name)) return session('lena');
  if (access === 'admin') return session('boss');
  const users = session('maya', 'maya', 'omar', 'nora', 'boss');
  return access === 'public' ? fc.oneof(noSession, users) : users;
}

type Parts = Record<'params' | 'query' | 'body', unknown>;

/** Requests of a call, generated from its schemas: half of them valid. */
function requestsOf(name: ApiName, endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const partsFor = (who: FuzzRequest['who']): fc.Arbitrary<Parts> => {
    const own = 'key' in who ? idsOf(userOf(who.key)) : [];
    // Mostly the caller's own ids; also ids of others, and numbers like outage ids.
    const known = endpoint.path.includes('{action}')
      ? ADMIN_ACTIONS
      : [...Array.from({ length: 12 }, () => own).flat(), ...USERS.flatMap(idsOf), '1', '7'];
    const valid = (schema: Endpoint['body']) =>
      schema === undefined ? fc.constant(undefined) : validValue(schema, known);
    const { params, query, body } = endpoint;
    return fc.record({ params: valid(params), query: valid(query), body: valid(body) });
  };
  const compose = ({ params, query, body }: Parts): Pick<FuzzRequest, 'path' | 'body'> => {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
      encode(fieldsOf(params)[param]),
    );
    const search = Object.entries(fieldsOf(query)).map(([key, value]) => `${encode(key)}=${encode(value)}`);
    return {
      path: search.length === 0 ? path : `${path}?${search.join('&')}`,
      body: endpoint.body === undefined || body === undefined ? null : JSON.stringify(body),
    };
  };
  const made = callersOf(name, endpoint).chain((who) => partsFor(who).map((parts) => ({ who, parts })));
  const { method } = endpoint;
  const valid = made.map(({ who, parts }): FuzzRequest => ({
    target: name,
    isValid: true,
    who,
    method,
    ...compose(parts),
  }));
  const broken = fc.oneof(
    ...(['params', 'query', 'body'] as const).map((part) =>
      fc
        .tuple(made, nearlyValid(made.map(({ parts }) => parts[part])))
        .map(([{ who, parts }, bad]) => ({ who, ...compose({ ...parts, [part]: bad }) })),
    ),
    hostileBody.map((body) => ({ body })),
    fc.constantFrom(...METHODS).map((other) => ({ method: other })),
    (LEAVING.includes(name) ? noSession : anyone).map((who) => ({ who })),
  );
  const ending = fc.constantFrom('', '', '', ...ENDINGS);
  return fc.oneof(
    valid,
    fc.tuple(valid, broken, ending).map(([request, change, end]) => {
      const changed = { ...request, isValid: false, ...change };
      return { ...changed, path: changed.path + end };
    }),
  );
}

/** Routes of the product outside the contract. */
function otherTargets(): [name: string, requests: fc.Arbitrary<FuzzRequest>][] {
  const text = hostileText.map(encode);
  const none = fc.constant(null);
  const signed = fc.oneof(
    fc
      .constantFrom(userOf('lena').id, '7779999999')
      .map((id) => `signed_request=${signedRequest(id, SIMULATED_APP.META_APP_SECRET, Date.now())}`),
    text.map((value) => `signed_request=${value}`),
    hostileBody,
  );
  const returnTo = fc.oneof(fc.constantFrom(...RETURNS).map(encode), text);
  const routes: [string, string, fc.Arbitrary<string>, fc.Arbitrary<string | Buffer | null>][] = [
    ['login', 'GET', returnTo.map((to) => `/auth/facebook?returnTo=${to}`), none],
    ['login-callback', 'GET', text.map((one) => `/auth/facebook/callback?state=${one}&code=${one}`), none],
    ['meta-deauthorize', 'POST', fc.constant('/auth/facebook/deauthorize'), signed],
    ['meta-data-deletion', 'POST', fc.constant('/auth/facebook/data-deletion'), signed],
    ['stripe-webhook', 'POST', fc.constant('/webhooks/stripe'), hostileBody],
    [
      'pages',
      'GET',
      fc.oneof(
        fc.constantFrom(...PAGES),
        text.map((one) => `/${one}`),
        text.map((one) => `/api/${one}`),
      ),
      none,
    ],
  ];
  return routes.map(([target, method, path, body]) => [
    target,
    fc.record({ path, body, who: anyone }).map((made) => ({ ...made, target, method, isValid: false })),
  ]);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value };
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}
