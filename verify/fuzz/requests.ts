import * as fc from 'fast-check';
import { ADMIN_ACTIONS } from '../../src/contract/admin-overview.ts';
import type { ApiName } from '../../src/contract/api.ts';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { signedRequest } from '../fixtures/signed-request.ts';
import type { Key } from './users.ts';
import { USERS, idsOf, userOf } from './users.ts';
import { hostileBody, hostileText, nearlyValid, validValue } from './values.ts';

export interface FuzzRequest {
  target: string;
  /** Whether the contract accepts it. */
  isValid: boolean;
  /** The user whose session it carries, or the authorization header instead. */
  who: { key: Key } | { authorization: string | null };
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface Target {
  name: string;
  requests: fc.Arbitrary<FuzzRequest>;
}

/** These delete the account of their caller. */
const LEAVING: readonly ApiName[] = ['deauthorize', 'deleteAccount'];
const TOKEN = 'a'.repeat(43);
const AUTHORIZATIONS = [
  null,
  ...[
    '',
    'Bearer',
    `Bearer ${TOKEN}`,
    `bearer ${TOKEN}`,
    `Bearer  ${TOKEN}`,
    `Basic ${TOKEN}`,
    'Bearer null',
  ],
  ...[
    `Bearer ${'a'.repeat(9000)}`,
    "Bearer ' or 1=1 --",
    'Bearer \xff\xfe\x80',
    `Bearer ${TOKEN},Bearer ${TOKEN}`,
  ],
];
const METHODS = 'GET POST HEAD PUT PATCH DELETE OPTIONS TRACE PROPFIND'.split(' ');
const HEADERS = Object.entries({
  'content-encoding': ['gzip', 'br', 'identity'],
  'content-type':
    ' ¦ text/plain ¦ application/json; charset=utf-16 ¦ application/xml ¦ */* ¦ application/__proto__'.split(
      ' ¦ ',
    ),
  range: ['bytes=0-0', `bytes=${'0-1,'.repeat(2000)}0-1`],
  cookie: ['smartpause_login=', '__proto__=1; =3; ;;;', `a=${'%'.repeat(3000)}`],
  'x-forwarded-for': ['127.0.0.1', '::ffff:999.1.1.1', "'; drop table session; --"],
  host: ['evil.example'],
  'x-http-method-override': ['DELETE'],
  'x-original-url': ['/api/admin/stats'],
  'x-request-id': ['\x80<script>'],
  'accept-encoding': [`${'gzip,'.repeat(1500)}br`],
  'user-agent': ['x'.repeat(9000)],
  'x-long': ['x'.repeat(30_000)],
  expect: ['200-maybe'],
  origin: ['https://evil.example'],
}).flatMap(([name, values]) => values.map((value): Record<string, string> => ({ [name]: value })));
const ENDINGS = '/ ? %00 % %zz %ff %c0%ae ;jsessionid=1 .json ?a=1&a=2&__proto__[a]=1'.split(' ');
const BEGINNINGS = '/ /.. /%2e%2e http://evil.example /assets/..%2f..'.split(' ');
const PATH_TRICKS: ((path: string) => string)[] = [
  ...ENDINGS.map((end) => (path: string) => path + end),
  ...BEGINNINGS.map((start) => (path: string) => start + path),
  (path) => path.toUpperCase(),
  (path) => path.replace('/api/', '/api%2f'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replaceAll('/', '//'),
  (path) => `${path}/${'x'.repeat(15_000)}`,
];

const session = (keys: readonly Key[]): fc.Arbitrary<FuzzRequest['who']> =>
  fc.constantFrom(...keys).map((key) => ({ key }));
const noSession = fc.constantFrom(...AUTHORIZATIONS).map((authorization) => ({ authorization }));
const anyone = fc.oneof(noSession, session(['maya', 'omar', 'nora', 'boss']));

/** Every call of the contract, generated from its schemas. */
export function contractTargets(): Target[] {
  return (Object.keys(api) as ApiName[]).map((name) => ({ name, requests: requestsOf(name, api[name]) }));
}

function callersOf(name: ApiName, { access }: Endpoint): fc.Arbitrary<FuzzRequest['who']> {
  if (LEAVING.includes(name)) return session(['lena']);
  if (access === 'admin') return session(['boss']);
  const users = session(['maya', 'maya', 'omar', 'nora', 'boss']);
  return access === 'public' ? fc.oneof(noSession, users) : users;
}

interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

function requestsOf(name: ApiName, endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const partsFor = (who: FuzzRequest['who']): fc.Arbitrary<Parts> => {
    const own = 'key' in who ? idsOf(userOf(who.key)) : [];
    // Mostly the caller's own ids; also ids of others, and numbers like outage ids.
    const known = endpoint.path.includes('{action}')
      ? ADMIN_ACTIONS
      : [...Array.from({ length: 12 }, () => own).flat(), ...USERS.flatMap(idsOf), '1', '7'];
    const valid = (schema: Parameters<typeof validValue>[0]) =>
      validValue(schema, known) as fc.Arbitrary<Record<string, unknown>>;
    return fc.record({
      params: endpoint.params === undefined ? fc.constant({}) : valid(endpoint.params),
      query: endpoint.query === undefined ? fc.constant({}) : valid(endpoint.query),
      body: endpoint.body === undefined ? fc.constant(undefined) : validValue(endpoint.body, known),
    });
  };
  const made = callersOf(name, endpoint).chain((who) =>
    fc.record({ who: fc.constant(who), parts: partsFor(who), address: fc.tuple(fc.nat(255), fc.nat(255)) }),
  );
  const valid = made.map(({ who, parts, address }): FuzzRequest => {
    const headers = { 'x-forwarded-for': `10.1.${address.join('.')}` };
    return { target: name, isValid: true, who, headers, ...compose(endpoint, parts) };
  });
  const broken = fc.oneof(
    ...(['params', 'query', 'body'] as const).map((part) =>
      fc
        .tuple(valid, made, nearlyValid(made.map(({ parts }) => parts[part] ?? {})))
        .map(([request, { parts }, bad]) => {
          const changed = { ...parts, [part]: part === 'body' || isRecord(bad) ? bad : { value: bad } };
          return { ...request, ...compose(endpoint, changed) };
        }),
    ),
    fc.tuple(valid, hostileBody).map(([request, body]) => ({ ...request, body })),
    fc
      .tuple(valid, LEAVING.includes(name) ? noSession : anyone)
      .map(([request, who]) => ({ ...request, who })),
    disturbed(valid),
  );
  return fc.oneof(
    valid,
    broken.map((request) => ({ ...request, isValid: false })),
  );
}

function compose(
  { method, path, body: schema }: Endpoint,
  { params, query, body }: Parts,
): Pick<FuzzRequest, 'method' | 'path' | 'body'> {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encode(params[param]));
  const requested = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  const text =
    body === undefined || schema === undefined ? null : (JSON.stringify(body) as string | undefined);
  return {
    method,
    path: requested.length === 0 ? address : `${address}?${requested.join('&')}`,
    body: text ?? null,
  };
}

/** Another method, address, header or session. */
function disturbed(requests: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    fc.tuple(requests, fc.constantFrom(...METHODS)).map(([request, method]) => ({ ...request, method })),
    fc
      .tuple(requests, fc.constantFrom(...HEADERS))
      .map(([request, more]) => ({ ...request, headers: { ...request.headers, ...more } })),
    fc.tuple(requests, fc.nat(PATH_TRICKS.length - 1)).map(([request, index]) => {
      const trick = PATH_TRICKS[index] ?? ((path: string) => path);
      return { ...request, path: trick(request.path) };
    }),
  );
}

const PAGES = [
  ...'/ /dashboard /settings /admin /privacy-policy /robots.txt /sitemap.xml /assets/app.js /health'.split(
    ' ',
  ),
  ...'/.env /package.json /assets/..%2findex.html /..%5cetc%5cpasswd /assets/app.js%00.html'.split(' '),
];
const RETURNS =
  '/ /settings //evil.example /\\evil.example https://evil.example /%0d%0aset-cookie:a=b /..//evil.example'.split(
    ' ',
  );

/** Routes of the product outside the contract. */
export function otherTargets(): Target[] {
  const text = hostileText.map(encode);
  const target = (
    name: string,
    method: string,
    paths: fc.Arbitrary<string>,
    bodies: fc.Arbitrary<string | Buffer | null> = fc.constant(null),
    headers: Record<string, string> = {},
  ): Target => {
    const plain = fc
      .record({ path: paths, who: anyone, body: bodies })
      .map((made): FuzzRequest => ({ ...made, target: name, isValid: false, method, headers }));
    return { name, requests: fc.oneof(plain, disturbed(plain)) };
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const signed = fc.oneof(
    fc
      .constantFrom('lena', 'unknown')
      .map((key) => (key === 'lena' ? userOf(key).id : '7779999999'))
      .map((id) => `signed_request=${signedRequest(id, SIMULATED_APP.META_APP_SECRET, Date.now())}`),
    text.map((value) => `signed_request=${value}`),
    hostileBody,
  );
  return [
    target(
      'login',
      'GET',
      fc.oneof(fc.constantFrom(...RETURNS).map(encode), text).map((to) => `/auth/facebook?returnTo=${to}`),
    ),
    target(
      'login-callback',
      'GET',
      fc
        .tuple(fc.constantFrom('state', 'code', 'error', 'state[]'), text, text)
        .map(([name, one, two]) => `/auth/facebook/callback?${name}=${one}&code=${two}`),
    ),
    target('meta-deauthorize', 'POST', fc.constant('/auth/facebook/deauthorize'), signed, form),
    target('meta-data-deletion', 'POST', fc.constant('/auth/facebook/data-deletion'), signed, form),
    target('stripe-webhook', 'POST', fc.constant('/webhooks/stripe'), hostileBody, {
      'stripe-signature': 't=1,v1=00',
    }),
    target('pages', 'GET', fc.constantFrom(...PAGES)),
    target('events', 'GET', fc.constant('/api/events')),
    target(
      'unknown',
      'GET',
      fc.oneof(
        fc.webPath(),
        text.map((value) => `/api/${value}`),
      ),
    ),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}
