import type { Caller } from '../auth.ts';
import { mayRead } from '../auth.ts';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import { AD_ACCOUNT_FIELDS } from '../fields.ts';
import type { Place } from '../paging.ts';
import { pageOf } from '../paging.ts';
import type { Params } from '../params.ts';
import { fieldsOf, pick, refuseUnknownField } from '../params.ts';
import { platformTime } from './platform-time.ts';
import type { Account, GraphState } from './state.ts';

const CREATED = Date.parse('2023-02-14T10:05:00Z');

const READERS: Record<string, (account: Account) => unknown> = {
  id: (account) => account.id,
  account_id: (account) => account.id.replace('act_', ''),
  name: (account) => account.name,
  account_status: (account) => account.account_status,
  disable_reason: (account) => (account.account_status === 2 ? 1 : 0),
  currency: (account) => account.currency,
  timezone_name: (account) => account.timezone_name,
  user_tasks: () => ['DRAFT', 'ANALYZE', 'ADVERTISE', 'MANAGE'],
  amount_spent: () => '0',
  balance: () => '0',
  spend_cap: () => '0',
  is_personal: () => 0,
  created_time: (account) => platformTime(CREATED, account.timezone_name),
};

/** Without fields the platform gives the id in both forms. */
function wantedFields(params: Params): string[] {
  const fields = fieldsOf(params);
  return fields.length === 0 ? ['account_id'] : fields;
}

export function accountAnswer(account: Account, params: Params): GraphAnswer {
  const fields = wantedFields(params);
  const refused = refuseUnknownField(fields, AD_ACCOUNT_FIELDS, 'AdAccount');
  return refused ?? { status: 200, body: pick(fields, READERS, account) };
}

export function listAccounts(state: GraphState, caller: Caller, params: Params, place: Place): GraphAnswer {
  if (!mayRead(caller)) return graphError({ code: 200 });
  const fields = wantedFields(params);
  const refused = refuseUnknownField(fields, AD_ACCOUNT_FIELDS, 'AdAccount');
  if (refused !== null) return refused;
  const accounts = caller.user.accounts.flatMap((id) => state.accounts.get(id) ?? []);
  return pageOf(accounts, params, place, {
    idOf: (account) => account.id,
    shape: (account) => pick(fields, READERS, account),
  });
}
