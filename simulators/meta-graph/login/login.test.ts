import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { listen } from '../../kit/http.ts';
import type { GraphWorld } from '../graph.fixture.ts';
import { MAYA, useGraph } from '../graph.fixture.ts';

const APP = { client_id: '1000000000000001' };
const SECRET = 'simulated-app-secret';
const BACK = 'http://localhost:3000/auth/callback?from=meta';
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0123';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let world: GraphWorld;

useGraph((started) => (world = started));

function dialog(form: [string, string][] | null, more: Record<string, string> = {}): Promise<Response> {
  const params = new URLSearchParams({
    ...{ ...APP, redirect_uri: BACK, state: 's t/1', scope: 'ads_management,ads_read,email' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...more },
  });
  return fetch(`${world.url}/v26.0/dialog/oauth?${params.toString()}`, {
    redirect: 'manual',
    ...(form !== null && { method: 'POST', body: new URLSearchParams(form) }),
  });
}

async function consent(granted: string[], more: Record<string, string> = {}): Promise<URL> {
  const form = [['user', MAYA], ...granted.map((scope) => ['granted', scope])] as [string, string][];
  return new URL((await dialog(form, more)).headers.get('location') ?? '');
}

const codeFor = async (...granted: string[]): Promise<string> =>
  (await consent(granted)).searchParams.get('code') ?? '';

const exchange = async (params: Record<string, string>) =>
  (
    await world.call<{ access_token: string; expires_in: number }>('POST', 'oauth/access_token', {
      ...{ ...APP, client_secret: SECRET, redirect_uri: BACK, code_verifier: VERIFIER, ...params },
    })
  ).body;

const inspect = async (input_token: string): Promise<unknown> => {
  const asApp = { input_token, access_token: `${APP.client_id}|${SECRET}` };
  return (await world.call('GET', 'debug_token', asApp)).body['data'];
};

test('the dialog offers the users and the permissions, and redirects with a code or an error', async () => {
  const page = await (await dialog(null, { state: '"><script>x</script>' })).text();
  for (const text of ['Continue as Maya Chen', 'value="ads_management" checked', '>Cancel</button>'])
    expect(page).toContain(text);
  expect(page).not.toContain('<script>x');
  const back = await consent(['ads_read']);
  expect(back.origin + back.pathname).toBe('http://localhost:3000/auth/callback');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ from: 'meta', state: 's t/1' });
  const refused = new URL((await dialog([['cancel', '1']])).headers.get('location') ?? '');
  expect(refused.searchParams.get('error')).toBe('access_denied');
});

test.each([
  [{ redirect_uri: 'https://evil.example/' }],
  [{ client_id: '5' }],
  [{ code_challenge_method: 'plain' }],
])('the dialog never redirects with %j', async (wrong) => {
  const answer = await dialog(null, wrong);
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
});

test('a declined permission is asked for again only with auth_type=rerequest', async () => {
  const granted = async (more: Record<string, string>): Promise<unknown> => {
    const code = (await consent(['ads_management', 'ads_read'], more)).searchParams.get('code') ?? '';
    return inspect((await exchange({ code })).access_token);
  };
  await consent(['ads_read']);
  expect(await granted({})).toMatchObject({ scopes: ['public_profile', 'ads_read'] });
  const all = { scopes: ['public_profile', 'ads_management', 'ads_read'] };
  expect(await granted({ auth_type: 'rerequest' })).toMatchObject(all);
});

test('a code is exchanged once, for ten minutes, with the right values', async () => {
  const code = await codeFor('ads_read');
  const wrong: [Record<string, string>, object][] = [
    [{ redirect_uri: 'http://localhost:3000/other' }, { code: 100, error_subcode: 36008 }],
    [{ client_secret: 'x' }, { code: 1 }],
    [{ client_id: '7' }, { code: 101 }],
    [{ code: 'AQx' }, { code: 100 }],
    [{ code_verifier: `${VERIFIER}x` }, { code: 100 }],
  ];
  for (const [params, error] of wrong)
    expect((await exchange({ code, ...params })).error).toMatchObject(error);
  const { access_token: token, expires_in } = await exchange({ code });
  expect(expires_in).toBe(5_183_944);
  expect((await world.call('GET', 'me', {}, { token })).body).toEqual({ id: MAYA, name: 'Maya Chen' });
  expect((await exchange({ code })).error).toMatchObject({ code: 100, error_subcode: 36009 });
  const late = await codeFor('ads_read');
  await world.post('/clock', { offsetMs: 601_000 });
  expect((await exchange({ code: late })).error).toMatchObject({ code: 100, error_subcode: 36007 });
});

test('a token can be extended and inspected until it expires or is invalidated', async () => {
  const extension = { grant_type: 'fb_exchange_token', fb_exchange_token: world.token };
  expect((await exchange(extension)).expires_in).toBe(5_183_944);
  expect(await inspect(world.token)).toMatchObject({ is_valid: true, user_id: MAYA });
  await world.post('/clock', { offsetMs: 61 * 86_400_000 });
  expect((await exchange(extension)).error).toMatchObject({ code: 190, error_subcode: 463 });
  await world.post('/clock', { offsetMs: 0 });
  await world.post('/tokens/invalidate', { userId: MAYA, subcode: 458 });
  expect(await inspect(world.token)).toMatchObject({ is_valid: false, error: { code: 190, subcode: 458 } });
  const { status, body } = await world.call('GET', 'me');
  expect([status, body.error]).toMatchObject([401, { code: 190, error_subcode: 458 }]);
});

test('a token ends when the app is removed; its appsecret_proof is verified', async () => {
  const proof = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');
  const statusWith = async (appsecret_proof: string): Promise<number> =>
    (await world.call('GET', 'me', { appsecret_proof })).status;
  expect([await statusWith(proof(world.token)), await statusWith(proof('other'))]).toEqual([200, 400]);
  await world.post('/settings', { requireAppsecretProof: true });
  expect((await world.call('GET', 'me')).status).toBe(400);
  await world.call('DELETE', 'me/permissions', { appsecret_proof: proof(world.token) });
  expect(await inspect(world.token)).toMatchObject({ is_valid: false, scopes: [] });
});

test('the platform calls back with a signed request when the app is removed', async () => {
  const received: string[] = [];
  const listener = await listen({ port: 0, host: '127.0.0.1' }, ({ params }) => {
    received.push(params.get('signed_request') ?? '');
    return Promise.resolve({ status: 200, body: 'thanks' });
  });
  const reply = await world.post('/callbacks', { userId: MAYA, url: `${listener.url}/`, removeApp: true });
  expect(reply).toMatchObject({ answer: { status: 200, body: 'thanks' } });
  const [signature, payload = ''] = received[0]?.split('.') ?? [];
  expect(signature).toBe(createHmac('sha256', SECRET).update(payload).digest('base64url'));
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ user_id: MAYA });
  expect((await world.call('GET', 'me')).body.error?.error_subcode).toBe(458);
  await listener.close();
});
