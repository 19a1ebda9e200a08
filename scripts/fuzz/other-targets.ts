import * as fc from 'fast-check';
import { hostileBody, hostileJson, hostileText, utf8 } from './hostile.ts';
import {
  anyAddress,
  badSession,
  headerSafe,
  hostileHeaders,
  noHeaders,
  sessionOf,
  trickyPath,
  wrongMethod,
} from './parts.ts';
import { PERSON_KEYS } from './people.ts';
import { rawRequests } from './raw.ts';
import type { FuzzRequest, Who } from './request.ts';
import type { Target } from './targets.ts';
import { withHeaders } from './targets.ts';

const nobody = fc.constant<Who>({ kind: 'nobody' });
const FORM: [string, string] = ['content-type', 'application/x-www-form-urlencoded'];
const JSON_TYPE: [string, string] = ['content-type', 'application/json'];

interface Parts {
  method: string;
  paths: fc.Arbitrary<string>;
  who?: fc.Arbitrary<Who>;
  headers?: fc.Arbitrary<FuzzRequest['headers']>;
  bodies?: fc.Arbitrary<string | null>;
}

/** As the parts say, and the same with something broken. */
function target(name: string, weight: number, parts: Parts): Target {
  const { method, paths, who = nobody, headers = noHeaders, bodies = fc.constant(null) } = parts;
  const plain: fc.Arbitrary<FuzzRequest> = fc
    .record({ path: paths, who, own: headers, body: bodies, address: anyAddress })
    .map(({ path, who: caller, own, body, address }) => ({
      target: name,
      intent: 'near',
      who: caller,
      method,
      path,
      headers: [...address, ...own],
      body,
      framing: 'length',
    }));
  const broken = fc
    .tuple(
      plain,
      fc.oneof(
        hostileHeaders.map((more) => (request: FuzzRequest) => withHeaders(request, more)),
        trickyPath.map((trick) => (request: FuzzRequest) => ({ ...request, path: trick(request.path) })),
        wrongMethod.map((other) => (request: FuzzRequest) => ({ ...request, method: other })),
        hostileBody.map((body) => (request: FuzzRequest) => ({ ...request, body })),
        fc.constant((request: FuzzRequest) => ({ ...request, framing: 'chunked' as const })),
      ),
    )
    .map(([request, change]) => ({ ...change(request), intent: 'hostile' as const }));
  return { name, weight, requests: fc.oneof(plain, broken) };
}

const ONE_PLACE = fc.constant<FuzzRequest['headers']>([['x-forwarded-for', '203.0.113.7']]);

function limited(name: string, { method, paths, headers = noHeaders }: Parts): Target {
  const requests: fc.Arbitrary<FuzzRequest> = fc.tuple(paths, headers).map(([path, own]) => ({
    target: name,
    intent: 'near',
    who: { kind: 'nobody' },
    method,
    path,
    headers: own,
    body: null,
    framing: 'length',
  }));
  return { name, weight: 2, requests };
}

const query = (names: string[], values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 5 })
    .map(
      (pairs) =>
        `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed()).slice(0, 5000)}`).join('&')}`,
    );

const RETURNS = [
  '/',
  '/settings',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/%0d%0aset-cookie:a=b',
  '/a?error=x',
  '/..//evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
];
const cookies: fc.Arbitrary<FuzzRequest['headers']> = fc.oneof(
  noHeaders,
  fc
    .constantFrom('a'.repeat(43), 'a'.repeat(44), '', '"', '%00', 'a'.repeat(4000))
    .map((value) => [['cookie', `smartpause_login=${value}`] as [string, string]]),
  hostileText.map((text) => [['cookie', headerSafe(`smartpause_login=${text}`)] as [string, string]]),
);

/** Genuine returns from the platform's dialog among them, with parts of others put in. */
const returnPaths = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('{{return:dora}}', '{{return:dirk}}', '{{return:nora}}') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{{return:dirk}}&code=other',
      '{{return:dirk}}&state=a',
      '{{return:nora}}&error=access_denied',
    ),
  },
  {
    weight: 4,
    arbitrary: query(['state', 'code', 'error', 'error_code', 'state[]', '__proto__'], hostileText),
  },
);
const returnCookies: fc.Arbitrary<FuzzRequest['headers']> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<FuzzRequest['headers']>([['cookie', '{{returnCookie}}']]) },
  { weight: 1, arbitrary: cookies },
);

const signedPayload = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('{{signed:dora}}', '{{signed:dirk}}', '{{signed:unknown}}', '{{signed:old}}'),
  },
  {
    weight: 1,
    arbitrary: hostileJson.map(
      (value) => `{{signed-json:${Buffer.from(JSON.stringify(value)).toString('hex').slice(0, 6000)}}}`,
    ),
  },
  { weight: 2, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('.', 'a.b', `${'a'.repeat(43)}.e30`, '{{signed:dora}}x', 'x'.repeat(9000)),
  },
);
const signedForm = fc.oneof(
  { weight: 5, arbitrary: signedPayload.map((signed) => `signed_request=${signed}`) },
  {
    weight: 1,
    arbitrary: signedPayload.map((signed) => `signed_request=a&signed_request=${signed}&__proto__=1`),
  },
  { weight: 1, arbitrary: hostileBody },
);

const TYPES = [
  'checkout.session.completed',
  'customer.subscription.updated',
  'customer.deleted',
  'invoice.paid',
  'no.such.thing',
  '__proto__',
];
const stripeEvent = fc
  .record({
    id: fc.integer({ min: 1, max: 500 }).map((number) => `evt_fuzz_${number}`),
    type: fc.constantFrom(...TYPES),
    object: fc.oneof(
      fc.constantFrom<unknown>(
        { object: 'customer', id: 'cus_nobody' },
        { object: 'subscription', customer: 'cus_nobody' },
        { object: 'invoice', customer: { id: 'cus_nobody' } },
      ),
      fc.record({ object: hostileText, customer: hostileJson }),
    ),
  })
  .map(({ object, ...rest }) => utf8(JSON.stringify({ ...rest, data: { object } })));
const stripeBody = fc.oneof({ weight: 4, arbitrary: stripeEvent }, { weight: 1, arbitrary: hostileBody });
const stripeSignature: fc.Arbitrary<FuzzRequest['headers']> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant('{{stripe}}') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        't=0,v1=0',
        't=,v1=',
        't=99999999999999,v1=ab',
        '{{stripe}},v1=00',
        'v1=zz',
        `t=1,${'v1=00,'.repeat(900)}`,
      ),
    },
    { weight: 1, arbitrary: hostileText.map(headerSafe) },
  )
  .map((signature) => [JSON_TYPE, ['stripe-signature', signature] as [string, string]]);

const PAGE_PATHS = [
  '/',
  '/payment',
  '/privacy-policy',
  '/terms-of-service',
  '/dashboard',
  '/settings',
  '/admin',
  '/billing/success',
  '/data-deletion/AAAAAAAAAAAAAAAAAAAA',
  '/data-deletion/%00',
  '/robots.txt',
  '/sitemap.xml',
  '/assets/app.js',
  '/assets/app.js.br',
  '/assets/',
  '/index.html',
  '/landing.html',
  '/.env',
  '/package.json',
  '/.git/config',
  '/assets/..%2findex.html',
  '/assets/%2e%2e/index.html',
  '/..%5c..%5cetc%5cpasswd',
  '/assets/app.js%00.html',
  '/assets/app.js/',
];

/** What the product serves beside the calls of its contract. */
export function otherTargets(): Target[] {
  const anybody = fc.oneof(badSession, sessionOf(PERSON_KEYS));
  return [
    target('logout', 1, {
      method: 'POST',
      paths: fc.constant('/auth/logout'),
      who: fc.oneof(badSession, sessionOf(['dirk', 'nora'])),
    }),
    target('events', 2, { method: 'GET', paths: fc.constant('/api/events'), who: anybody }),
    target('login', 3, {
      method: 'GET',
      paths: fc
        .oneof(
          query(['returnTo'], fc.constantFrom(...RETURNS)),
          query(['returnTo', 'returnTo[]', 'x'], hostileText),
        )
        .map((more) => `/auth/facebook${more}`),
      headers: cookies,
    }),
    target('login-callback', 3, {
      method: 'GET',
      paths: returnPaths.map((more) => `/auth/facebook/callback${more}`),
      headers: returnCookies,
    }),
    target('meta-deauthorize', 2, {
      method: 'POST',
      paths: fc.constant('/auth/facebook/deauthorize'),
      headers: fc.constant([FORM]),
      bodies: signedForm,
    }),
    target('meta-data-deletion', 2, {
      method: 'POST',
      paths: fc.constant('/auth/facebook/data-deletion'),
      headers: fc.constant([FORM]),
      bodies: signedForm,
    }),
    target('stripe-webhook', 4, {
      method: 'POST',
      paths: fc.constant('/webhooks/stripe'),
      headers: stripeSignature,
      bodies: stripeBody,
    }),
    target('health', 1, { method: 'GET', paths: fc.constant('/health'), who: anybody }),
    target('pages', 3, { method: 'GET', paths: fc.constantFrom(...PAGE_PATHS), who: anybody }),
    target('unknown', 3, {
      method: 'GET',
      who: anybody,
      paths: fc.oneof(
        fc.webPath(),
        hostileText.map((text) => `/${encodeURIComponent(text.toWellFormed()).slice(0, 9000)}`),
        fc.webPath().map((path) => `/api${path}`),
      ),
    }),
    // From one place, and with one session: these meet the limits.
    limited('limits-address', { method: 'GET', paths: fc.constant('/auth/facebook'), headers: ONE_PLACE }),
    limited('limits-session', {
      method: 'POST',
      paths: fc.constant('/api/stripe/refresh-subscription'),
      headers: fc.constant<FuzzRequest['headers']>([['authorization', `Bearer ${'c'.repeat(43)}`]]),
    }),
    { name: 'raw', weight: 6, requests: rawRequests },
  ];
}
