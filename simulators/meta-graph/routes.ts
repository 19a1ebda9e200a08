import type { Caller } from './auth.ts';
import { authenticate, mayRead, tokenOf } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, missingObject } from './errors.ts';
import { debugToken, exchange } from './login/tokens.ts';
import { listAccounts } from './state/accounts.ts';
import { listActivities } from './state/activities.ts';
import { campaignAnswer, listCampaigns } from './state/campaigns.ts';
import type { Account, GraphState } from './state/state.ts';
import { listPermissions, removeApp, userAnswer } from './state/users.ts';
import { updateCampaign } from './writes.ts';

/** One operation: a request of its own, or one inside a batch. */
export interface Operation {
  method: string;
  /** The requested version, such as '26.0'. */
  version: string | undefined;
  /** Without the version, and without leading and trailing slashes. */
  path: string;
  params: Map<string, string>;
  headers: Record<string, string>;
  op: 'outer' | 'inner';
}

const CURRENT_VERSION = '26.0';

/** Routes an operation to its implementation. */
export function route(state: GraphState, asked: Operation, url: string): GraphAnswer {
  if (asked.path === 'oauth/access_token') return exchange(state, asked.params);
  if (asked.path === 'debug_token') return debugToken(state, asked.params);
  const who = authenticate(state, asked);
  if ('status' in who) return who;
  const [first = '', ...edge] = asked.path.split('/');
  // Meta removed the root's `?ids=` on 2026-10-27: only a batch reads several objects.
  if (first === '')
    return graphError({
      code: 100,
      message: `Unsupported request - method type: ${asked.method.toLowerCase()}`,
      type: 'GraphMethodException',
    });
  const place = {
    base: `${url}/v${asked.version ?? CURRENT_VERSION}/${asked.path}`,
    token: tokenOf(asked) ?? '',
  };
  const given = { state, asked, caller: who, edge: edge.join('/'), place };
  if (first === 'me' || first === who.user.id) return routeUser(given);
  const account = state.accounts.get(first);
  return account === undefined ? routeCampaign(given, first) : routeAccount(given, account);
}

interface Given {
  state: GraphState;
  asked: Operation;
  caller: Caller;
  /** The path after the object. */
  edge: string;
  place: { base: string; token: string };
}

function routeUser({ state, asked, caller, edge, place }: Given): GraphAnswer {
  switch (`${asked.method} ${edge}`) {
    case 'GET ':
      return userAnswer(caller, asked.params);
    case 'GET adaccounts':
      return listAccounts(state, caller, asked.params, place);
    case 'GET permissions':
      return listPermissions(caller);
    case 'DELETE permissions':
      removeApp(state, caller.user);
      return { status: 200, body: { success: true } };
    default:
      return missingObject(asked.method, asked.path);
  }
}

function routeAccount({ state, asked, caller, edge, place }: Given, account: Account): GraphAnswer {
  if (!caller.user.accounts.includes(account.id) || !mayRead(caller)) return graphError({ code: 200 });
  switch (`${asked.method} ${edge}`) {
    case 'GET campaigns':
      return listCampaigns(state, account, asked.params, place);
    case 'GET activities':
      return listActivities(state, account, asked.params, place);
    default:
      return missingObject(asked.method, asked.path);
  }
}

function routeCampaign({ state, asked, caller, edge }: Given, id: string): GraphAnswer {
  const campaign = state.campaigns.get(id);
  if (campaign === undefined || !caller.user.accounts.includes(campaign.account) || edge !== '')
    return missingObject(asked.method, asked.path);
  if (asked.method === 'POST') return updateCampaign(state, caller, campaign, asked.params);
  if (asked.method !== 'GET') return missingObject(asked.method, asked.path);
  return mayRead(caller) ? campaignAnswer(state, campaign, asked.params) : graphError({ code: 200 });
}
