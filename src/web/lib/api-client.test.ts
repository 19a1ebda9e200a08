/// <reference types="node" />
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { API_ERRORS } from '#contract/errors.ts';
import { CallError, createApiClient, hasCode, ifSupported, errorMessage } from './api-client.ts';

let server: Server;
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let token: string | null;
let refused: string[];

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  token = 'secret';
  refused = [];
});

const call = createApiClient({
  get origin() {
    return origin;
  },
  readToken: () => token,
  onUnauthorized: (given) => refused.push(given),
});

function replies(status: number, body: unknown) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

async function failureOf(promise: Promise<unknown>): Promise<CallError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error('expected a CallError', { cause: error });
  return error;
}

test('[AUTH-03] a call carries the token; JSON is declared only with a body', async () => {
  const seen: IncomingMessage[] = [];
  answer = (request, response) => {
    seen.push(request);
    replies(200, { success: true, status: 'PAUSED', smartPauseSetting: 'on' })(request, response);
  };
  await call(api.pauseCampaign, { params: { id: '7' } });
  const reply = await call(api.setSmartPause, {
    params: { adAccountId: 'act_1', campaignId: '7' },
    body: { enabled: true },
  });
  expect(reply.smartPauseSetting).toBe('ON');
  expect(seen.map((request) => request.url)).toEqual(['/api/campaigns/7/pause', '/api/smartpause/act_1/7']);
  expect(seen.map((request) => request.headers['content-type'])).toEqual([undefined, 'application/json']);
  expect(seen.every((request) => request.headers.authorization === 'Bearer secret')).toBe(true);
});

test('a call that its caller aborts rejects', async () => {
  const asked = Promise.withResolvers<undefined>();
  answer = () => asked.resolve(undefined);
  const aborter = new AbortController();
  const params = { adAccountId: 'act_1', campaignId: '7' };
  const calling = call(api.setSmartPause, { params, body: { enabled: true }, signal: aborter.signal });
  await asked.promise;
  aborter.abort();
  await expect(calling).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});

test('a read ends after 15 s without a response; a change has no time limit', async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const asked = Promise.withResolvers<undefined>();
  answer = () => asked.resolve(undefined);
  const reading = call(api.me, { signal: new AbortController().signal });
  await asked.promise;
  expect(timeout.mock.calls).toEqual([[15_000]]);
  limit.abort(new DOMException('too late', 'TimeoutError'));
  await expect(reading).rejects.toThrow('too late');
  answer = replies(200, {});
  await call(api.pauseCampaign, { params: { id: '7' } });
  expect(timeout).toHaveBeenCalledTimes(1);
  timeout.mockRestore();
});

test('[AUTH-03] without a token no call is sent', async () => {
  token = null;
  answer = () => expect.unreachable();
  await expect(call(api.me)).rejects.toThrow('No authentication token available');
});

test.each(['secret', null])(
  'a public call carries no token, whether one exists or not (%s)',
  async (stored) => {
    token = stored;
    const sent: IncomingMessage[] = [];
    const status = {
      confirmationCode: 'C0DE',
      requestedAt: '2026-01-09T02:30:00.000Z',
      finishedAt: null,
      isSuperseded: false,
    };
    answer = (request, response) => {
      sent.push(request);
      replies(200, status)(request, response);
    };
    expect(await call(api.deletionStatus, { params: { code: 'C0DE' } })).toEqual(status);
    answer = replies(401, {});
    expect((await failureOf(call(api.deletionStatus, { params: { code: 'C0DE' } }))).status).toBe(401);
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(refused).toEqual([]);
  },
);

test.each([
  { error: { code: 'SMARTPAUSE_ACTIVE' } },
  { error: 'SMARTPAUSE_ACTIVE' },
  { code: 'SMARTPAUSE_ACTIVE' },
])('[AUTH-07] an error code is read from %j', async (body) => {
  answer = replies(409, body);
  const failed = await failureOf(call(api.resumeCampaign, { params: { id: '7' } }));
  expect([failed.code, failed.reason]).toEqual(['SMARTPAUSE_ACTIVE', API_ERRORS.SMARTPAUSE_ACTIVE.message]);
});

test.each([
  { error: { message: 'Your card was declined.' } },
  { error: 'Your card was declined.' },
  { error: 'CARD_DECLINED', message: 'Your card was declined.' },
  { message: 'Your card was declined.' },
])('[AUTH-07, PRICE-06, SET-09] the message returned is read from %j', async (body) => {
  answer = replies(402, body);
  const failed = await failureOf(call(api.createCheckoutSession, { body: { planType: 'yearly' } }));
  expect(errorMessage('Failed to create checkout session', failed)).toBe('Your card was declined.');
});

test('[PRICE-06] without a message returned the page uses its own', async () => {
  answer = replies(500, { error: '' });
  const failed = await failureOf(call(api.createCheckoutSession, { body: { planType: 'yearly' } }));
  expect(errorMessage('Failed to create checkout session', failed)).toBe('Failed to create checkout session');
});

test('[AUTH-07] a call that another server answers with its page, or with 404, is absent', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'text/html').end('<html></html>');
  expect(await ifSupported(call(api.liveTest))).toBeNull();
  await expect(call(api.pauseCampaign, { params: { id: '7' } })).rejects.toThrow('API call failed');
  answer = replies(404, {});
  expect(await ifSupported(call(api.liveTest))).toBeNull();
  answer = replies(403, {});
  await expect(ifSupported(call(api.liveTest))).rejects.toThrow('API call failed');
});

test('[AUTH-07] the response of an action may have no body', async () => {
  answer = (_request, response) => response.end();
  expect(await call(api.pauseCampaign, { params: { id: '7' } })).toEqual({ success: true, status: 'PAUSED' });
});

test('[AUTH-04] a rejected token ends the session, and the call fails', async () => {
  answer = (request, response) => {
    // Another tab may have replaced it during the call.
    token = 'newer';
    replies(401, {})(request, response);
  };
  await expect(call(api.me)).rejects.toThrow('Authentication expired - please log in again');
  expect(refused).toEqual(['secret']);
});

test('[AUTH-05] another refusal carries its status text, code and message', async () => {
  answer = replies(409, { error: { code: 'SMARTPAUSE_ACTIVE', message: 'Not while it is on.' } });
  const error = await failureOf(call(api.resumeCampaign, { params: { id: '7' } }));
  expect(error.message).toBe('API call failed: Conflict');
  expect(error.reason).toBe('Not while it is on.');
  expect(hasCode(error, 'SMARTPAUSE_ACTIVE')).toBe(true);
});

test('a response that does not match the contract is an error', async () => {
  answer = replies(200, { user: { name: 5 } });
  expect((await failureOf(call(api.me))).message).toBe('API call failed: the answer was not understood');
  answer = (_, response) => response.writeHead(502).end('<html>Bad gateway</html>');
  expect((await failureOf(call(api.me))).message).toBe('API call failed: Bad Gateway');
});
