/** Home shows the plans without a subscription; this parameter shows the campaigns. */
const SHOW = 'show';
const CAMPAIGNS = 'campaigns';

export const CAMPAIGNS_WITHOUT_ACCESS = `/?${SHOW}=${CAMPAIGNS}`;

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get(SHOW) === CAMPAIGNS;
}
