import { createHash, randomBytes } from 'node:crypto';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import type { Params } from '../params.ts';
import type { Code, GraphState, Token } from '../state/state.ts';
import { now } from '../state/state.ts';

const TOKEN_VALID_S = 5_183_944;
const DATA_ACCESS_MS = 90 * 86_400_000;

/** GET or POST /oauth/access_token: a code or a token in, a token out. */
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
  const { codeTokenSeconds } = state.settings;
  return tokenReply(
    issueToken(state, {
      userId: code.user,
      scopes: code.scopes,
      ...(codeTokenSeconds === null ? {} : { expiresInSeconds: codeTokenSeconds }),
    }),
  );
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

function isGood(state: GraphState, token: Token): boolean {
  return token.invalidSubcode === null && token.expiresAt > now(state);
}

function extend(state: GraphState, given: string): GraphAnswer {
  if (!state.settings.extendTokens) return graphError({ code: 2, transient: true });
  const token = state.tokens.get(given);
  if (token === undefined) return graphError({ code: 190, message: 'Invalid OAuth access token.' });
  if (!isGood(state, token)) return graphError({ code: 190, subcode: token.invalidSubcode ?? 463 });
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

/** GET /debug_token: what a token is worth. A bad one is no error, but an answer that says so. */
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
  const targets = (user?.accounts ?? []).map((id) => id.replace('act_', ''));
  const subcode = token.invalidSubcode ?? 463;
  const error = { code: 190, subcode, message: 'Error validating access token.' };
  return {
    app_id: state.app.id,
    type: 'USER',
    application: state.app.name,
    data_access_expires_at: inSeconds(token.issuedAt + DATA_ACCESS_MS),
    ...(isGood(state, token) ? {} : { error }),
    expires_at: inSeconds(token.expiresAt),
    is_valid: isGood(state, token),
    issued_at: inSeconds(token.issuedAt),
    scopes,
    granular_scopes: scopes
      .filter((scope) => scope.startsWith('ads_'))
      .map((scope) => ({ scope, target_ids: targets })),
    user_id: token.user,
  };
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
