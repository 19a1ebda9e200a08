import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';

const POST = 'POST /api/user/settings HTTP/1.1\r\nhost: a\r\n';
const FILE = 'let a = 1;\n'.repeat(100);

async function addAsset(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/a.js'), FILE);
  await writeFile(join(folder, 'assets/a.js.br'), brotliCompressSync(FILE));
}

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

/** Sends raw bytes and reads the response until the server closes the connection. */
async function send(url: string, text: string): Promise<Answer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server closes it before it has read all of a request that is too long.
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  await once(socket, 'close');
  const received = Buffer.concat(chunks);
  const end = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => /^([^:]+): (.*)$/.exec(line)?.slice(1) as [string, string]);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: received.subarray(end + 4),
  };
}

const valueOf = ({ headers }: Answer, name: string) => headers.get(name);

describe('every response', () => {
  const suite = startSuite({ addToWeb: addAsset });
  let who: Advertiser;
  let usual: Answer;

  const ask = (target: string, headers: Record<string, string> = {}) => {
    const all = Object.entries({ host: new URL(suite.product.url).host, connection: 'close', ...headers });
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
    return send(suite.product.url, `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  };
  const asUser = () => ({ authorization: `Bearer ${who.user.token}` });

  beforeAll(async () => {
    // Compression starts at 8 kB.
    who = await suite.advertiser({ campaigns: Array.from({ length: 60 }, () => 'PAUSED' as const), on: 0 });
    usual = await ask('/health/live');
  });

  /** Headers that every response has. */
  const SAFETY = [
    'content-security-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'origin-agent-cluster',
    'permissions-policy',
    'referrer-policy',
    'x-content-type-options',
    'x-frame-options',
  ];
  const safetyOf = (answer: Answer) => SAFETY.map((name) => [name, valueOf(answer, name)]);

  test('cannot be framed, cached or rendered as a page', () => {
    const policy = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox";
    expect(valueOf(usual, 'content-security-policy')).toBe(policy);
    expect(valueOf(usual, 'x-frame-options')).toBe('DENY');
    expect(valueOf(usual, 'cache-control')).toBe('no-store');
  });

  test.each([
    ['a call', '/api/me', 200],
    ['the same call, spelt otherwise', '/%61pi/me', 200],
    ['the same call, with our name before it', 'http://x/api/me', 200],
    ['a call that is not there', '/api/nothing', 404],
    ['the same, spelt otherwise', '/%61pi/nothing', 404],
    ['the same, with our name before it', 'http://x/api/nothing', 404],
    ['an unreadable address', '/api/me%', 400],
    ['a login', '/auth/facebook', 302],
    ['the end of a login', '/auth/facebook/callback', 302],
    ['a file that is not there', '/assets/b.js', 404],
    ['a directory of files', '/assets/', 404],
  ])('%s has the security headers', async (_what, target, status) => {
    const answer = await ask(target, asUser());
    expect(answer.status).toBe(status);
    expect(safetyOf(answer)).toEqual(safetyOf(usual));
    expect(valueOf(answer, 'cache-control')).toBe('no-store');
    if (status !== 302) expect(valueOf(answer, 'content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([
    ['no host', 'GET /api/me HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['bytes that are no request', 'nonsense\r\n\r\n'],
    ['no message at all', '\x16\x03\x01\r\n\r\n'],
    ['a method in small letters', 'get /api/me HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['two lengths', `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a length and chunks', `${POST}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a control character in a header', `${POST}x: \x01\r\n\r\n`],
    ['a header in two lines', `${POST}x-a: b\r\n c: d\r\n\r\n`],
    ['a bare line feed in a header', `${POST}x-a: b\nx-c\n: d\r\n\r\n`],
    ['an address that cannot be read', 'GET /api/me% HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['headers without an end', `${POST}x: ${'a'.repeat(20_000)}\r\n\r\n`, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'an unknown expectation',
      `${POST}expect: wonders\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      401,
      'UNAUTHENTICATED',
    ],
  ])(
    '%s: the rejection has the error envelope and the security headers',
    async (_what, text, status = 400, code = 'INVALID_REQUEST') => {
      const answer = await send(suite.product.url, text);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body.toString())).toMatchObject({
        error: { code, message: expect.any(String) as string },
      });
      expect(safetyOf(answer)).toEqual(safetyOf(usual));
      expect(valueOf(answer, 'cache-control')).toBe('no-store');
    },
  );

  test('a file, a byte range and a 304 have the security headers, and may be cached', async () => {
    const whole = await ask('/assets/a.js');
    const part = await ask('/assets/a.js', { range: 'bytes=0-4' });
    const known = await ask('/assets/a.js', { 'if-none-match': valueOf(whole, 'etag') ?? '' });
    const packed = await ask('/assets/a.js', { 'accept-encoding': 'br' });
    expect([whole, part, known, packed].map(({ status }) => status)).toEqual([200, 206, 304, 200]);
    expect(part.body.toString()).toBe('let a');
    expect(brotliDecompressSync(packed.body).toString()).toBe(FILE);
    for (const answer of [whole, part, known, packed]) {
      expect(safetyOf(answer)).toEqual(safetyOf(usual));
      expect(valueOf(answer, 'cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('a range beyond the end of a file is rejected with 416', async () => {
    const answer = await ask('/assets/a.js', { range: 'bytes=999999-' });
    expect(answer.status).toBe(416);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: { code: 'RANGE_NOT_SATISFIABLE' } });
    expect(valueOf(answer, 'content-range')).toBe(`bytes */${FILE.length}`);
    expect(safetyOf(answer)).toEqual(safetyOf(usual));
    expect(valueOf(answer, 'cache-control')).toBe('no-store');
  });

  test('a long API response is compressed, however the path is spelt', async () => {
    const path = `/%61pi/campaigns/${who.accountId}`;
    const answer = await ask(path, { ...asUser(), 'accept-encoding': 'gzip' });
    expect(answer.status).toBe(200);
    expect(valueOf(answer, 'content-encoding')).toBe('gzip');
    expect(valueOf(answer, 'cache-control')).toBe('no-store');
  });

  test('a page that does not exist is not compressed', async () => {
    const nowhere = await ask('/nowhere', { 'accept-encoding': 'br, gzip' });
    expect([nowhere.status, valueOf(nowhere, 'content-encoding')]).toEqual([404, undefined]);
    const somewhere = await ask('/payment', { 'accept-encoding': 'br, gzip' });
    expect([somewhere.status, valueOf(somewhere, 'content-encoding')]).toEqual([200, 'br']);
  });
});

describe('with TLS', () => {
  const environment = { PUBLIC_URL: 'https://smartpause.example' };
  const suite = startSuite({ environment, addToWeb: addAsset });

  test.each([
    ['a call', 'GET /api/me HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a page', 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a file', 'GET /assets/a.js HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['an unreadable address', 'GET /api/me% HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['no request', 'nonsense\r\n\r\n'],
  ])('browsers get Strict-Transport-Security, also in the response to %s', async (_what, text) => {
    const answer = await send(suite.product.url, text);
    expect(valueOf(answer, 'strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });
});
