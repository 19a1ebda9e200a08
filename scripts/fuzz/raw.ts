import * as fc from 'fast-check';
import type { FuzzRequest } from './request.ts';

const TOKEN = '{{token:maya:0}}';
const HEAD = `x-fuzz: {{label}}\r\nhost: {{host}}\r\n`;
/** What must never be taken for a request of its own: it stands where only a body can be. */
const SMUGGLED = `GET /api/account/export HTTP/1.1\r\nx-fuzz: {{label}}-smuggled\r\nhost: {{host}}\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`;

const post = (headers: string, body: string): string =>
  `POST /api/user/settings HTTP/1.1\r\n${HEAD}authorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;
const get = (headers: string, path = '/api/me', rest = ''): string =>
  `GET ${path} HTTP/1.1\r\n${HEAD}${headers}\r\n\r\n${rest}`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Two ways to tell where a body ends: whoever sees both must refuse, or somebody in front will see another end. */
const AMBIGUOUS = [
  post(`content-length: ${SMUGGLED.length + 5}\r\ntransfer-encoding: chunked`, `0\r\n\r\n${SMUGGLED}`),
  post(`transfer-encoding: chunked\r\ncontent-length: 4`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`content-length: ${SMUGGLED.length}\r\ncontent-length: 0`, SMUGGLED),
  post(`content-length: 0\r\ncontent-length: ${SMUGGLED.length}`, SMUGGLED),
  post(`content-length: 0, ${SMUGGLED.length}`, SMUGGLED),
  post(`content-length: +${SMUGGLED.length}`, SMUGGLED),
  post(`content-length: -1`, SMUGGLED),
  post(`content-length: 0x${SMUGGLED.length.toString(16)}`, SMUGGLED),
  post(`content-length: 99999999999999999999999`, SMUGGLED),
  post(`content-length : 0`, SMUGGLED),
  post(`content-length:\r\n 0`, SMUGGLED),
  post(`transfer-encoding : chunked`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`transfer-encoding: xchunked`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`transfer-encoding: chunked, identity`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`transfer-encoding: identity, chunked\r\ncontent-length: 3`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`transfer-encoding: "chunked"`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`transfer-encoding:\tchunked\r\ntransfer-encoding: cow`, `${chunk(SMUGGLED)}0\r\n\r\n`),
  post(`transfer-encoding: chunked`, `zz\r\n${SMUGGLED}`),
  post(`transfer-encoding: chunked`, `-1\r\n${SMUGGLED}`),
  post(`transfer-encoding: chunked`, `ffffffffffffffff\r\n${SMUGGLED}`),
  post(`transfer-encoding: chunked`, `1;${'a'.repeat(20_000)}\r\na\r\n0\r\n\r\n`),
  post(`transfer-encoding: chunked`, `5\n{"a":\n0\n\n${SMUGGLED}`),
  post(`transfer-encoding: chunked`, `2\r\n{}x\r\n0\r\n\r\n`),
  post(
    `transfer-encoding: chunked\r\ntrailer: authorization`,
    `2\r\n{}\r\n0\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`,
  ),
  get(`x: y\r\n\tfolded: ${'z'.repeat(10)}`),
];

/** No message at all, or hardly one. */
const MALFORMED = [
  '\r\n\r\n',
  '\0\0\0\0',
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET  /api/me  HTTP/1.1\r\nhost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`,
  `${'A'.repeat(3000)} / HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /api/me HTTP/1.1\n${HEAD.replaceAll('\r', '')}\n`,
  `GET /api/me HTTP/1.0\r\n${HEAD}\r\n`,
  `CONNECT evil.example:443 HTTP/1.1\r\n${HEAD}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`,
  `GET http://evil.example/api/me HTTP/1.1\r\n${HEAD}\r\n`,
  `GET ftp://evil.example:99999/ HTTP/1.1\r\n${HEAD}\r\n`,
  `GET //evil.example HTTP/1.1\r\n${HEAD}\r\n`,
  `GET api/me HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /\x00 HTTP/1.1\r\n${HEAD}\r\n`,
  get('host: evil.example'),
  get('a: b\r\n: empty name'),
  get('na\x00me: a'),
  get('name: a\x00b'),
  get('name: a\rb'),
  get('no colon here'),
  get(`x: ${'y'.repeat(20_000)}`),
  get(Array.from({ length: 3000 }, (_, index) => `h${index}: ${index}`).join('\r\n')),
  get('expect: 200-maybe'),
  get('upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: a\r\nsec-websocket-version: 13'),
  get('upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA'),
  get(`authorization: Bearer ${TOKEN}\r\nauthorization: Bearer x`),
  get(`content-length: 5`, '/api/me', 'ab'),
  post(`content-length: 500`, '{"a":'),
  post(`expect: 100-continue\r\ncontent-length: 2`, '{}'),
  post(`expect: 100-continue\r\ncontent-length: 9999999`, '{}'),
  post(`content-length: 65537`, 'x'.repeat(65_537)),
  post(`content-length: 2000000`, 'x'.repeat(200_000)),
];

const PIPELINED = [
  get('a: b') + get('c: d', '/health') + get('e: f', '/nowhere'),
  get('a: b', '/health').repeat(40),
  get(`authorization: Bearer ${TOKEN}`) + get('a: b'),
  post('content-length: 2', '{}') + get('connection: close'),
  get('connection: close') + get('a: b', '/health'),
];

const known = fc.constantFrom(...AMBIGUOUS, ...MALFORMED, ...PIPELINED);

/** The same with a few bytes changed, dropped or put in. */
const disturbed = fc
  .tuple(known, fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.nat(255)), { minLength: 1, maxLength: 4 }))
  .map(([bytes, changes]) =>
    changes.reduce((text, [place, how, byte]) => {
      const end = Math.max(1, Math.min(text.length, 600));
      const at = place % end;
      const put = how === 1 ? '' : String.fromCharCode(byte);
      return text.slice(0, at) + put + text.slice(how === 2 ? at : at + 1);
    }, bytes),
  );

export const rawRequests: fc.Arbitrary<FuzzRequest> = fc
  .oneof({ weight: 2, arbitrary: known }, { weight: 3, arbitrary: disturbed })
  .map((raw) => ({
    target: 'raw',
    intent: 'hostile',
    who: { kind: 'nobody' },
    method: /^\s*HEAD /.test(raw) ? 'HEAD' : 'GET',
    path: '',
    headers: [],
    body: null,
    framing: 'length',
    raw,
  }));

/** Only of what nothing was changed in: with the framing itself disturbed, what follows may well be a request. */
export function mustNotReach(raw: string): boolean {
  return AMBIGUOUS.includes(raw);
}
