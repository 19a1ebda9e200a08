import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStream } from '../../../test/support/page-stream.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';

const FILE = 'let a = 1;\n'.repeat(100);
const NOTHING = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox";
const PAGE = /^default-src 'none';script-src 'self';.*;frame-ancestors 'none';require-trusted-types-for/;
const CACHED_FOREVER = 'public, max-age=31536000, immutable';

async function addAsset(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/a.js'), FILE);
  await writeFile(join(folder, 'assets/a.js.br'), brotliCompressSync(FILE));
}

describe('every response', () => {
  const suite = startSuite({ addToWeb: addAsset });
  let who: Advertiser;
  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: Array.from({ length: 60 }, () => 'PAUSED' as const), on: 0 });
  });

  const ask = (url: string, headers: Record<string, string> = {}) =>
    suite.product.app.http.inject({
      ...{ url, method: url.startsWith('/webhooks') ? 'POST' : 'GET' },
      headers: { host: new URL(suite.product.url).host, ...headers },
    });
  const asUser = () => ({ authorization: `Bearer ${who.user.token}` });

  const SAFETY = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };

  test.each<[string, number, (string | RegExp)?, string?, string?]>([
    ['/api/me', 200],
    ['/%61pi/me', 200],
    ['http://x/api/me', 200],
    ['/api/nothing', 404],
    ['/%61pi/nothing', 404],
    ['http://x/api/nothing', 404],
    ['/assets/b.js', 404],
    ['/assets/', 404],
    ['/webhooks/stripe', 400],
    ['/auth/facebook', 302, NOTHING, 'no-store', 'none'],
    ['/auth/facebook/callback', 302, NOTHING, 'no-store', 'none'],
    ['/robots.txt', 200, NOTHING, 'no-store', 'text/plain; charset=utf-8'],
    ['/health/live', 200],
    ['/', 200, PAGE, 'no-store', 'text/html; charset=utf-8'],
    ['/nowhere', 404, PAGE, 'no-store', 'text/html; charset=utf-8'],
    ['/status', 200, PAGE, 'public, max-age=15', 'text/html; charset=utf-8'],
    ['/assets/a.js', 200, NOTHING, CACHED_FOREVER, 'application/javascript; charset=utf-8'],
  ])(
    '%s: %i with the security headers',
    async (url, status, policy = NOTHING, cache = 'no-store', type = 'application/json; charset=utf-8') => {
      const { statusCode, headers } = await ask(url, asUser());
      expect(statusCode).toBe(status);
      expect(headers).toMatchObject({ ...SAFETY, 'cache-control': cache });
      expect(headers['content-security-policy']).toMatch(policy);
      expect(headers['content-type'] ?? 'none').toBe(type);
      for (const name of ['access-control-allow-origin', 'server', 'x-powered-by'])
        expect(headers).not.toHaveProperty(name);
    },
  );

  test('of an event stream has the security headers', async () => {
    const stream = await openStream(who.user);
    stream.close();
    const headers = Object.fromEntries(stream.response.headers);
    expect(headers).toMatchObject({ ...SAFETY, 'content-security-policy': NOTHING });
  });

  test('with a byte range or without a new content keeps the headers of the file', async () => {
    const whole = await ask('/assets/a.js');
    const part = await ask('/assets/a.js', { range: 'bytes=0-4' });
    const known = await ask('/assets/a.js', { 'if-none-match': String(whole.headers['etag']) });
    const packed = await ask('/assets/a.js', { 'accept-encoding': 'br' });
    const responses = [whole, part, known, packed];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 206, 304, 200]);
    expect(part.body).toBe('let a');
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(FILE);
    for (const { headers } of responses)
      expect(headers).toMatchObject({ ...SAFETY, 'cache-control': CACHED_FOREVER });
    expect((await ask('/assets/a.js', { range: 'bytes=999999-' })).json()).toMatchObject({
      error: { code: 'INVALID_REQUEST' },
    });
  });

  test('that is long is compressed if the client accepts it', async () => {
    const path = `/%61pi/campaigns/${who.accountId}`;
    const packed = await ask(path, { ...asUser(), 'accept-encoding': 'gzip, deflate' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
    const plain = await ask(path, { ...asUser(), 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json());
    const short = await ask('/api/me', { ...asUser(), 'accept-encoding': 'gzip' });
    expect(short.headers).not.toHaveProperty('content-encoding');
  });
});
