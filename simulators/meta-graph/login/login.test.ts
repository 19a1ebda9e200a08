import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listen } from '../../kit/http.ts';
import type { GraphWorld, Reply } from '../graph.fixture.ts';
import { MAYA, useGraph } from '../graph.fixture.ts';
import { startMetaGraph } from '../server.ts';

const APP = { client_id: '1000000000000001' };
const SECRET = 'simulated-app-secret';
const BACK = 'http://localhost:3000/auth/callback?from=meta';
const SCOPE = 'ads_management,ads_read,email';

interface Permissions {
  data: { permission: string; status: string }[];
}

let world: GraphWorld;

useGraph((started) => (world = started));

function dialogUrl(more: Record<string, string> = {}): string {
  const params = { ...APP, redirect_uri: BACK, state: 's t/1', scope: SCOPE, response_type: 'code', ...more };
  return `${world.url}/v26.0/dialog/oauth?${new URLSearchParams(params).toString()}`;
}

async function consent(form: [string, string][], more: Record<string, string> = {}): Promise<URL> {
  const answer = await fetch(dialogUrl(more), {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '');
}

const asMaya = (...granted: string[]): [string, string][] => [
  ['user', MAYA],
  ...granted.map((scope): [string, string] => ['granted', scope]),
];

async function freshCode(more: Record<string, string> = {}): Promise<string> {
  const back = await consent(asMaya('ads_management', 'ads_read'), more);
  return back.searchParams.get('code') ?? '';
}

function exchange(params: Record<string, string>, method = 'GET'): Promise<Reply> {
  const all = { ...APP, client_secret: SECRET, redirect_uri: BACK, ...params };
  return world.call(method, 'oauth/access_token', all);
}

describe('the login dialog', () => {
  test('offers the users, the permissions and a cancel button', async () => {
    const page = await (await fetch(dialogUrl())).text();
    for (const name of ['Maya Chen', 'Daniel Okafor', 'Sofia Lindqvist', 'Tom Becker'])
      expect(page).toContain(`Continue as ${name}`);
    expect(page).toContain('value="ads_management" checked');
    expect(page).toContain('Simulated login.');
    expect(page).toContain('>Cancel</button>');
  });

  test('escapes its parameters', async () => {
    const page = await (await fetch(dialogUrl({ state: '"><script>x</script>' }))).text();
    expect(page).not.toContain('<script>x');
  });

  test('redirects with a code and the state, and keeps the query of the redirect address', async () => {
    const back = await consent(asMaya('ads_read'));
    expect(back.origin + back.pathname).toBe('http://localhost:3000/auth/callback');
    expect(back.searchParams.get('from')).toBe('meta');
    expect(back.searchParams.get('state')).toBe('s t/1');
    expect(back.searchParams.get('code')).toMatch(/^AQ/);
    expect(back.hash).toBe('#_=_');
  });

  test('redirects with an error when it is cancelled', async () => {
    const back = await consent([['cancel', '1']]);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      from: 'meta',
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error.',
      error_reason: 'user_denied',
      state: 's t/1',
    });
  });

  test.each([
    ['a foreign address', { redirect_uri: 'https://evil.example/' }],
    ['no address', { redirect_uri: '' }],
    ['a foreign app', { client_id: '5' }],
    ['a challenge in the clear', { code_challenge: 'x', code_challenge_method: 'plain' }],
  ])('never redirects with %s', async (_title, wrong) => {
    const answer = await fetch(dialogUrl(wrong), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test('matches configured redirect addresses exactly', async () => {
    const strict = await startMetaGraph({ redirectUris: [BACK] });
    const ask = async (uri: string): Promise<number> => {
      const params = new URLSearchParams({ ...APP, redirect_uri: uri, state: '1' });
      return (await fetch(`${strict.url}/dialog/oauth?${params.toString()}`)).status;
    };
    expect([await ask(BACK), await ask(`${BACK}&x=1`), await ask('http://localhost:3000/')]).toEqual([
      200, 400, 400,
    ]);
    await strict.close();
  });

  test('asks again for a declined permission only with auth_type=rerequest', async () => {
    const granted = async (more: Record<string, string>): Promise<unknown> => {
      const code = (await consent(asMaya('ads_management', 'ads_read'), more)).searchParams.get('code') ?? '';
      const token = String((await exchange({ code })).body['access_token']);
      const { body } = await world.call<Permissions>('GET', 'me/permissions', {}, { token });
      const isGranted = body.data.filter(({ status }) => status === 'granted');
      return isGranted.map(({ permission }) => permission).sort();
    };
    await world.call('DELETE', 'me/permissions');
    await consent(asMaya('ads_read'));
    expect(await granted({})).toEqual(['ads_read', 'public_profile']);
    expect(await granted({ auth_type: 'rerequest' })).toEqual([
      'ads_management',
      'ads_read',
      'public_profile',
    ]);
  });
});

describe('the exchange', () => {
  test('returns a token for a code, once', async () => {
    const code = await freshCode();
    const first = await exchange({ code });
    expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 });
    const me = await world.call('GET', 'me', {}, { token: String(first.body['access_token']) });
    expect(me.body).toEqual({ id: MAYA, name: 'Maya Chen' });
    expect((await exchange({ code })).body.error).toMatchObject({ code: 100, error_subcode: 36009 });
  });

  test('works by POST as well', async () => {
    expect((await exchange({ code: await freshCode() }, 'POST')).body['access_token']).toMatch(/^EAAB/);
  });

  test('rejects a code after ten minutes', async () => {
    const code = await freshCode();
    await world.post('/clock', { offsetMs: 601_000 });
    expect((await exchange({ code })).body.error).toMatchObject({ code: 100, error_subcode: 36007 });
  });

  test.each([
    ['another address', { redirect_uri: 'http://localhost:3000/other' }, { code: 100, error_subcode: 36008 }],
    ['a wrong secret', { client_secret: 'x' }, { code: 1 }],
    ['a wrong app', { client_id: '7' }, { code: 101 }],
    ['a made-up code', { code: 'AQx' }, { code: 100 }],
  ])('rejects %s', async (_title, wrong, error) => {
    const code = await freshCode();
    expect((await exchange({ code, ...wrong })).body.error).toMatchObject(error);
    expect((await exchange({ code })).body['access_token']).toBeDefined();
  });

  test('requires the verifier of a challenge', async () => {
    const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await freshCode({ code_challenge: challenge, code_challenge_method: 'S256' });
    expect((await exchange({ code })).body.error?.code).toBe(100);
    expect((await exchange({ code, code_verifier: `${verifier}x` })).body.error?.code).toBe(100);
    expect((await exchange({ code, code_verifier: verifier })).body['access_token']).toBeDefined();
  });

  test('extends a valid token, not an expired one', async () => {
    const prolong = { grant_type: 'fb_exchange_token', fb_exchange_token: world.token };
    expect((await exchange(prolong)).body).toMatchObject({ expires_in: 5_183_944 });
    await world.post('/clock', { offsetMs: 61 * 86_400_000 });
    expect((await exchange(prolong)).body.error).toMatchObject({ code: 190, error_subcode: 463 });
  });
});

describe('a token', () => {
  const inspect = async (input_token: string): Promise<Record<string, unknown>> => {
    const asApp = { input_token, access_token: `${APP.client_id}|${SECRET}` };
    return (await world.call('GET', 'debug_token', asApp)).body['data'] as Record<string, unknown>;
  };

  test('can be inspected', async () => {
    expect(await inspect(world.token)).toMatchObject({ is_valid: true, user_id: MAYA, type: 'USER' });
    expect(await inspect('nonsense')).toMatchObject({ is_valid: false });
    await world.post('/tokens/invalidate', { userId: MAYA, subcode: 458 });
    expect(await inspect(world.token)).toMatchObject({ is_valid: false, error: { code: 190, subcode: 458 } });
    const asGuest = await world.call('GET', 'debug_token', { input_token: 'x', access_token: 'y' });
    expect(asGuest.body.error?.code).toBe(190);
  });

  test.each([458, 460, 463])('is rejected with subcode %d once it is invalid', async (subcode) => {
    await world.post('/tokens/invalidate', { userId: MAYA, subcode });
    const { status, body } = await world.call('GET', 'me');
    expect([status, body.error?.code, body.error?.error_subcode]).toEqual([401, 190, subcode]);
  });

  test('expires', async () => {
    await world.post('/clock', { offsetMs: 61 * 86_400_000 });
    expect((await world.call('GET', 'me')).body.error).toMatchObject({ code: 190, error_subcode: 463 });
  });

  test('is limited to the granted permissions, and ends when the app is removed', async () => {
    await consent(asMaya('ads_read'));
    expect((await world.call('GET', 'me', { fields: 'id,email' })).body).toEqual({ id: MAYA });
    const { body } = await world.call<Permissions>('GET', 'me/permissions');
    expect(body.data).toContainEqual({ permission: 'email', status: 'declined' });
    expect((await world.call('DELETE', `${MAYA}/permissions`)).body).toEqual({ success: true });
    expect((await world.call('GET', 'me')).body.error?.error_subcode).toBe(458);
  });
});

describe('appsecret_proof', () => {
  const proof = (message: string): string => createHmac('sha256', SECRET).update(message).digest('hex');

  test('is verified if present', async () => {
    const right = await world.call('GET', 'me', { appsecret_proof: proof(world.token) });
    const wrong = await world.call('GET', 'me', { appsecret_proof: proof('other') });
    expect([right.status, wrong.status]).toEqual([200, 400]);
    expect(wrong.body.error).toMatchObject({ code: 100, type: 'GraphMethodException' });
  });

  test('can be required', async () => {
    await world.post('/settings', { requireAppsecretProof: true });
    expect((await world.call('GET', 'me')).body.error?.code).toBe(100);
    expect((await world.call('GET', 'me', { appsecret_proof: proof(world.token) })).status).toBe(200);
  });
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
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    algorithm: 'HMAC-SHA256',
    user_id: MAYA,
  });
  expect((await world.call('GET', 'me')).body.error?.error_subcode).toBe(458);
  await listener.close();
});
