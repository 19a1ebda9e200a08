import type { Caller } from '../auth.ts';
import { isGranted } from '../auth.ts';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import { USER_FIELDS } from '../fields.ts';
import type { Params } from '../params.ts';
import { fieldsOf, pick, refuseUnknownField } from '../params.ts';
import type { GraphState, User } from './state.ts';

const READERS: Record<string, (caller: Caller) => unknown> = {
  id: ({ user }) => user.id,
  name: ({ user }) => user.name,
  first_name: ({ user }) => user.name.split(' ')[0],
  last_name: ({ user }) => user.name.split(' ').slice(1).join(' '),
  short_name: ({ user }) => user.name.split(' ')[0],
  email: (caller) => (isGranted(caller, 'email') ? caller.user.email : undefined),
};

export function personAnswer(caller: Caller, params: Params): GraphAnswer {
  const asked = fieldsOf(params);
  const fields = asked.length === 0 ? ['name'] : asked;
  const refused = refuseUnknownField(fields, USER_FIELDS, 'User');
  return refused ?? { status: 200, body: pick(fields, READERS, caller) };
}

export function listPermissions({ user }: Caller, params: Params): GraphAnswer {
  const data = [...user.permissions]
    .map(([permission, status]) => ({ permission, status }))
    .filter(({ permission }) => permission === (params.get('permission') ?? permission))
    .filter(({ status }) => status === (params.get('status') ?? status));
  return { status: 200, body: { data } };
}

/** One permission taken back stays on the list as declined; all of them: the app is removed. */
export function revokePermissions(
  state: GraphState,
  { user }: Caller,
  permission: string | null,
): GraphAnswer {
  if (permission === null) removeApp(state, user);
  else if (user.permissions.has(permission)) user.permissions.set(permission, 'declined');
  else return graphError({ code: 100, message: `(#100) The user has not granted ${permission}` });
  return { status: 200, body: { success: true } };
}

export function removeApp(state: GraphState, user: User): void {
  user.permissions.clear();
  for (const token of state.tokens.values()) if (token.user === user.id) token.invalidSubcode = 458;
}
