import type { QueryClient } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { seconds } from '#core/time.ts';
import { call } from '../../lib/api-client.ts';
import { campaignsQuery, keys } from '../../lib/queries.ts';
import { hasScheduledResume, outagePollMs, useIsDisrupted, useUserStatus } from '../status/api.ts';
import type { Action, Target } from './changes/actions.ts';

export function useCampaigns(adAccountId: string) {
  const isDisrupted = useIsDisrupted();
  const hasResume = hasScheduledResume(useUserStatus().data);
  return useQuery({
    ...campaignsQuery(adAccountId),
    refetchInterval: ({ state: { data } }) => {
      // Live updates report only a list that differs.
      if (data?.isBeingRead === true) return seconds(2);
      return isDisrupted || hasResume || data?.campaigns.some(({ held }) => held === true) === true
        ? outagePollMs()
        : seconds(15);
    },
  });
}

/** Reads the lists of these ad accounts now; those that cannot be read are unread. */
export async function readCampaigns(client: QueryClient, accounts: readonly Target['account'][]) {
  const read = ({ id }: Target['account']) => client.query({ ...campaignsQuery(id), staleTime: 0 });
  const answers = await Promise.allSettled(accounts.map(read));
  const targets = accounts.flatMap((account, index): Target[] => {
    const answer = answers[index];
    if (answer?.status !== 'fulfilled') return [];
    return answer.value.campaigns.map((campaign) => ({ account, campaign }));
  });
  return { targets, unread: accounts.filter((_, index) => answers[index]?.status === 'rejected') };
}

/** @returns the changed fields; `pendingStatus`: Meta has not confirmed it yet */
export async function sendChange(action: Action, target: Target): Promise<Partial<Campaign>> {
  const { account, campaign, resumes } = target;
  // A change ends even if the call is never answered.
  const signal = AbortSignal.timeout(seconds(30));
  if (action === 'on' || action === 'off') {
    const params = { adAccountId: account.id, campaignId: campaign.id };
    const answer = await call(userApi.setSmartPause, { params, body: { enabled: action === 'on' }, signal });
    const smartPauseSetting = answer.smartPauseSetting ?? (action === 'on' ? 'ON' : 'OFF');
    return {
      smartPauseSetting,
      ...(resumes === true && (await sendChange('resume', { account, campaign }))),
    };
  }
  const endpoint = action === 'pause' ? userApi.pauseCampaign : userApi.resumeCampaign;
  const { status, pending } = await call(endpoint, { params: { id: campaign.id }, signal });
  if (pending === true) return { pendingStatus: status === 'PAUSED' ? 'PAUSED' : 'ACTIVE' };
  return { status, pendingStatus: undefined };
}

/** Shows confirmed changes in the lists, and cancels reads that began before them. */
export async function changeInLists(
  client: QueryClient,
  changed: ReadonlyMap<string, Partial<Campaign>>,
): Promise<void> {
  await client.cancelQueries({ queryKey: keys.allCampaigns });
  client.setQueriesData<ReplyOf<typeof userApi.campaigns>>({ queryKey: keys.allCampaigns }, (list) => {
    // The other rows need not render again.
    const changeOne = (one: Campaign) => (changed.has(one.id) ? { ...one, ...changed.get(one.id) } : one);
    return list && { ...list, campaigns: list.campaigns.map(changeOne) };
  });
}

/** After a change by the user: reads the lists, and what depends on them, again; after a refusal also the user. */
export function readAgain(client: QueryClient, wasRefused: boolean): void {
  const lists = [keys.allCampaigns, keys.userStatus, keys.adAccounts];
  const user = wasRefused ? [keys.me, keys.subscription] : [];
  for (const queryKey of [...lists, ...user]) void client.invalidateQueries({ queryKey });
}
