import type { Caller } from './auth.ts';
import { mayWrite } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import { campaignNode } from './nodes.ts';
import type { Campaign, GraphState } from './state.ts';
import { changeCampaign } from './state.ts';

const ALLOWED: Record<string, string[]> = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'],
  PAUSED: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'],
  ARCHIVED: ['DELETED'],
  DELETED: [],
};

/** POST /{campaign}: sets the status. Children are not modelled: they only follow. */
export function updateCampaign(
  state: GraphState,
  caller: Caller,
  campaign: Campaign,
  params: Map<string, string>,
): GraphAnswer {
  if (!mayWrite(caller))
    return graphError({
      code: 200,
      message: '(#200) Requires ads_management permission to manage the object',
    });
  const account = state.accounts.get(campaign.account);
  if (account?.account_status !== 1) {
    return graphError({ code: 2615, message: '(#2615) Invalid call to update this adaccount' });
  }
  const status = params.get('status');
  if (status === undefined) return { status: 200, body: { success: true } };
  if (!['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'].includes(status)) {
    return graphError({
      code: 100,
      message: '(#100) Param status must be one of {ACTIVE, PAUSED, DELETED, ARCHIVED}',
    });
  }
  if (!(ALLOWED[campaign.status] ?? []).includes(status)) {
    return graphError({
      code: 100,
      subcode: 1487566,
      message: '(#100) Invalid parameter: the campaign is archived or deleted',
    });
  }
  if ((params.get('execution_options') ?? '').includes('validate_only'))
    return { status: 200, body: { success: true } };
  changeCampaign(state, campaign, {
    status,
    actor: caller.user,
    application: { id: state.app.id, name: 'SmartPause' },
    token_user: caller.user.id,
  });
  const fields = params.get('fields');
  if (fields === undefined) return { status: 200, body: { success: true } };
  return { status: 200, body: campaignNode(state, campaign, fields.split(',')) };
}
