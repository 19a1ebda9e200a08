import type { Caller } from '../auth.ts';
import { mayRead } from '../auth.ts';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import type { Place } from '../paging.ts';
import { pageOf } from '../paging.ts';
import type { Params, Readers } from '../shape.ts';
import { shapeFor } from '../shape.ts';
import type { Account, GraphState } from './state.ts';

const ACCOUNT_READERS: Readers<Account> = {
  id: (account) => account.id,
  name: (account) => account.name,
  account_status: (account) => account.account_status,
  currency: (account) => account.currency,
};

export function listAccounts(state: GraphState, caller: Caller, params: Params, place: Place): GraphAnswer {
  if (!mayRead(caller)) return graphError({ code: 200 });
  const accounts = caller.user.accounts.flatMap((id) => state.accounts.get(id) ?? []);
  return pageOf(accounts, { params, place }, shapeFor(params, ACCOUNT_READERS, 'AdAccount'));
}
