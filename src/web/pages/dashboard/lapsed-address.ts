/** At home somebody without a subscription finds the plans; with this they find their campaigns. */
const SHOW = 'show';
const CAMPAIGNS = 'campaigns';

export const CAMPAIGNS_WITHOUT_ACCESS = `/?${SHOW}=${CAMPAIGNS}`;

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get(SHOW) === CAMPAIGNS;
}
