import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SimRequest } from '../kit/http.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { GraphState, Token, User } from './state/state.ts';
import { now } from './state/state.ts';

export interface Caller {
  token: Token;
  user: User;
}

/** By parameter or by header; the parameter counts. */
export function tokenOf(request: Pick<SimRequest, 'params' | 'headers'>): string | undefined {
  const bearer = /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  return request.params.get('access_token') ?? bearer;
}

type Authentication = { ok: true; caller: Caller } | { ok: false; error: GraphAnswer };

function refuse(error: GraphAnswer): Authentication {
  return { ok: false, error };
}

/** Who calls, by the token; else the error that the platform answers. */
export function authenticate(
  state: GraphState,
  request: Pick<SimRequest, 'params' | 'headers'>,
): Authentication {
  const given = tokenOf(request);
  if (given === undefined) {
    return refuse(
      graphError({
        code: 2500,
        message: 'An active access token must be used to query information about the current user.',
        http: 400,
      }),
    );
  }
  const token = state.tokens.get(given);
  const user = token === undefined ? undefined : state.users.get(token.user);
  if (token === undefined || user === undefined)
    return refuse(
      graphError({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' }),
    );
  if (token.invalidSubcode !== null) return refuse(graphError({ code: 190, subcode: token.invalidSubcode }));
  if (token.expiresAt <= now(state)) {
    return refuse(
      graphError({ code: 190, subcode: 463, message: 'Error validating access token: Session has expired.' }),
    );
  }
  return refuseProof(state, request.params, given) ?? { ok: true, caller: { token, user } };
}

function refuseProof(state: GraphState, params: Map<string, string>, token: string): Authentication | null {
  const proof = params.get('appsecret_proof');
  if (proof === undefined && state.settings.requireAppsecretProof) {
    return refuse(
      graphError({
        code: 100,
        type: 'GraphMethodException',
        message: 'API calls from the server require an appsecret_proof argument',
      }),
    );
  }
  if (proof !== undefined && !isProof(state, token, proof, params.get('appsecret_time'))) {
    return refuse(
      graphError({
        code: 100,
        type: 'GraphMethodException',
        message: 'Invalid appsecret_proof provided in the API argument',
      }),
    );
  }
  return null;
}

const PROOF_VALID_S = 300;

function isProof(state: GraphState, token: string, proof: string, time: string | undefined): boolean {
  if (time !== undefined && !(Math.abs(now(state) / 1000 - Number(time)) <= PROOF_VALID_S)) return false;
  const message = time === undefined ? token : `${token}|${time}`;
  const expected = Buffer.from(createHmac('sha256', state.app.secret).update(message).digest('hex'));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function mayRead(caller: Caller): boolean {
  return ['ads_read', 'ads_management'].some((permission) => isGranted(caller, permission));
}

export function mayWrite(caller: Caller): boolean {
  return isGranted(caller, 'ads_management');
}

export function isGranted({ user, token }: Caller, permission: string): boolean {
  return user.permissions.get(permission) === 'granted' && token.scopes.includes(permission);
}
