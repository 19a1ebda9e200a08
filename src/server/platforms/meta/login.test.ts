import { expect, test } from 'vitest';
import type { GraphClient } from './client.ts';
import { createPlatformLogin } from './login.ts';

const CONFIG = { dialogUrl: 'https://dialog.test', apiVersion: 'v1', appId: '1', appSecret: 's' };

function exchanged(value: unknown) {
  const call = () => Promise.resolve({ ok: true as const, value, headers: {} });
  const graph: GraphClient = { now: () => 0, aheadMs: () => 0, call };
  return createPlatformLogin(CONFIG, graph).extend('token');
}

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
