import { createHash, randomBytes } from 'node:crypto';
import type { SimAnswer, SimRequest } from '../kit/http.ts';
import { html, redirect } from '../kit/http.ts';
import { escapeHtml, framePage } from '../kit/page.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { GraphState, Token } from './state.ts';
import { now } from './state.ts';

const CODE_VALID_MS = 10 * 60_000;
const TOKEN_VALID_S = 5_183_944;
const ALWAYS = 'public_profile';

/** The login dialog: who to continue as, and which permissions to give. */
export function dialog(state: GraphState, request: SimRequest): SimAnswer {
  const ask = (name: string): string => request.params.get(name) ?? '';
  if (ask('client_id') !== state.app.id || !isAllowed(state, ask('redirect_uri'))) {
    return html(
      400,
      framePage(
        'Error',
        '<h1>URL blocked</h1><p>This redirect failed because the redirect URI is not white-listed in the app’s client OAuth settings.</p>',
      ),
    );
  }
  return request.method === 'POST' ? decide(state, request) : html(200, dialogPage(state, request));
}

function isAllowed(state: GraphState, uri: string): boolean {
  if (state.redirectUris !== null) return state.redirectUris.includes(uri);
  return URL.canParse(uri) && ['localhost', '127.0.0.1'].includes(new URL(uri).hostname);
}

function scopesOf(request: SimRequest): string[] {
  return (request.params.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
}

function dialogPage(state: GraphState, request: SimRequest): string {
  const hidden = [
    'client_id',
    'redirect_uri',
    'state',
    'scope',
    'response_type',
    'code_challenge',
    'code_challenge_method',
  ]
    .map(
      (name) => `<input type="hidden" name="${name}" value="${escapeHtml(request.params.get(name) ?? '')}">`,
    )
    .join('');
  const boxes = scopesOf(request)
    .filter((scope) => scope !== ALWAYS)
    .map(
      (scope) =>
        `<label><input type="checkbox" name="granted" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label>`,
    )
    .join('');
  const people = [...state.users.values()]
    .slice(0, 30)
    .map(
      ({ id, name }, index) =>
        `<button name="user" value="${id}"${index === 0 ? ' class="primary"' : ''}>Continue as ${escapeHtml(name)}</button>`,
    )
    .join('');
  return framePage(
    'Log in (simulated)',
    `<form class="card" method="post"><h1>SmartPause wants access to your ad accounts</h1>
     <p class="note">This dialog is simulated: nobody here is real.</p>${hidden}
     <fieldset><legend>Permissions</legend>${boxes}</fieldset>${people}
     <button name="cancel" value="1">Cancel</button></form>`,
  );
}

function decide(state: GraphState, request: SimRequest): SimAnswer {
  const target = new URL(request.params.get('redirect_uri') ?? '');
  const form = new URLSearchParams(request.body);
  const user = state.users.get(form.get('user') ?? '');
  const given = request.params.get('state');
  if (given !== undefined) target.searchParams.set('state', given);
  if (user === undefined) {
    target.searchParams.set('error', 'access_denied');
    target.searchParams.set('error_code', '200');
    target.searchParams.set('error_description', 'Permissions error.');
    target.searchParams.set('error_reason', 'user_denied');
    return redirect(`${target.href}#_=_`);
  }
  const asked = scopesOf(request);
  const granted = asked.filter((scope) => scope === ALWAYS || form.getAll('granted').includes(scope));
  for (const scope of asked) user.permissions.set(scope, granted.includes(scope) ? 'granted' : 'declined');
  const code = `AQ${randomBytes(24).toString('base64url')}`;
  const challenge = request.params.get('code_challenge') ?? '';
  state.codes.set(code, {
    code,
    user: user.id,
    redirectUri: request.params.get('redirect_uri') ?? '',
    scopes: granted,
    challenge: challenge === '' ? null : challenge,
    expiresAt: now(state) + CODE_VALID_MS,
    used: false,
  });
  target.searchParams.set('code', code);
  return redirect(`${target.href}#_=_`);
}

/** Code or short-lived token in, token out. */
export function exchange(state: GraphState, params: Map<string, string>): GraphAnswer {
  if (params.get('client_id') !== state.app.id)
    return graphError({ code: 101, message: 'Missing or invalid client id.' });
  if (params.get('client_secret') !== state.app.secret)
    return graphError({ code: 1, message: 'Error validating client secret.', transient: false });
  if (params.get('grant_type') === 'fb_exchange_token')
    return extend(state, params.get('fb_exchange_token') ?? '');
  const code = state.codes.get(params.get('code') ?? '');
  if (code === undefined) return graphError({ code: 100, message: 'Invalid verification code format.' });
  if (code.used)
    return graphError({ code: 100, subcode: 36009, message: 'This authorization code has been used.' });
  if (code.expiresAt <= now(state))
    return graphError({ code: 100, subcode: 36007, message: 'This authorization code has expired.' });
  if (code.redirectUri !== params.get('redirect_uri')) {
    return graphError({
      code: 100,
      subcode: 36008,
      message:
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    });
  }
  if (code.challenge !== null && code.challenge !== challengeOf(params.get('code_verifier') ?? '')) {
    return graphError({ code: 100, message: 'Invalid code_verifier parameter' });
  }
  code.used = true;
  return tokenReply(issueToken(state, { userId: code.user, scopes: code.scopes }));
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function extend(state: GraphState, given: string): GraphAnswer {
  const token = state.tokens.get(given);
  if (token === undefined || token.invalidSubcode !== null || token.expiresAt <= now(state)) {
    return graphError({
      code: 190,
      subcode: 463,
      message: 'Error validating access token: Session has expired.',
    });
  }
  return tokenReply(issueToken(state, { userId: token.user, scopes: token.scopes }));
}

function tokenReply(token: Token): GraphAnswer {
  return {
    status: 200,
    body: { access_token: token.token, token_type: 'bearer', expires_in: TOKEN_VALID_S },
  };
}

export function issueToken(
  state: GraphState,
  given: { userId: string; scopes: string[]; expiresInSeconds?: number | undefined },
): Token {
  const issuedAt = now(state);
  const token: Token = {
    token: `EAAB${randomBytes(48).toString('base64url')}`,
    user: given.userId,
    scopes: given.scopes,
    issuedAt,
    expiresAt: issuedAt + (given.expiresInSeconds ?? TOKEN_VALID_S) * 1000,
    invalidSubcode: null,
  };
  state.tokens.set(token.token, token);
  return token;
}

export function debugToken(state: GraphState, params: Map<string, string>): GraphAnswer {
  if (params.get('access_token') !== `${state.app.id}|${state.app.secret}`)
    return graphError({ code: 190, message: 'Invalid OAuth access token.' });
  const token = state.tokens.get(params.get('input_token') ?? '');
  if (token === undefined) {
    return {
      status: 200,
      body: {
        data: { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } },
      },
    };
  }
  const expired = token.expiresAt <= now(state);
  const invalid = expired || token.invalidSubcode !== null;
  const subcode = token.invalidSubcode ?? 463;
  return {
    status: 200,
    body: {
      data: {
        app_id: state.app.id,
        type: 'USER',
        application: 'SmartPause',
        data_access_expires_at: Math.floor((token.issuedAt + 90 * 86_400_000) / 1000),
        expires_at: Math.floor(token.expiresAt / 1000),
        issued_at: Math.floor(token.issuedAt / 1000),
        is_valid: !invalid,
        scopes: token.scopes,
        user_id: token.user,
        ...(invalid ? { error: { code: 190, subcode, message: 'Error validating access token.' } } : {}),
      },
    },
  };
}
