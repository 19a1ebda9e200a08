import type { QueryClient } from '@tanstack/react-query';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { seconds } from '#core/time.ts';
import { call } from '../../lib/api-client.ts';
import { campaignsQuery, keys } from '../../lib/queries.ts';
import { hasScheduledResume, outagePollMs, useIsDisrupted, useUserStatus } from '../status/api.ts';

export function useCampaigns(adAccountId: string) {
  const isDisrupted = useIsDisrupted();
  const hasResume = hasScheduledResume(useUserStatus().data);
  return useQuery({
    ...campaignsQuery(adAccountId),
    select: ({ campaigns }) => campaigns,
    refetchInterval: ({ state: { data } }) => {
      // Live updates report only a list that differs.
      if (data?.isBeingRead === true) return seconds(2);
      return isDisrupted || hasResume || data?.campaigns.some(({ held }) => held === true) === true
        ? outagePollMs()
        : seconds(15);
    },
  });
}

/** The time of the shown list, while a newer one cannot be read; falsy: the list is new. */
export function useLastKnown(adAccountId: string) {
  return useQuery({ ...campaignsQuery(adAccountId), enabled: false, select: ({ lastKnown }) => lastKnown })
    .data;
}

/** Reads the lists of these ad accounts; those that cannot be read are unread. */
export async function readCampaigns<Account extends { id: string }>(
  client: QueryClient,
  accounts: readonly Account[],
) {
  const answers = await Promise.allSettled(accounts.map(({ id }) => client.query(campaignsQuery(id))));
  const campaigns = accounts.flatMap((account, index) => {
    const answer = answers[index];
    return answer?.status === 'fulfilled'
      ? answer.value.campaigns.map((campaign) => ({ account, campaign }))
      : [];
  });
  return { campaigns, unread: accounts.filter((_, index) => answers[index]?.status === 'rejected') };
}

/** Writes confirmed changes into the list by campaign, and cancels reads that began before. */
export async function writeIntoList(
  client: QueryClient,
  adAccountId: string,
  changes: ReadonlyMap<string, Partial<Campaign>>,
): Promise<void> {
  const { queryKey } = campaignsQuery(adAccountId);
  await client.cancelQueries({ queryKey });
  client.setQueryData(
    queryKey,
    (list) =>
      list && { ...list, campaigns: list.campaigns.map((one) => ({ ...one, ...changes.get(one.id) })) },
  );
}

/**
 * After a change by the user: reads the list of this account, or all lists, and what depends on them again.
 * @returns once the lists have been read
 */
export async function readListAgain(client: QueryClient, adAccountId?: string): Promise<void> {
  void client.invalidateQueries({ queryKey: keys.userStatus });
  void client.invalidateQueries({ queryKey: keys.adAccounts });
  const queryKey = adAccountId === undefined ? keys.allCampaigns : keys.campaigns(adAccountId);
  await client.invalidateQueries({ queryKey });
}

function useCampaignUpdate(adAccountId: string, campaignId: string) {
  const client = useQueryClient();
  return async (change: Partial<Campaign>) => {
    await writeIntoList(client, adAccountId, new Map([[campaignId, change]]));
    void readListAgain(client, adAccountId);
  };
}

export function useSetSmartPause(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (enabled: boolean) =>
      call(userApi.setSmartPause, { params: { adAccountId, campaignId }, body: { enabled } }),
    onSuccess: (answer, enabled) => update({ smartPauseSetting: settingAfter(answer, enabled) }),
  });
}

/** The setting that the server returned, or else the requested one. */
export function settingAfter(
  { smartPauseSetting }: ReplyOf<typeof userApi.setSmartPause>,
  enabled: boolean,
): Campaign['smartPauseSetting'] {
  return smartPauseSetting ?? (enabled ? 'ON' : 'OFF');
}

export function usePauseOrResume(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (act: 'pause' | 'resume') =>
      call(act === 'pause' ? userApi.pauseCampaign : userApi.resumeCampaign, {
        params: { id: campaignId },
      }),
    onSuccess: ({ status, pending }) =>
      update(
        pending === true
          ? { pendingStatus: status === 'PAUSED' ? 'PAUSED' : 'ACTIVE' }
          : { status, pendingStatus: undefined },
      ),
  });
}
