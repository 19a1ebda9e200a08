import type { Caller } from '../auth.ts';
import { isGranted } from '../auth.ts';
import type { GraphAnswer } from '../errors.ts';
import type { Params, Readers } from '../shape.ts';
import { shapeFor, showOne } from '../shape.ts';
import type { GraphState, User } from './state.ts';

const USER_READERS: Readers<Caller> = {
  id: ({ user }) => user.id,
  name: ({ user }) => user.name,
  email: (caller) => (isGranted(caller, 'email') ? caller.user.email : undefined),
};

export function userAnswer(caller: Caller, params: Params): GraphAnswer {
  return showOne(shapeFor(params, USER_READERS, 'User', ['name']), caller);
}

export function listPermissions({ user }: Caller): GraphAnswer {
  const data = [...user.permissions].map(([permission, status]) => ({ permission, status }));
  return { status: 200, body: { data } };
}

export function removeApp(state: GraphState, user: User): void {
  user.permissions.clear();
  for (const token of state.tokens.values()) if (token.user === user.id) token.invalidSubcode = 458;
}
