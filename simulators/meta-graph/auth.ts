import { createHmac } from 'node:crypto';
import type { SimRequest } from '../kit/http.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Params } from './shape.ts';
import type { GraphState, Token, User } from './state/state.ts';
import { rejectionOf } from './state/state.ts';

export interface Caller {
  token: Token;
  user: User;
}

/** From the parameter or the header; the parameter takes precedence. */
export function tokenOf(request: Pick<SimRequest, 'params' | 'headers'>): string | undefined {
  const bearer = /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  return request.params.get('access_token') ?? bearer;
}

/** The user of the token, or the error that the platform returns. */
export function authenticate(
  state: GraphState,
  request: Pick<SimRequest, 'params' | 'headers'>,
): Caller | GraphAnswer {
  const given = tokenOf(request);
  if (given === undefined) return graphError({ code: 2500 });
  const token = state.tokens.get(given);
  const user = state.users.get(token?.user ?? '');
  if (token === undefined || user === undefined)
    return graphError({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' });
  const subcode = rejectionOf(state, token);
  if (subcode !== null) return graphError({ code: 190, subcode });
  return refuseProof(state, request.params, given) ?? { token, user };
}

function refuseProof(state: GraphState, params: Params, token: string): GraphAnswer | null {
  const proof = params.get('appsecret_proof');
  const wrong = (message: string) => graphError({ code: 100, type: 'GraphMethodException', message });
  if (proof === undefined)
    return state.settings.requireAppsecretProof
      ? wrong('API calls from the server require an appsecret_proof argument')
      : null;
  const expected = createHmac('sha256', state.app.secret).update(token).digest('hex');
  return proof === expected ? null : wrong('Invalid appsecret_proof provided in the API argument');
}

export function mayRead(caller: Caller): boolean {
  return ['ads_read', 'ads_management'].some((permission) => isGranted(caller, permission));
}

export function isGranted({ user, token }: Caller, permission: string): boolean {
  return user.permissions.get(permission) === 'granted' && token.scopes.includes(permission);
}
