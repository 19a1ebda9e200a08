import { Anchor, Stack, Text } from '@mantine/core';
import { useAdAccounts } from '../../lib/queries.ts';
import { useNow } from '../../lib/use-now.ts';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';
import { useCampaignLists } from '../campaigns/api.ts';
import { useUserStatus } from '../status/api.ts';
import { leaveCopy } from './leave-copy.ts';

/** What keeps a user here who leaves: above all resumes that Meta refuses. */
export function LeaveProgress() {
  const { data: user } = useUserStatus();
  const { data: accounts = [] } = useAdAccounts();
  const refusing = accounts.filter(({ id }) => user?.refusingAccounts?.includes(id));
  const lists = useCampaignLists(refusing);
  const copy = leaveCopy(
    lists.flatMap(({ data }) => data?.campaigns ?? []),
    { now: useNow(), suspended: user?.isSuspended === true ? (user.heldCampaigns ?? 0) : null },
  );
  return (
    <Stack gap={6} role="status" fz="sm">
      {copy.map((text) => (
        <Text key={text} inherit>
          {text}
        </Text>
      ))}
      {copy.length > 1 &&
        refusing.map(({ id, name }) => (
          <Anchor key={id} href={adsManagerAddress(id)} target="_blank" rel="noreferrer" inherit fw={600}>
            Open {refusing.length > 1 ? `${name} in ` : ''}Ads Manager
          </Anchor>
        ))}
    </Stack>
  );
}
