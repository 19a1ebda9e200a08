import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { AdAccount } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';
import { showsSmartPauseActive } from '../../campaign-view.ts';
import { useCampaigns, usePlatformStatus, useUserStatus } from '../../queries.ts';
import type { Acts } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import classes from './dashboard.module.css';

export interface CampaignListProps {
  account: AdAccount | null;
  /** The accounts themselves are still on their way. */
  loading: boolean;
  acts: Acts;
}

export function CampaignList({ account, loading, acts }: CampaignListProps) {
  return (
    <Card component="section" padding={0} aria-label="Campaigns">
      <Group justify="space-between" px={{ base: 'md', sm: 'lg' }} py="md" gap="2px md">
        <Title order={2} fz="md" maw="100%">
          <Text span inherit truncate display="block">
            {account?.name ?? 'Campaigns'}
          </Text>
        </Title>
        {account !== null && <Protection account={account} />}
      </Group>
      {account !== null && <Campaigns account={account} acts={acts} />}
      {account === null && loading && <Placeholders />}
      {account === null && !loading && <Empty text="Select an ad account to view campaigns" />}
    </Card>
  );
}

/** How much of the account SmartPause looks after. */
function Protection({ account }: { account: AdAccount }) {
  const { data: campaigns } = useCampaigns(account.id);
  if (campaigns === undefined || campaigns.length === 0) return null;
  const on = campaigns.filter(({ smartPauseSetting }) => smartPauseSetting === 'ON').length;
  const held = campaigns.filter((campaign) => campaign.held).length;
  return (
    <Text fz="sm" c="dimmed" className="figures">
      SmartPause on for {on} of {campaigns.length}
      {held > 0 && ` · ${held} held`}
    </Text>
  );
}

function Campaigns({ account, acts }: { account: AdAccount; acts: Acts }) {
  const { data: campaigns } = useCampaigns(account.id);
  const status = usePlatformStatus();
  const { data: person } = useUserStatus();
  if (campaigns === undefined) return <Placeholders />;
  if (campaigns.length === 0) return <Empty text="No campaigns found for this account" />;
  return (
    <ul className={classes.list}>
      {campaigns.toSorted(byListOrder).map((campaign) => (
        <CampaignRow
          key={campaign.id}
          account={account}
          campaign={campaign}
          smartPauseActive={showsSmartPauseActive(campaign, status, person)}
          acts={acts}
        />
      ))}
    </ul>
  );
}

function Empty({ text }: { text: string }) {
  return (
    <Text c="dimmed" ta="center" px="lg" pt="lg" pb={56}>
      {text}
    </Text>
  );
}

function Placeholders() {
  return (
    <Stack gap="sm" px="lg" pb="lg" aria-busy="true">
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} h={48} data-testid="campaign-placeholder" />
      ))}
    </Stack>
  );
}
