import { createHash, randomBytes } from 'node:crypto';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import type { Params } from '../shape.ts';
import type { Code, GraphState, Token } from '../state/state.ts';
import { now, rejectionOf } from '../state/state.ts';

const TOKEN_VALID_S = 5_183_944;
const DATA_ACCESS_MS = 90 * 86_400_000;

/** GET or POST /oauth/access_token: exchanges a code or a token for a token. */
export function exchange(state: GraphState, params: Params): GraphAnswer {
  if (params.get('client_id') !== state.app.id) return graphError({ code: 101 });
  if (params.get('client_secret') !== state.app.secret)
    return graphError({ code: 1, message: 'Error validating client secret.', transient: false });
  if (params.get('grant_type') === 'fb_exchange_token')
    return extend(state, params.get('fb_exchange_token') ?? '');
  const code = state.codes.get(params.get('code') ?? '');
  if (code === undefined) return graphError({ code: 100, message: 'Invalid verification code format.' });
  const refused = refuseCode(state, code, params);
  if (refused !== null) return refused;
  code.used = true;
  const expiresInSeconds = state.settings.codeTokenSeconds ?? TOKEN_VALID_S;
  return tokenReply(issueToken(state, { userId: code.user, scopes: code.scopes, expiresInSeconds }));
}

function refuseCode(state: GraphState, code: Code, params: Params): GraphAnswer | null {
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
  if (code.challenge !== null && code.challenge !== challengeOf(params.get('code_verifier') ?? ''))
    return graphError({ code: 100, message: 'Invalid code_verifier parameter' });
  return null;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function extend(state: GraphState, given: string): GraphAnswer {
  if (!state.settings.extendTokens) return graphError({ code: 2, transient: true });
  const token = state.tokens.get(given);
  if (token === undefined) return graphError({ code: 190, message: 'Invalid OAuth access token.' });
  const subcode = rejectionOf(state, token);
  if (subcode !== null) return graphError({ code: 190, subcode });
  return tokenReply(issueToken(state, { userId: token.user, scopes: token.scopes }));
}

function tokenReply(token: Token): GraphAnswer {
  return {
    status: 200,
    body: {
      access_token: token.token,
      token_type: 'bearer',
      expires_in: inSeconds(token.expiresAt - token.issuedAt),
    },
  };
}

export function issueToken(
  state: GraphState,
  given: { userId: string; scopes: string[]; expiresInSeconds?: number },
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

/** GET /debug_token: inspects a token. An invalid token is a result, not an error. */
export function debugToken(state: GraphState, params: Params): GraphAnswer {
  if (params.get('access_token') !== `${state.app.id}|${state.app.secret}`)
    return graphError({ code: 190, message: 'Invalid OAuth access token - Cannot get application info' });
  if (!params.has('input_token'))
    return graphError({ code: 100, message: '(#100) You must provide an input_token parameter' });
  const token = state.tokens.get(params.get('input_token') ?? '');
  if (token === undefined) {
    const error = { code: 190, message: 'Invalid OAuth access token.' };
    return { status: 200, body: { data: { error, is_valid: false, scopes: [] } } };
  }
  return { status: 200, body: { data: describe(state, token) } };
}

function describe(state: GraphState, token: Token): object {
  const user = state.users.get(token.user);
  const scopes = token.scopes.filter((scope) => user?.permissions.get(scope) === 'granted');
  const subcode = rejectionOf(state, token);
  const error = { code: 190, subcode, message: 'Error validating access token.' };
  return {
    app_id: state.app.id,
    type: 'USER',
    application: state.app.name,
    data_access_expires_at: inSeconds(token.issuedAt + DATA_ACCESS_MS),
    ...(subcode === null ? {} : { error }),
    expires_at: inSeconds(token.expiresAt),
    is_valid: subcode === null,
    issued_at: inSeconds(token.issuedAt),
    scopes,
    user_id: token.user,
  };
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
