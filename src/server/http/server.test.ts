import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import type { ErrorEnvelope } from '#contract/errors.ts';
import { ApiError } from '#contract/errors.ts';
import { DatabaseUnavailableError } from '../db/pool.ts';
import { serveHealth } from './health-routes.ts';
import { createHttpServer } from './server.ts';

/** Numbers of the log. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 };
const LONG = 'x'.repeat(1_000_000);

/** A client with keep-alive, as every proxy is. */
function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent }, resolve).once('error', reject));
}

test.each(['', LONG])(
  'a call during shutdown gets its response, and its connection does not delay the shutdown (%#)',
  async (body) => {
    const app = createHttpServer({ logLevel: 'silent' });
    const entered = Promise.withResolvers<null>();
    const mayRespond = Promise.withResolvers<null>();
    app.get('/slow', async () => {
      entered.resolve(null);
      await mayRespond.promise;
      return { body };
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const response = ask(`http://127.0.0.1:${port}/slow`, agent);
    await entered.promise;
    const closed = app.close();
    await waitFor('it to listen no more', () => !app.server.listening);
    mayRespond.resolve(null);
    const reply = await response;
    expect(reply.statusCode).toBe(200);
    reply.resume();
    await once(reply, 'end');
    await closed;
    agent.destroy();
  },
  10_000,
);

test.each([
  ['an expected error', new ApiError('CAMPAIGN_BUSY'), '409 CAMPAIGN_BUSY', 'info'],
  ['a limit', new ApiError('TOO_MANY_REQUESTS'), '429 TOO_MANY_REQUESTS', 'debug'],
  ['no database', new DatabaseUnavailableError('gone'), '503 TRY_LATER', 'warn'],
  ['an error of a plugin', Object.assign(new Error(), { statusCode: 418 }), '400 INVALID_REQUEST', 'info'],
  ['any other error', new Error('a secret'), '500 SERVER_ERROR', 'error'],
] as const)('%s: %s', async (_what, error, answer, level) => {
  const logTo = new PassThrough();
  const app = createHttpServer({ logLevel: 'debug', logTo });
  app.get('/api/me', () => Promise.reject(error));
  const { statusCode, headers, ...response } = await app.inject('/api/me');
  const body = response.json<ErrorEnvelope>();
  expect(`${statusCode} ${body.error.code}`).toBe(answer);
  expect(response.body).not.toContain('secret');
  expect(headers['retry-after']).toBe(answer === '503 TRY_LATER' ? '5' : undefined);
  expect(body.error.id).toBe(level === 'error' ? headers['x-request-id'] : undefined);
  const [line = ''] = String(logTo.read()).split('\n');
  expect(JSON.parse(line)).toMatchObject({ level: LEVELS[level] });
  await app.close();
});

test('an address that cannot be read gets the error envelope', async () => {
  const app = createHttpServer({ logLevel: 'silent' });
  const { statusCode, body } = await app.inject('/api/me%');
  expect([statusCode, JSON.parse(body)]).toMatchObject([400, { error: { code: 'INVALID_REQUEST' } }]);
  await app.close();
});

test('an overloaded process refuses API calls, not callbacks, webhooks, logins, pages and health', async () => {
  // Every process has more than one byte of memory.
  const app = createHttpServer({ logLevel: 'silent', pressure: { maxRssBytes: 1, sampleInterval: 10 } });
  app.get('/api/me', () => ({}));
  const others = ['/auth/facebook/deauthorize', '/webhooks/stripe', '/auth/facebook/callback', '/*'];
  for (const path of others) app.all(path, () => ({ path }));
  serveHealth(app, () => Promise.reject(new Error('not asked')));
  await waitFor('the pressure to be noticed', async () => (await app.inject('/api/me')).statusCode !== 200);
  const refused = await app.inject('/api/me');
  expect(refused.statusCode).toBe(503);
  expect(refused.json()).toMatchObject({ error: { code: 'TRY_LATER' } });
  expect(refused.headers['retry-after']).toBe('5');
  for (const path of others) expect((await app.inject(path)).json()).toEqual({ path });
  expect((await app.inject('/health/live')).json()).toEqual({ alive: true });
  await app.close();
});
