import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import { type ApiName, api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Random } from '../fixtures/random.ts';
import { signedRequest } from '../fixtures/signed-request.ts';
import { hostileBody, hostileText, nearlyValid, validValue } from './values.ts';

const KEYS = ['maya', 'omar', 'nora', 'boss', 'lena'] as const;
/** `maya` and `omar` are set up, `boss` is an admin, `lena` deletes her account repeatedly and signs in again. */
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
type Draw = (random: Random) => FuzzRequest;

/** These delete the account of their caller. */
const LEAVING: readonly ApiName[] = ['deauthorize', 'deleteAccount'];
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const TOKENS = ['', 'Bearer', `Bearer ${'a'.repeat(43)}`, `Bearer ${'a'.repeat(9000)}`, "Bearer ' or 1"];
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
const PARTS = ['params', 'query', 'body'] as const;
type Parts = Record<(typeof PARTS)[number], unknown>;

function anyone(random: Random, strangers: number): FuzzRequest['who'] {
  if (random.chance(strangers)) return { authorization: random.pick(TOKENS) };
  return { key: random.pick(['maya', 'maya', 'omar', 'nora', 'boss'] as const) };
}

/** A request of a call, made from its schemas: valid in half of the cases. */
function requestOf(random: Random, name: ApiName, endpoint: Endpoint): FuzzRequest {
  const isLeaving = LEAVING.includes(name);
  const who = isLeaving
    ? { key: 'lena' as const }
    : endpoint.access === 'admin'
      ? { key: 'boss' as const }
      : anyone(random, endpoint.access === 'public' ? 0.5 : 0);
  const own = 'key' in who ? userOf(who.key).ids : [];
  // Mostly the caller's own ids; also ids of others, and numbers like outage ids.
  const others = [...USERS.flatMap(({ ids }) => ids), '1', '7'];
  const known = endpoint.path.includes('{action}') ? ADMIN_ACTIONS : random.chance(0.75) ? own : others;
  const made = PARTS.map((part) => [part, endpoint[part] && validValue(random, endpoint[part], known)]);
  const parts = Object.fromEntries(made) as Parts;
  const valid = { target: name, isValid: true, who, method: endpoint.method, ...compose(endpoint, parts) };
  if (random.chance(0.5)) return valid;
  const part = random.pick(PARTS);
  const withDefect = () => compose(endpoint, { ...parts, [part]: nearlyValid(random, parts[part]) });
  const change = random.pick<() => Partial<FuzzRequest>>([
    ...[withDefect, withDefect, () => ({ body: hostileBody(random) })],
    () => ({ method: random.pick(METHODS) }),
    () => ({ who: anyone(random, isLeaving ? 1 : 0.2) }),
  ]);
  const changed = { ...valid, isValid: false, ...change() };
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

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value };
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}

function signed(random: Random, text: string, path: string): Partial<FuzzRequest> {
  const user = random.pick([userOf('lena').id, '7779999999']);
  const request = signedRequest(user, SIMULATED_APP.META_APP_SECRET, Date.now());
  const body = [`signed_request=${request}`, `signed_request=${text}`, hostileBody(random)];
  return { method: 'POST', path, body: random.pick(body) };
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
  const usual = { target, isValid: false, who: anyone(random, 0.2), method: 'GET', path: '/', body: null };
  return { ...usual, ...draw(random, encode(hostileText(random))) };
});

/** Each makes a request: one of a call of the contract, or one of another route. */
export const TARGETS: readonly Draw[] = [
  ...(Object.keys(api) as ApiName[]).map(
    (name): Draw =>
      (random) =>
        requestOf(random, name, api[name]),
  ),
  ...OTHERS,
];
