import type { Caller } from './auth.ts';
import { mayWrite } from './auth.ts';
import { campaignAnswer } from './state/campaigns.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Params } from './params.ts';
import { listParam } from './params.ts';
import type { Author, Campaign, GraphState } from './state/state.ts';
import { changeDailyBudget, changeName, changeStatus } from './state/state.ts';

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'];
/** Campaign types that cannot be created or updated through Meta's API since 2026-05-19. */
const LEGACY = ['AUTOMATED_SHOPPING_ADS', 'SMART_APP_PROMOTION'];
const DONE: GraphAnswer = { status: 200, body: { success: true } };

/** POST /{campaign}: status, name or daily budget. Children are not simulated: they only follow. */
export function updateCampaign(
  state: GraphState,
  caller: Caller,
  campaign: Campaign,
  params: Params,
): GraphAnswer {
  const [status, name, budget] = ['status', 'name', 'daily_budget'].map((param) => params.get(param));
  const refused =
    refuseWrite(state, caller, campaign) ??
    refuseLegacy(campaign) ??
    (status === undefined ? null : refuseStatus(campaign, status)) ??
    refuseBudget(campaign, budget);
  if (refused !== null) return refused;
  const options = listParam(params, 'execution_options');
  if (options === 'wrong') {
    return graphError({ code: 100, message: '(#100) Param execution_options must be an array.' });
  }
  if (options?.includes('validate_only') === true) return DONE;
  const author = throughThisApp(state, caller);
  if (name !== undefined) changeName(state, campaign, name, author);
  if (budget !== undefined) changeDailyBudget(state, campaign, budget, author);
  if (status !== undefined) changeStatus(state, campaign, status, author);
  return params.has('fields') ? campaignAnswer(state, campaign, params) : DONE;
}

export function deleteCampaign(state: GraphState, caller: Caller, campaign: Campaign): GraphAnswer {
  const refused = refuseWrite(state, caller, campaign) ?? refuseStatus(campaign, 'DELETED');
  if (refused !== null) return refused;
  changeStatus(state, campaign, 'DELETED', throughThisApp(state, caller));
  return DONE;
}

function throughThisApp(state: GraphState, { user }: Caller): Author {
  return { actor: user, application: state.app, token_user: user.id };
}

function refuseWrite(state: GraphState, caller: Caller, campaign: Campaign): GraphAnswer | null {
  if (!mayWrite(caller)) {
    const message = '(#200) Requires ads_management permission to manage the object';
    return graphError({ code: 200, message });
  }
  const account = state.accounts.get(campaign.account);
  return account?.account_status === 1 ? null : graphError({ code: 2615 });
}

/** That a change of the status counts as an update is assumed. */
function refuseLegacy({ smart_promotion_type: type }: Campaign): GraphAnswer | null {
  if (type === null || !LEGACY.includes(type)) return null;
  const message = '(#100) Legacy Advantage+ campaigns can no longer be created or updated with this API.';
  return graphError({ code: 100, message });
}

function refuseStatus(campaign: Campaign, status: string): GraphAnswer | null {
  if (!STATUSES.includes(status)) {
    return graphError({
      code: 100,
      message: '(#100) Param status must be one of {ACTIVE, PAUSED, DELETED, ARCHIVED}',
    });
  }
  if (campaign.status === 'DELETED') return graphError({ code: 100, subcode: 1487566 });
  if (campaign.status === 'ARCHIVED' && status !== 'DELETED') {
    return graphError({
      code: 100,
      subcode: 1487566,
      message: 'Invalid parameter: an archived campaign can only be deleted',
    });
  }
  return null;
}

function refuseBudget(campaign: Campaign, budget: string | undefined): GraphAnswer | null {
  if (budget === undefined) return null;
  if (!/^[1-9]\d*$/.test(budget)) {
    return graphError({ code: 100, message: '(#100) Param daily_budget must be an integer' });
  }
  return ['ARCHIVED', 'DELETED'].includes(campaign.status)
    ? graphError({ code: 100, subcode: 1487566 })
    : null;
}
