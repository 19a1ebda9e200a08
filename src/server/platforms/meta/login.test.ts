import { expect, test } from 'vitest';
import type { GraphClient } from './client.ts';
import { createPlatformLogin } from './login.ts';

const CONFIG = { dialogUrl: 'https://dialog.test', apiVersion: 'v1', appId: '1', appSecret: 's' };

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
