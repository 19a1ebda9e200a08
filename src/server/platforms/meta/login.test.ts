import { describe, expect, test } from 'vitest';
import type { PlatformResult } from '../platform.ts';
import type { GraphCall, GraphClient } from './client.ts';
import { classifyError } from './errors.ts';
import { createPlatformLogin } from './login.ts';

const CONFIG = {
  dialogUrl: 'https://dialog.test',
  apiVersion: 'v1',
  appId: '1',
  appSecret: 's',
  loginConfigId: null,
};

/** The login, while Meta returns this to everything. */
function login(value: unknown) {
  const call = () => Promise.resolve({ ok: true as const, value, headers: {} });
  const graph: GraphClient = { now: () => 0, aheadMs: () => 0, call };
  return createPlatformLogin(CONFIG, graph);
}
const exchanged = (value: unknown) => login(value).extend('token');
const inspected = (data: unknown) => login([{ code: 200, body: JSON.stringify({ data }) }]).inspect('token');

test.each([
  [5400, 5_400_000],
  ['5400', 5_400_000],
  [0, null],
  [-1, null],
  ['soon', null],
  [null, null],
  [undefined, null],
])('[FR-09] a token with expires_in %j is read', async (expires_in, expiresInMs) => {
  const value = { token: 'T1', expiresInMs };
  expect(await exchanged({ access_token: 'T1', expires_in })).toEqual({ ok: true, value });
});

test.each([{}, { access_token: '' }, { access_token: null, expires_in: 5400 }, [], 'T1'])(
  '[FR-09] 200 with %j is no token',
  async (value) => {
    expect(await exchanged(value)).toMatchObject({ ok: false, failure: { kind: 'transient' } });
  },
);

const NO_END = { isValid: true, expiresAt: null, permissions: null };

test.each([
  [{ is_valid: false }, { isValid: false }],
  [{ is_valid: false, error: { code: 190 }, scopes: null, expires_at: null }, { isValid: false }],
  [{ is_valid: true }, NO_END],
  [{ is_valid: true, scopes: null, expires_at: null, data_access_expires_at: null }, NO_END],
  [
    { is_valid: true, scopes: ['email'], expires_at: 5, data_access_expires_at: 0 },
    { isValid: true, expiresAt: 5000, permissions: ['email'] },
  ],
])('[FR-03] the inspection %j is read', async (data, value) => {
  expect(await inspected(data)).toEqual({ ok: true, value });
});

test.each([{}, null, { is_valid: 'no' }])('[FR-03] the inspection %j says nothing', async (data) => {
  expect(await inspected(data)).toMatchObject({ ok: false, failure: { kind: 'transient' } });
});

describe('[FR-33] the app token that inspects', () => {
  const VALID = [{ code: 200, body: JSON.stringify({ data: { is_valid: true } }) }];
  const refusal = (code: number) => {
    const none = { error_subcode: null, error_user_title: null, error_user_msg: null };
    return { ok: false as const, failure: classifyError({ code, message: '', ...none }) };
  };

  /** The app tokens that inspections are sent with; 'fetch': a request for another one. */
  function meta(answer: (sentWith: string) => PlatformResult<unknown>) {
    const sent: string[] = [];
    const time = { now: 0 };
    const call = ({ params = {} }: GraphCall) => {
      expect(JSON.stringify(params)).not.toMatch(/client_secret.*batch|batch.*client_secret/);
      const sentWith =
        params['grant_type'] === 'client_credentials' ? 'fetch' : (params['access_token'] ?? '');
      sent.push(sentWith);
      return Promise.resolve({ headers: {}, ...answer(sentWith) });
    };
    const { inspect } = createPlatformLogin(CONFIG, { now: () => time.now, aheadMs: () => 0, call });
    const inspectAll = async (count: number) => {
      const results = await Promise.all(Array.from({ length: count }, (_, index) => inspect(`T${index}`)));
      return [results.filter(({ ok }) => ok).length, ...sent.splice(0)];
    };
    return { time, inspectAll };
  }

  test.each([190, 102, 101, 104, 100, 200, 10, 803, 2500, 3])('code %d', async (code) => {
    const kept = { ok: true as const, value: VALID };
    const { inspectAll } = meta((sentWith) => {
      if (sentWith === 'fetch') return { ok: true, value: { access_token: 'issued' } };
      return sentWith === 'issued' ? kept : refusal(code);
    });
    const isRefused = code !== 803;
    expect(await inspectAll(1)).toEqual(isRefused ? [1, '1|s', 'fetch', 'issued'] : [0, '1|s']);
    expect(await inspectAll(1)).toEqual(isRefused ? [1, 'issued'] : [0, '1|s']);
  });

  test.each([1, 2, 4, 17, 613, 368])('code %d does not replace it', async (code) => {
    const { inspectAll } = meta(() => refusal(code));
    expect(await inspectAll(1)).toEqual([0, '1|s']);
  });

  test('is fetched once for all, and again after a quarter of an hour at the earliest', async () => {
    const valid = new Set<string>();
    const { time, inspectAll } = meta((sentWith) => {
      if (sentWith === 'fetch') return { ok: true, value: { access_token: `issued ${time.now}` } };
      return valid.has(sentWith) ? { ok: true, value: VALID } : refusal(190);
    });
    const three = (token: string) => [token, token, token];
    expect(await inspectAll(3)).toEqual([0, ...three('1|s'), 'fetch', ...three('issued 0')]);
    valid.add('issued 0');
    expect(await inspectAll(1)).toEqual([1, 'issued 0']);
    valid.clear();
    time.now = 899_999;
    expect(await inspectAll(3)).toEqual([0, ...three('issued 0')]);
    time.now = 900_000;
    expect(await inspectAll(3)).toEqual([0, ...three('issued 0'), 'fetch', ...three('issued 900000')]);
    valid.add('issued 900000');
    expect(await inspectAll(1)).toEqual([1, 'issued 900000']);
  });

  test('that Meta does not issue is asked for again after a quarter of an hour', async () => {
    const { time, inspectAll } = meta((sentWith) => refusal(sentWith === 'fetch' ? 1 : 190));
    expect(await inspectAll(2)).toEqual([0, '1|s', '1|s', 'fetch']);
    expect(await inspectAll(1)).toEqual([0, '1|s']);
    time.now = 900_000;
    expect(await inspectAll(1)).toEqual([0, '1|s', 'fetch']);
  });
});

test.each([
  [null, { scope: expect.stringContaining('ads_management') as string }],
  ['77', { config_id: '77', override_default_response_type: 'true' }],
])('[FR-35] the dialog of an app with login configuration %j', (loginConfigId, own) => {
  const graph = { now: () => 0, aheadMs: () => 0, call: () => Promise.reject(new Error('no call')) };
  const { dialogAddress } = createPlatformLogin({ ...CONFIG, loginConfigId }, graph);
  const given = { redirectUri: 'https://x.test/back', state: 'S', codeChallenge: 'C' };
  expect(Object.fromEntries(new URL(dialogAddress(given)).searchParams)).toEqual({
    ...{ client_id: '1', redirect_uri: 'https://x.test/back', state: 'S', response_type: 'code' },
    ...{ code_challenge: 'C', code_challenge_method: 'S256', auth_type: 'rerequest', ...own },
  });
});
