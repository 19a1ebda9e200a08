import * as fc from 'fast-check';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import { type ApiName, api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { signedRequest } from '../fixtures/signed-request.ts';
import { hostileBody, hostileText, nearlyValid, validFor } from './values.ts';

/** `maya` and `omar` are set up, `nora` deletes her account repeatedly and signs in again, `boss` is an admin. */
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

/** These delete the account of their caller. */
const LEAVING: readonly ApiName[] = ['deauthorize', 'deleteAccount'];
const TOKENS = ['', 'Bearer', `Bearer ${'a'.repeat(43)}`, `Bearer ${'a'.repeat(9000)}`, "Bearer ' or 1"];
const ENDINGS = ['/', '?', '%00', '%zz', '%c0%ae', ';jsessionid=1', '.json', '?a=1&__proto__[a]=1'];
const RETURNS = ['/', '//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0aset-cookie:a=b'];
const PAGES = ['/', '/dashboard', '/.env', '/assets/..%2findex.html', '/..%5cetc%5cpasswd', '/health'];
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
  const isLeaving = LEAVING.includes(name);
  const usual = { public: anyone, user: userWith('maya', 'omar', 'nora', 'boss'), admin: userWith('boss') };
  const caller = isLeaving ? userWith('nora') : usual[endpoint.access];
  return fc.tuple(caller, fc.integer({ min: 1, max: 4 })).chain(([who, chance]) => {
    const own = chance < 4 && 'key' in who ? userOf(who.key).ids : ANY_IDS;
    const known = endpoint.path.includes('{action}') ? ADMIN_ACTIONS : own;
    const given = PARTS.flatMap((part) => (endpoint[part] ? [[part, validFor(endpoint[part], known)]] : []));
    const parts: fc.Arbitrary<Parts> = fc.record(Object.fromEntries(given) as object);
    return parts.chain((made) => {
      const valid = { target: name, isValid: true, who, method: endpoint.method, ...compose(endpoint, made) };
      const withDefect = fc
        .constantFrom(...PARTS)
        .chain((part) =>
          nearlyValid(made[part]).map((value) => compose(endpoint, { ...made, [part]: value })),
        );
      const change = fc.oneof<fc.Arbitrary<Partial<FuzzRequest>>[]>(
        ...[withDefect, withDefect, fc.record({ body: hostileBody }), fc.record({ method })],
        fc.record({ who: isLeaving ? stranger : anyone }),
      );
      const changed = fc.tuple(change, fc.constantFrom('', '', '', ...ENDINGS)).map(([differing, ending]) => {
        const request = { ...valid, isValid: false, ...differing };
        return { ...request, path: request.path + ending };
      });
      return fc.oneof(fc.constant(valid), changed);
    });
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

/** Routes of the product outside the contract: GET without a body, POST with one. */
function otherRoute(
  target: string,
  path: fc.Arbitrary<string>,
  body?: fc.Arbitrary<string | Buffer>,
): Requests {
  const method = fc.constant(body === undefined ? 'GET' : 'POST');
  const [fixed, isValid] = [fc.constant(target), fc.constant(false)];
  return fc.record({ target: fixed, isValid, who: anyone, method, path, body: body ?? fc.constant(null) });
}

const text = hostileText.map(encode);
const returns = fc.oneof(text, fc.constantFrom(...RETURNS.map(encode)));
const pages = [fc.constantFrom(...PAGES), text.map((one) => `/${one}`), text.map((one) => `/api/${one}`)];
const signed = fc
  .constantFrom(userOf('nora').id, '7779999999')
  .map((id) => signedRequest(id, SIMULATED_APP.META_APP_SECRET, Date.now()));
const signedBody = fc.oneof(
  fc.oneof(signed, text).map((one) => `signed_request=${one}`),
  hostileBody,
);

/** To every call of the contract and the other routes equally often. */
export const requests: Requests = fc.oneof(
  ...(Object.keys(api) as ApiName[]).map((name) => requestsOf(name, api[name])),
  ...[
    otherRoute(
      'login',
      returns.map((to) => `/auth/facebook?returnTo=${to}`),
    ),
    otherRoute(
      'login-callback',
      text.map((one) => `/auth/facebook/callback?state=${one}&code=${one}`),
    ),
    otherRoute('meta-deauthorize', fc.constant('/auth/facebook/deauthorize'), signedBody),
    otherRoute('meta-data-deletion', fc.constant('/auth/facebook/data-deletion'), signedBody),
    otherRoute('stripe-webhook', fc.constant('/webhooks/stripe'), hostileBody),
    otherRoute('pages', fc.oneof(...pages)),
  ],
);
