import { parseJson } from '../../kit/http.ts';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import type { Place } from '../paging.ts';
import { pageOf } from '../paging.ts';
import type { Params, Readers } from '../shape.ts';
import { shapeFor, showOne } from '../shape.ts';
import type { Account, Campaign, GraphState } from './state.ts';
import { shownStatus } from './state.ts';

function campaignReaders(state: GraphState): Readers<Campaign> {
  return {
    id: (campaign) => campaign.id,
    name: (campaign) => campaign.name,
    status: (campaign) => shownStatus(state, campaign),
    effective_status: (campaign) => shownStatus(state, campaign),
    objective: (campaign) => campaign.objective,
    daily_budget: (campaign) => campaign.daily_budget,
    smart_promotion_type: (campaign) => campaign.smart_promotion_type,
    start_time: (campaign) => campaign.start_time,
    stop_time: (campaign) => campaign.stop_time,
  };
}

export function campaignAnswer(state: GraphState, campaign: Campaign, params: Params): GraphAnswer {
  return showOne(shapeFor(params, campaignReaders(state), 'Campaign'), campaign);
}

const EFFECTIVE_STATUSES = [
  'ACTIVE',
  'PAUSED',
  'DELETED',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
  'CAMPAIGN_PAUSED',
  'ARCHIVED',
  'ADSET_PAUSED',
  'IN_PROCESS',
  'WITH_ISSUES',
];
const SHOWN_BY_DEFAULT = EFFECTIVE_STATUSES.filter((one) => one !== 'DELETED' && one !== 'ARCHIVED');

export function listCampaigns(
  state: GraphState,
  account: Account,
  params: Params,
  place: Place,
): GraphAnswer {
  const asked = params.get('effective_status');
  const statuses: unknown = asked === undefined ? SHOWN_BY_DEFAULT : parseJson(asked);
  if (!Array.isArray(statuses) || !statuses.every((one) => EFFECTIVE_STATUSES.includes(String(one))))
    return graphError({
      code: 100,
      message: `(#100) Param effective_status must be one of {${EFFECTIVE_STATUSES.join(', ')}}`,
    });
  const campaigns = account.campaigns.flatMap((id) => state.campaigns.get(id) ?? []);
  return pageOf(
    campaigns,
    { params, place },
    shapeFor(params, campaignReaders(state), 'Campaign'),
    (campaign) => statuses.includes(shownStatus(state, campaign)),
  );
}
