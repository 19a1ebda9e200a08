import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import type { ApiName } from '../../src/contract/api.ts';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Random } from '../fixtures/random.ts';
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
type Who = FuzzRequest['who'];
type Draw = (random: Random) => FuzzRequest;

/** These delete the account of their caller. */
const LEAVING: readonly ApiName[] = ['deauthorize', 'deleteAccount'];
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const TOKENS = ['', 'Bearer', `Bearer ${'a'.repeat(43)}`, `Bearer ${'a'.repeat(9000)}`, "Bearer ' or 1"];
const ENDINGS = ['/', '?', '%00', '%zz', '%c0%ae', ';jsessionid=1', '.json', '?a=1&__proto__[a]=1'];
const RETURNS = ['/', '//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0aset-cookie:a=b'];
const PAGES = [
  ...['/', '/dashboard', '/status', '/.env', '/assets/..%2findex.html', '/..%5cetc%5cpasswd', '/health'],
];

/** Makes a request of each call of the contract and of the other routes. */
export function allTargets(): Draw[] {
  const calls = (Object.keys(api) as ApiName[]).map(
    (name): Draw =>
      (random) =>
        requestOf(random, name, api[name]),
  );
  return [...calls, ...OTHERS];
}

function unknown(random: Random): Who {
  return { authorization: random.pick(TOKENS) };
}

function anyone(random: Random): Who {
  return random.chance(0.2)
    ? unknown(random)
    : { key: random.pick(['maya', 'omar', 'nora', 'boss'] as const) };
}

function callerOf(random: Random, name: ApiName, { access }: Endpoint): Who {
  if (LEAVING.includes(name)) return { key: 'lena' };
  if (access === 'admin') return { key: 'boss' };
  if (access === 'public' && random.chance(0.5)) return unknown(random);
  return { key: random.pick(['maya', 'maya', 'omar', 'nora', 'boss'] as const) };
}

const PARTS = ['params', 'query', 'body'] as const;
type Parts = Record<(typeof PARTS)[number], unknown>;

/** A request of a call, made from its schemas: valid in half of the cases. */
function requestOf(random: Random, name: ApiName, endpoint: Endpoint): FuzzRequest {
  const who = callerOf(random, name, endpoint);
  const own = 'key' in who ? idsOf(userOf(who.key)) : [];
  // Mostly the caller's own ids; also ids of others, and numbers like outage ids.
  const others = [...USERS.flatMap(idsOf), '1', '7'];
  const known = endpoint.path.includes('{action}') ? ADMIN_ACTIONS : random.chance(0.75) ? own : others;
  const parts = Object.fromEntries(
    PARTS.map((part) => [part, endpoint[part] && validValue(random, endpoint[part], known)]),
  ) as Parts;
  const valid = { target: name, isValid: true, who, method: endpoint.method, ...compose(endpoint, parts) };
  if (random.chance(0.5)) return valid;
  const part = random.pick(PARTS);
  const changed: FuzzRequest = {
    ...{ ...valid, isValid: false },
    ...random.pick<() => Partial<FuzzRequest>>([
      () => compose(endpoint, { ...parts, [part]: nearlyValid(random, parts[part]) }),
      () => compose(endpoint, { ...parts, [part]: nearlyValid(random, parts[part]) }),
      () => ({ body: hostileBody(random) }),
      () => ({ method: random.pick(METHODS) }),
      () => ({ who: LEAVING.includes(name) ? unknown(random) : anyone(random) }),
    ])(),
  };
  return random.chance(0.7) ? changed : { ...changed, path: changed.path + random.pick(ENDINGS) };
}

function compose(endpoint: Endpoint, { params, query, body }: Parts): Pick<FuzzRequest, 'path' | 'body'> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(fieldsOf(params)[name]));
  const search = Object.entries(fieldsOf(query)).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return {
    path: search.length === 0 ? path : `${path}?${search.join('&')}`,
    body: endpoint.body === undefined || body === undefined ? null : JSON.stringify(body),
  };
}

/** Routes of the product outside the contract. */
const OTHERS = Object.entries<(random: Random, text: string) => Partial<FuzzRequest>>({
  login: (random, text) => ({
    path: `/auth/facebook?returnTo=${random.pick([text, encode(random.pick(RETURNS))])}`,
  }),
  'login-callback': (_random, text) => ({ path: `/auth/facebook/callback?state=${text}&code=${text}` }),
  'meta-deauthorize': (random, text) => signed(random, text, '/auth/facebook/deauthorize'),
  'meta-data-deletion': (random, text) => signed(random, text, '/auth/facebook/data-deletion'),
  'stripe-webhook': (random) => ({ method: 'POST', path: '/webhooks/stripe', body: hostileBody(random) }),
  pages: (random, text) => ({ path: random.pick([random.pick(PAGES), `/${text}`, `/api/${text}`]) }),
}).map(([target, draw]): Draw => (random) => {
  const usual = { target, isValid: false, who: anyone(random), method: 'GET', path: '/', body: null };
  return { ...usual, ...draw(random, encode(hostileText(random))) };
});

function signed(random: Random, text: string, path: string): Partial<FuzzRequest> {
  const user = random.pick([userOf('lena').id, '7779999999']);
  const request = signedRequest(user, SIMULATED_APP.META_APP_SECRET, Date.now());
  const body = [`signed_request=${request}`, `signed_request=${text}`, hostileBody(random)];
  return { method: 'POST', path, body: random.pick(body) };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value };
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}
