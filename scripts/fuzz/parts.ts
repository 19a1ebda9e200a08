import * as fc from 'fast-check';
import { hostileText } from './hostile.ts';
import type { PersonKey } from './people.ts';
import { PERSON_KEYS, SLOTS } from './people.ts';
import type { FuzzRequest, Who } from './request.ts';

type Headers = FuzzRequest['headers'];
export const noHeaders: fc.Arbitrary<Headers> = fc.constant<Headers>([]);

export function sessionOf(people: readonly PersonKey[]): fc.Arbitrary<Who> {
  return fc
    .tuple(fc.constantFrom(...people), fc.nat(SLOTS - 1))
    .map(([person, slot]) => ({ kind: 'session', person, slot }));
}

const token = 'a'.repeat(43);
const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer ',
  `Bearer ${token}`,
  `bearer ${token}`,
  `Bearer  ${token}`,
  `Bearer ${token} `,
  `Bearer ${token},Bearer ${token}`,
  `Bearer\t${token}`,
  `Basic ${token}`,
  'Basic OjpbXQ==',
  'Digest username="a"',
  `Bearer ${'a'.repeat(9000)}`,
  "Bearer ' or 1=1 --",
  'Bearer \xff\xfe\x80',
  'Bearer null',
  'Bearer undefined',
  'Bearer [object Object]',
  'Bearer {{token:omar:0}}x',
  'Bearer x{{token:omar:0}}',
  'Basic {{token:omar:0}}',
  '{{token:omar:0}}',
];

export const badSession: fc.Arbitrary<Who> = fc.oneof(
  fc.constant<Who>({ kind: 'nobody' }),
  fc.constantFrom(...PERSON_KEYS).map<Who>((person) => ({ kind: 'ended', person })),
  fc.constantFrom(...AUTHORIZATIONS).map<Who>((value) => ({ kind: 'header', value })),
  hostileText.map<Who>((value) => ({ kind: 'header', value: headerSafe(`Bearer ${value}`) })),
);

export const wrongMethod = fc.constantFrom(
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
  'get',
  'FOO',
);

const PATH_TRICKS: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `${path}?`,
  (path) => `${path}?a=1&a=2&__proto__[a]=1&constructor.prototype.a=1`,
  (path) => `${path}?${'a=1&'.repeat(500)}`,
  (path) => `${path}?%`,
  (path) => `${path}?token=%00%ff`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `${path}%ff`,
  (path) => `${path}%c0%ae`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}#fragment`,
  (path) => `${path}.json`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/', '/./'),
  (path) => path.replace('/api/', '/api/../api/'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/api/', '/api%2f'),
  (path) => path.replace('/api/', '/api%252f'),
  (path) => path.replace('/api/', '/api\\'),
  (path) => path.replaceAll('/', '//'),
  (path) => `/..${path}`,
  (path) => `/%2e%2e${path}`,
  (path) => `/%252e%252e%252f${path}`,
  (path) => `/assets/..%2f..${path}`,
  (path) => `http://evil.example${path}`,
  (path) => `//evil.example${path}`,
  (path) => `${path}/${'x'.repeat(250)}`,
  (path) => `${path}/${'x'.repeat(15_000)}`,
  (path) => `${path}\x80\xff`,
  (path) => path.slice(1),
  () => '*',
  () => '/',
];

export const trickyPath = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.nat(PATH_TRICKS.length - 1).map((index) => PATH_TRICKS[index] ?? ((path: string) => path)),
  },
  {
    weight: 1,
    arbitrary: hostileText.map(
      (text) => (path: string) => `${path}/${encodeURIComponent(text.toWellFormed()).slice(0, 12_000)}`,
    ),
  },
);

const CONTENT_TYPES = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;charset=utf-8;charset=latin1',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/json\t;',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'text/html',
  `application/json; ${'a'.repeat(4000)}=b`,
  '*/*',
  '/',
  'application/__proto__',
  'application/json+\xff',
];

const HEADERS: [string, string][] = [
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['content-encoding', 'identity'],
  ['accept', 'text/html;q=0.1, */*'],
  ['accept-encoding', 'gzip;q=0, br;q=0'],
  ['accept-encoding', `${'gzip,'.repeat(1500)}br`],
  ['accept-encoding', '*;q=0'],
  ['accept-language', '\xff'],
  ['range', 'bytes=0-0'],
  ['range', 'bytes=-9999999999999999999'],
  ['range', `bytes=${'0-1,'.repeat(2000)}0-1`],
  ['if-none-match', '*'],
  ['if-modified-since', 'Thu, 99 Foo 99999 99:99:99 GMT'],
  ['if-match', '"nothing"'],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['access-control-request-method', 'DELETE'],
  ['cookie', 'smartpause_login='],
  ['cookie', `smartpause_login=${'a'.repeat(43)}; smartpause_login=b`],
  ['cookie', '__proto__=1; constructor=2; =3; ;;;'],
  ['cookie', `a=${'%'.repeat(3000)}`],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-for', `${'1.1.1.1, '.repeat(800)}2.2.2.2`],
  ['x-forwarded-for', "'; drop table session; --"],
  ['x-forwarded-for', '::ffff:999.1.1.1'],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-proto', 'https,http'],
  ['x-forwarded-port', '-1'],
  ['forwarded', 'for="[::1]";host=evil.example;proto=https'],
  ['x-original-url', '/api/admin/stats'],
  ['x-rewrite-url', '/api/admin/stats'],
  ['x-http-method-override', 'POST'],
  ['x-method-override', 'DELETE'],
  ['x-user-id', '1'],
  ['x-admin', 'true'],
  ['x-request-id', '\x80<script>'],
  ['request-id', 'a'.repeat(3000)],
  ['host', 'evil.example'],
  ['host', ''],
  ['host', '127.0.0.1:99999999'],
  ['host', 'a@b/c?d'],
  ['user-agent', ''],
  ['user-agent', '() { :;}; echo'],
  ['user-agent', 'x'.repeat(9000)],
  ['referer', 'javascript:alert(1)'],
  ['connection', 'keep-alive, upgrade'],
  ['connection', 'authorization'],
  ['accept-version', '1.0.0'],
  ['expect', '100-continue'],
  ['prefer', 'return=minimal'],
  ['__proto__', '1'],
  ['constructor', '1'],
];

const hostileHeader: fc.Arbitrary<[string, string]> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HEADERS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...CONTENT_TYPES).map<[string, string]>((type) => ['content-type', type]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'x-anything',
          'cookie',
          'user-agent',
          'x-forwarded-for',
          'accept-encoding',
          'content-type',
        ),
        hostileText,
      )
      .map<[string, string]>(([name, text]) => [name, headerSafe(text)]),
  },
);

export const hostileHeaders: fc.Arbitrary<FuzzRequest['headers']> = fc.array(hostileHeader, {
  minLength: 1,
  maxLength: 3,
});

/** Requests come from many addresses, as behind a proxy of ours; some from one, which meets the limits. */
export const anyAddress: fc.Arbitrary<FuzzRequest['headers']> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
      .map<Headers>((parts) => [['x-forwarded-for', `10.${parts.join('.')}`]]),
  },
  { weight: 1, arbitrary: noHeaders },
);

/** Of characters that a header can carry. Its end cannot be in it: that is what the raw bytes are for. */
export function headerSafe(text: string): string {
  return Buffer.from(text.toWellFormed(), 'utf8')
    .toString('latin1')
    .replaceAll(/[\0\r\n]/g, '')
    .slice(0, 9000);
}
