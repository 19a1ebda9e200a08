import { accountAnswer, listAccounts } from './state/accounts.ts';
import { listActivities } from './state/activities.ts';
import type { Caller } from './auth.ts';
import { authenticate, mayRead, tokenOf } from './auth.ts';
import { campaignAnswer, listCampaigns } from './state/campaigns.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, missingObject } from './errors.ts';
import { debugToken, exchange } from './login/tokens.ts';
import type { Place } from './paging.ts';
import { listPermissions, personAnswer, revokePermissions } from './state/people.ts';
import type { Account, GraphState } from './state/state.ts';
import { deleteCampaign, updateCampaign } from './writes.ts';

/** What a route needs to know of an operation. */
interface Asked {
  method: string;
  version: string | undefined;
  path: string;
  params: Map<string, string>;
  headers: Record<string, string>;
}

/** From an operation to what it does. */
export function route(state: GraphState, asked: Asked, url: string): GraphAnswer {
  if (asked.path === 'oauth/access_token') return exchange(state, asked.params);
  if (asked.path === 'debug_token') return debugToken(state, asked.params);
  const who = authenticate(state, asked);
  if (!who.ok) return who.error;
  const place = {
    base: `${url}/v${asked.version ?? '26.0'}/${asked.path}`,
    token: tokenOf(asked) ?? '',
    shortPages: state.settings.shortPages,
  };
  return routeObject(state, asked, who.caller, place);
}

function routeObject(state: GraphState, asked: Asked, caller: Caller, place: Place): GraphAnswer {
  const [first = '', ...edge] = asked.path.split('/');
  // Meta removed the root's `?ids=` on 2026-10-27: only a batch reads several objects.
  if (first === '')
    return graphError({
      code: 100,
      message: 'Unsupported request - method type: ' + asked.method.toLowerCase(),
      type: 'GraphMethodException',
    });
  if (first === 'me' || first === caller.user.id) return routePerson(state, asked, caller, { edge, place });
  const account = state.accounts.get(first);
  if (account !== undefined)
    return routeAccount(state, asked, caller, { account, edge: edge.join('/'), place });
  const campaign = state.campaigns.get(first);
  const isTheirs = campaign !== undefined && caller.user.accounts.includes(campaign.account);
  if (!isTheirs || edge.length > 0) return missingObject(asked.method, asked.path);
  if (asked.method === 'POST') return updateCampaign(state, caller, campaign, asked.params);
  if (asked.method === 'DELETE') return deleteCampaign(state, caller, campaign);
  return mayRead(caller) ? campaignAnswer(state, campaign, asked.params) : graphError({ code: 200 });
}

function routePerson(
  state: GraphState,
  { method, params, path }: Asked,
  caller: Caller,
  { edge: [edge, detail], place }: { edge: string[]; place: Place },
): GraphAnswer {
  if (edge === 'permissions' && method === 'DELETE')
    return revokePermissions(state, caller, detail ?? params.get('permission') ?? null);
  if (method !== 'GET' || detail !== undefined) return missingObject(method, path);
  if (edge === undefined) return personAnswer(caller, params);
  if (edge === 'permissions') return listPermissions(caller, params);
  return edge === 'adaccounts' ? listAccounts(state, caller, params, place) : missingObject(method, path);
}

function routeAccount(
  state: GraphState,
  { method, params, path }: Asked,
  caller: Caller,
  { account, edge, place }: { account: Account; edge: string; place: Place },
): GraphAnswer {
  if (!caller.user.accounts.includes(account.id) || !mayRead(caller)) return graphError({ code: 200 });
  if (method !== 'GET') return missingObject(method, path);
  switch (edge) {
    case '':
      return accountAnswer(account, params);
    case 'campaigns':
      return listCampaigns(state, account, params, place);
    case 'activities':
      return listActivities(state, account, params, place);
    default:
      return missingObject(method, path);
  }
}
