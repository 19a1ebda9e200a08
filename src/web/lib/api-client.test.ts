import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { API_ERRORS } from '#contract/errors.ts';
import { BEING_READ } from '#contract/reply-tag.ts';

const session = { token: null as string | null, refused: [] as string[] };
// Test files share their modules: the client is loaded once more, for this session.
vi.resetModules();
vi.doMock('./session.ts', () => ({
  readToken: () => session.token,
  leaveRefusedSession: (...refused: string[]) => session.refused.push(...refused),
}));
const { CallError, call, errorMessage, hasCode, ifSupported } = await import('./api-client.ts');
const { createQueryClient, forgetUser } = await import('./query-client.ts');
const { serverNow } = await import('./server-clock.ts');
afterAll(() => {
  vi.doUnmock('./session.ts');
  vi.resetModules();
});

let sent: Request[];
let reply: () => Response | Promise<Response>;

beforeEach(() => {
  Object.assign(session, { token: 'secret', refused: [] });
  sent = [];
  vi.stubGlobal('fetch', (address: string, options: RequestInit) => {
    sent.push(new Request(new URL(address, 'https://smartpause.example'), options));
    return Promise.resolve(reply());
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pause = () => call(api.pauseCampaign, { params: { id: '7' } });

/** Every call is answered with this. */
function replies(status: number, body: unknown, statusText = ''): void {
  reply = () => new Response(JSON.stringify(body), { status, statusText });
}

async function failureOf(promise: Promise<unknown>): Promise<InstanceType<typeof CallError>> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof CallError)) throw new Error('expected a CallError', { cause: error });
  return error;
}

test('the page takes its time from the responses: the clock of the computer may be wrong, and be corrected', async () => {
  const [wrong, right] = [Date.parse('2026-03-01T12:00:00Z'), Date.parse('2026-03-02T05:01:00Z')];
  const date = new Date(right).toUTCString();
  // The header has no milliseconds: this clock may be right.
  vi.useFakeTimers({ now: right + 999, toFake: ['Date'] });
  reply = () => new Response('{}', { headers: { date } });
  await pause();
  expect(serverNow()).toBe(right + 999);
  for (const [laterMs, headers] of [
    [0, { date }],
    [300, { date }],
    [900, {}],
  ] as const) {
    vi.setSystemTime(wrong + laterMs);
    reply = () => new Response('{}', { status: 409, headers });
    await failureOf(pause());
    expect(serverNow()).toBe(right + laterMs);
  }
  vi.setSystemTime(right);
  reply = () => new Response('{}', { headers: { date } });
  await pause();
  expect(Math.abs(serverNow() - right)).toBeLessThanOrEqual(1000);
});

test('[AUTH-03] a call carries the token; JSON is declared only with a body', async () => {
  replies(200, { success: true, status: 'PAUSED', smartPauseSetting: 'on' });
  await pause();
  const params = { adAccountId: 'act_1', campaignId: '7' };
  const { smartPauseSetting } = await call(api.setSmartPause, { params, body: { enabled: true } });
  expect(smartPauseSetting).toBe('ON');
  const told = sent.map(({ url, headers }) => [
    new URL(url).pathname,
    headers.get('authorization'),
    headers.get('content-type'),
  ]);
  expect(told).toEqual([
    ['/api/campaigns/7/pause', 'Bearer secret', null],
    ['/api/smartpause/act_1/7', 'Bearer secret', 'application/json'],
  ]);
});

test('[UX-15] a read ends after 15 s without a response, a write after 60 s, both when the caller aborts', async () => {
  vi.useFakeTimers();
  reply = () => new Promise(() => undefined);
  const isAborted = () => sent.at(-1)?.signal.aborted;
  for (const [calling, limitMs] of [
    [() => call(api.me), 15_000],
    [pause, 60_000],
  ] as const) {
    void calling();
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(isAborted()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isAborted()).toBe(true);
  }
  const caller = new AbortController();
  void call(api.me, { signal: caller.signal });
  caller.abort();
  expect(isAborted()).toBe(true);
});

/** Every call gets a response whose body is sent part by part, as `body` says. */
function repliesSlowly() {
  const body: { sends?: (text: string) => void; ends?: () => void; breaks?: (reason: unknown) => void } = {};
  reply = () => {
    const { signal } = sent.at(-1) ?? expect.unreachable();
    return new Response(
      new ReadableStream({
        start: (stream) => {
          body.sends = (text) => stream.enqueue(new TextEncoder().encode(text));
          body.ends = () => stream.close();
          body.breaks = (reason) => stream.error(reason);
          signal.addEventListener('abort', () => stream.error(signal.reason));
        },
      }),
    );
  };
  return body;
}

test('[UX-15] a response that arrives slowly is read to its end', async () => {
  vi.useFakeTimers();
  const body = repliesSlowly();
  const reading = call(api.me);
  for (const part of ['{"user":{"name":"Nora",', '"isInitialized":true,', '"roles":[]}}']) {
    await vi.advanceTimersByTimeAsync(14_000);
    body.sends?.(part);
  }
  body.ends?.();
  expect((await reading).user.name).toBe('Nora');
});

test.each([
  [
    'that is cut off',
    (body: ReturnType<typeof repliesSlowly>) => body.breaks?.(new TypeError('network error')),
  ],
  ['that stops', () => vi.advanceTimersByTimeAsync(60_000)],
])('[UX-15] a body %s counts as no response, not as a refusal', async (_name, fails) => {
  vi.useFakeTimers();
  const body = repliesSlowly();
  for (const calling of [() => call(api.me), pause]) {
    const failing = calling().catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(0);
    body.sends?.('{"success":');
    await fails(body);
    const error = await failing;
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CallError);
  }
});

test('[AUTH-03] without a token no call is sent', async () => {
  session.token = null;
  await expect(call(api.me)).rejects.toThrow('No authentication token available');
  expect(sent).toEqual([]);
});

test.each(['secret', null])(
  'a public call carries no token, whether there is one or not (%s)',
  async (stored) => {
    session.token = stored;
    replies(401, {});
    expect((await failureOf(call(api.deletionStatus, { params: { code: 'C0DE' } }))).status).toBe(401);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null]);
    expect(session.refused).toEqual([]);
  },
);

test.each([
  { error: { code: 'SMARTPAUSE_ACTIVE' } },
  { error: 'SMARTPAUSE_ACTIVE' },
  { code: 'SMARTPAUSE_ACTIVE' },
])('[AUTH-07] an error code is read from %j', async (body) => {
  replies(409, body);
  const failed = await failureOf(pause());
  expect(hasCode(failed, 'SMARTPAUSE_ACTIVE')).toBe(true);
  expect(failed.reason).toBe(API_ERRORS.SMARTPAUSE_ACTIVE.message);
});

test.each([
  [{ error: { code: 'CARD_DECLINED', message: 'Your card was declined.' } }, 'Your card was declined.'],
  [{ error: 'Your card was declined.' }, 'Your card was declined.'],
  [{ error: 'CARD_DECLINED', message: 'Your card was declined.' }, 'Your card was declined.'],
  [{ message: 'Your card was declined.' }, 'Your card was declined.'],
  [{ error: '' }, 'Failed to create checkout session'],
  [
    { error: { code: 'INVALID_REQUEST', message: 'email: Invalid email address' } },
    'Failed to create checkout session',
  ],
])('[AUTH-07, PRICE-06, SET-09] the message of %j', async (body, shown) => {
  replies(402, body);
  const failed = await failureOf(call(api.createCheckoutSession, { body: { planType: 'yearly' } }));
  expect(errorMessage('Failed to create checkout session', failed)).toBe(shown);
});

test('[AUTH-07] a call that another server answers with its page, or with 404, is absent', async () => {
  reply = () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } });
  expect(await ifSupported(call(api.liveTest))).toBeNull();
  await expect(pause()).rejects.toThrow('API call failed');
  replies(404, {});
  expect(await ifSupported(call(api.liveTest))).toBeNull();
  replies(403, {});
  await expect(ifSupported(call(api.liveTest))).rejects.toThrow('API call failed');
});

test('[AUTH-07] the response of an action may have no body', async () => {
  reply = () => new Response();
  expect(await pause()).toEqual({ success: true, status: 'PAUSED' });
});

test('[AUTH-04] a rejected token ends the session, and the call fails', async () => {
  reply = () => {
    // Another tab may have replaced it during the call.
    session.token = 'newer';
    return new Response('{}', { status: 401 });
  };
  await expect(call(api.me)).rejects.toThrow('Authentication expired - please log in again');
  expect(session.refused).toEqual(['secret', 'TOKEN_EXPIRED']);
});

test('[AUTH-05] another refusal, or a response that is not understood, is an error', async () => {
  replies(409, {}, 'Conflict');
  expect((await failureOf(pause())).message).toBe('API call failed: Conflict');
  replies(200, { user: { name: 5 } });
  expect((await failureOf(call(api.me))).message).toBe('API call failed: the answer was not understood');
  reply = () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' });
  expect((await failureOf(call(api.me))).message).toBe('API call failed: Bad Gateway');
});

describe('a list that the server gives a tag', () => {
  const [hats, shoes] = ['Hats', 'Shoes'].map((name, at) => ({
    ...{ id: String(at), name, status: 'ACTIVE', objective: '', smartPauseSetting: 'ON' },
  }));
  const read = () => call(api.campaigns, { params: { adAccountId: 'act_1' } });
  const sentTag = () => sent.at(-1)?.headers.get('if-none-match');
  const sends = (campaigns: unknown[], headers: Record<string, string> = {}) => {
    reply = () => Response.json({ campaigns }, { headers });
  };
  const sendsNone = (headers: Record<string, string> = {}) => {
    reply = () => new Response(null, { status: 304, headers });
  };
  afterEach(() => forgetUser(createQueryClient()));

  test('is the same object until it changes, and then keeps the campaigns that did not', async () => {
    sends([hats, shoes], { etag: 'W/"1"' });
    const first = await read();
    expect(sentTag()).toBeNull();
    sendsNone();
    expect(await read()).toBe(first);
    expect(sentTag()).toBe('W/"1"');
    sendsNone({ [BEING_READ]: 'true' });
    const refreshing = await read();
    expect(refreshing).toEqual({ ...first, isBeingRead: true });
    expect(refreshing.campaigns).toBe(first.campaigns);
    expect(await read()).toBe(refreshing);
    const caps = { ...hats, id: '2', name: 'Caps' };
    sends([caps, { ...hats, status: 'PAUSED' }, shoes], { etag: 'W/"2"' });
    const second = await read();
    expect(second.campaigns.map(({ status }) => status)).toEqual(['ACTIVE', 'PAUSED', 'ACTIVE']);
    expect(second.campaigns[2]).toBe(first.campaigns[1]);
    sendsNone();
    await read();
    expect(sentTag()).toBe('W/"2"');
  });

  test('is forgotten at a logout, and never the answer to another user', async () => {
    sends([hats], { etag: 'W/"1"' });
    await read();
    session.token = 'of another user';
    await read();
    expect(sentTag()).toBeNull();
    forgetUser(createQueryClient());
    await read();
    expect(sentTag()).toBeNull();
  });

  test('is read in parts if it is long, and not at all if a part is wrong', async () => {
    const many = Array.from({ length: 1201 }, (_, id) => ({ ...hats, id, smartPauseSetting: 'On' }));
    sends(many);
    expect((await read()).campaigns).toEqual(many.map(({ id }) => ({ ...hats, id: String(id) })));
    sends([...many, { ...hats, name: 5 }]);
    await expect(read()).rejects.toThrow('not understood');
  });

  test('is read as a whole from a server without tags', async () => {
    sends([hats]);
    const first = await read();
    expect(first.campaigns).toEqual([hats]);
    expect((await read()).campaigns).toBe(first.campaigns);
    expect(sentTag()).toBeNull();
  });
});
