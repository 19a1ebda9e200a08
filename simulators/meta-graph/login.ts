import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { html, redirect } from '../kit/http.ts';
import { escapeHtml, framePage } from '../kit/page.ts';
import { ControlError } from '../kit/simulator.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Code, GraphState, Token, User } from './state.ts';
import { issueToken, now, rejectionOf } from './state.ts';

export type Params = ReadonlyMap<string, string>;

const CODE_VALID_MS = 10 * 60_000;
const ALWAYS = 'public_profile';
const USERS_SHOWN = 30;
/** The permissions of a login configuration. */
export const SCOPES = ['ads_management', 'ads_read', 'business_management', 'email', ALWAYS];

/** GET and POST /dialog/oauth: selects the user and the permissions. */
export function dialog(state: GraphState, request: SimRequest): HttpAnswer {
  const { params } = request;
  const isRefused =
    params.get('client_id') !== state.app.id ||
    !isAllowed(state, params.get('redirect_uri') ?? '') ||
    (params.has('code_challenge') && params.get('code_challenge_method') !== 'S256');
  if (isRefused)
    return html(400, framePage('Error', '<main class="card">Invalid app, redirect or challenge</main>'));
  if (state.loginConfigId !== null && params.get('config_id') !== state.loginConfigId)
    return html(400, framePage('Error', '<main class="card">It looks like this app isn’t available</main>'));
  return request.method === 'POST' ? decide(state, request) : html(200, dialogPage(state, params));
}

/** Exact matches of the configured list; without a list any address on this machine. */
function isAllowed(state: GraphState, uri: string): boolean {
  if (state.redirectUris !== null) return state.redirectUris.includes(uri);
  const { protocol = '', hostname = '' } = URL.parse(uri) ?? {};
  return /^https?:$/.test(protocol) && ['localhost', '127.0.0.1'].includes(hostname);
}

function scopesOf({ loginConfigId }: GraphState, params: Params): string[] {
  if (loginConfigId !== null) return SCOPES;
  return (params.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
}

/** Its form posts to the page's own address, so that the query stays. */
function dialogPage(state: GraphState, params: Params): string {
  const boxes = (state.loginConfigId === null ? scopesOf(state, params) : [])
    .filter((scope) => scope !== ALWAYS)
    .map(escapeHtml)
    .map(
      (scope) =>
        `<label><input type="checkbox" name="granted" value="${scope}" checked><code>${scope}</code></label>`,
    );
  const users = [...state.users.values()]
    .slice(0, USERS_SHOWN)
    .map(({ id, name }) => `<button name="user" value="${id}">Continue as ${escapeHtml(name)}</button>`);
  return framePage(
    'Log in (simulated)',
    `<main><form class="card" method="post">
     <p class="banner"><b>Simulated login.</b> These users are fictional, and nothing is sent to Meta.</p>
     <h1>SmartPause wants access to your ad accounts</h1>
     <fieldset><legend>Permissions</legend>${boxes.join('')}</fieldset>${users.join('')}
     <button name="cancel" value="1">Cancel</button></form></main>`,
  );
}

function decide(state: GraphState, { body, params }: SimRequest): HttpAnswer {
  const form = new URLSearchParams(body);
  const target = new URL(params.get('redirect_uri') ?? '');
  const user = form.has('cancel') ? undefined : state.users.get(form.get('user') ?? '');
  const answer: Record<string, string> =
    user === undefined
      ? { error: 'access_denied', error_code: '200', error_reason: 'user_denied' }
      : isTokenFlow(state, params)
        ? {}
        : { code: issueCode(state, { params, user, ticked: form.getAll('granted') }) };
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  target.searchParams.set('state', params.get('state') ?? '');
  return redirect(`${target.href}#_=_`);
}

/** A login configuration gives a token in the fragment, unless the app asks for the code. */
function isTokenFlow({ loginConfigId }: GraphState, params: Params): boolean {
  return loginConfigId !== null && params.get('override_default_response_type') !== 'true';
}

/** A login configuration grants all its permissions or none. Else a declined permission stays declined: the dialog asks for it again only with auth_type=rerequest. */
function issueCode(
  state: GraphState,
  { params, user, ticked }: { params: Params; user: User; ticked: readonly string[] },
): string {
  const isRerequest = params.get('auth_type') === 'rerequest';
  const asked = [...new Set([ALWAYS, ...scopesOf(state, params)])];
  const scopes = asked.filter(
    (scope) =>
      scope === ALWAYS ||
      state.loginConfigId !== null ||
      (ticked.includes(scope) && (isRerequest || user.permissions.get(scope) !== 'declined')),
  );
  for (const scope of asked) user.permissions.set(scope, scopes.includes(scope) ? 'granted' : 'declined');
  const code = `AQ${randomBytes(24).toString('base64url')}`;
  state.codes.set(code, {
    user: user.id,
    redirectUri: params.get('redirect_uri') ?? '',
    scopes,
    challenge: params.get('code_challenge') ?? null,
    expiresAt: now(state) + CODE_VALID_MS,
    used: false,
  });
  return code;
}

/** POST /oauth/access_token: exchanges a code or a token for a token, or issues one of the app. */
export function exchange(state: GraphState, params: Params): GraphAnswer {
  if (params.get('client_id') !== state.app.id) return graphError({ code: 101 });
  if (params.get('client_secret') !== state.app.secret)
    return graphError({ code: 1, message: 'Error validating client secret.', transient: false });
  if (params.get('grant_type') === 'fb_exchange_token')
    return extend(state, params.get('fb_exchange_token') ?? '');
  if (params.get('grant_type') === 'client_credentials') {
    const access_token = `${state.app.id}|${randomBytes(18).toString('base64url')}`;
    state.appTokens.add(access_token);
    return { status: 200, body: { access_token, token_type: 'bearer' } };
  }
  const code = state.codes.get(params.get('code') ?? '');
  const refusal = refuseCode(state, code, params);
  if (refusal !== null || code === undefined) return graphError({ code: 100, ...refusal });
  code.used = true;
  const { user: userId, scopes } = code;
  return tokenReply(issueToken(state, { userId, scopes, expiresInSeconds: state.settings.codeTokenSeconds }));
}

function refuseCode(
  state: GraphState,
  code: Code | undefined,
  params: Params,
): { message: string; subcode?: number } | null {
  if (code === undefined) return { message: 'Invalid verification code format.' };
  if (code.used) return { subcode: 36009, message: 'This authorization code has been used.' };
  if (code.expiresAt <= now(state))
    return { subcode: 36007, message: 'This authorization code has expired.' };
  if (code.redirectUri !== params.get('redirect_uri'))
    return { subcode: 36008, message: 'Error validating verification code: another redirect_uri.' };
  const verifier = createHash('sha256').update(params.get('code_verifier') ?? '');
  if (code.challenge !== null && code.challenge !== verifier.digest('base64url'))
    return { message: 'Invalid code_verifier parameter' };
  return null;
}

function extend(state: GraphState, given: string): GraphAnswer {
  if (!state.settings.extendTokens) return graphError({ code: 2 });
  const token = state.tokens.get(given);
  if (token === undefined) return graphError({ code: 190, message: 'Invalid OAuth access token.' });
  const subcode = rejectionOf(state, token);
  if (subcode !== null) return graphError({ code: 190, subcode });
  return tokenReply(issueToken(state, { userId: token.user, scopes: token.scopes }));
}

function tokenReply({ token, expiresAt, issuedAt }: Token): GraphAnswer {
  const body = { access_token: token, token_type: 'bearer', expires_in: inSeconds(expiresAt - issuedAt) };
  return { status: 200, body };
}

const DATA_ACCESS_MS = 90 * 86_400_000;

/** GET /debug_token: inspects a token. An invalid token is a result, not an error. */
export function debugToken(state: GraphState, params: Params): GraphAnswer {
  if (!state.appTokens.has(params.get('access_token') ?? ''))
    return graphError({ code: 190, message: 'Invalid OAuth access token - Cannot get application info' });
  const token = state.tokens.get(params.get('input_token') ?? '');
  const subcode = token === undefined ? undefined : rejectionOf(state, token);
  const error = { code: 190, subcode, message: 'Error validating access token.' };
  if (token === undefined || subcode !== null)
    return { status: 200, body: { data: { error, is_valid: false, scopes: [] } } };
  const user = state.users.get(token.user);
  const data = {
    app_id: state.app.id,
    type: 'USER',
    data_access_expires_at: inSeconds(token.issuedAt + DATA_ACCESS_MS),
    expires_at: inSeconds(token.expiresAt),
    is_valid: true,
    issued_at: inSeconds(token.issuedAt),
    scopes: token.scopes.filter((scope) => user?.permissions.get(scope) === 'granted'),
    user_id: token.user,
  };
  return { status: 200, body: { data } };
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** What the platform sends when a user removes the app or asks for data deletion. */
export function signedRequest(state: GraphState, userId: string): string {
  const issued_at = inSeconds(now(state));
  const facts = { algorithm: 'HMAC-SHA256', expires: issued_at + 3600, issued_at, user_id: userId };
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64url');
  return `${createHmac('sha256', state.app.secret).update(payload).digest('base64url')}.${payload}`;
}

export async function callBack(state: GraphState, userId: string, url: string): Promise<object> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signedRequest(state, userId) }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw new ControlError(`${url} did not answer: ${String(error)}`);
  });
  return { answer: { status: answer.status, body: await answer.text() } };
}
