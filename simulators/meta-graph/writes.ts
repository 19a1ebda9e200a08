import type { Caller } from './auth.ts';
import { isGranted } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Params } from './shape.ts';
import type { Campaign, GraphState } from './state/state.ts';
import { changeStatus } from './state/state.ts';

export const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'] as const;
/** Campaign types that cannot be created or updated through Meta's API since 2026-05-19. */
const LEGACY = ['AUTOMATED_SHOPPING_ADS', 'SMART_APP_PROMOTION'];

/** POST /{campaign}: its status. Other changes, ad sets and ads are not simulated. */
export function updateCampaign(
  state: GraphState,
  caller: Caller,
  campaign: Campaign,
  params: Params,
): GraphAnswer {
  const status = params.get('status');
  const refused =
    refuseWrite(state, caller, campaign) ?? (status === undefined ? null : refuseStatus(campaign, status));
  if (refused !== null) return refused;
  if (status !== undefined)
    changeStatus(state, campaign, status, { application: state.app.id, token_user: caller.user.id });
  return { status: 200, body: { success: true } };
}

function refuseWrite(state: GraphState, caller: Caller, campaign: Campaign): GraphAnswer | null {
  if (!isGranted(caller, 'ads_management')) {
    const message = '(#200) Requires ads_management permission to manage the object';
    return graphError({ code: 200, message });
  }
  if (state.accounts.get(campaign.account)?.account_status !== 1) return graphError({ code: 2615 });
  // Assumed: a status change counts as an update.
  if (!LEGACY.includes(campaign.smart_promotion_type ?? '')) return null;
  const message = '(#100) Legacy Advantage+ campaigns can no longer be created or updated with this API.';
  return graphError({ code: 100, message });
}

function refuseStatus(campaign: Campaign, status: string): GraphAnswer | null {
  if (!STATUSES.some((one) => one === status))
    return graphError({
      code: 100,
      message: '(#100) Param status must be one of {ACTIVE, PAUSED, DELETED, ARCHIVED}',
    });
  if (campaign.status === 'DELETED') return graphError({ code: 100, subcode: 1487566 });
  if (campaign.status === 'ARCHIVED' && status !== 'DELETED')
    return graphError({
      code: 100,
      subcode: 1487566,
      message: 'Invalid parameter: an archived campaign can only be deleted',
    });
  return null;
}
