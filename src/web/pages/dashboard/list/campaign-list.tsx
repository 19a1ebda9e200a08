import { Card, Group, Text, Title } from '@mantine/core';
import type { AdAccount } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import { figure } from '#core/words.ts';
import { Suspense, useState } from 'react';
import { lazyExtra } from '../../../browser/lazy-part.ts';
import { useCampaigns, useLastKnown } from '../../../api/queries.ts';
import { CampaignBrowser } from '../campaign-browser.tsx';
import type { Acts } from './campaign-row.tsx';
import classes from '../dashboard.module.css';
import { Placeholders } from './placeholders.tsx';

const ListAge = lazyExtra(async () => (await import('./list-age.tsx')).ListAge);
const NoList = lazyExtra(async () => (await import('./no-list.tsx')).NoList);

export interface CampaignListProps {
  account: AdAccount | null;
  /** The accounts themselves are still on their way. */
  loading: boolean;
  acts: Acts;
}

export function CampaignList({ account, loading, acts }: CampaignListProps) {
  return (
    <Card component="section" padding={0} className={classes.card} aria-label="Campaigns">
      <Group
        justify="space-between"
        px={{ base: 'md', sm: 'lg' }}
        py="md"
        gap={0}
        className={classes.caption}
      >
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
  const running = campaigns.filter((one) => !hasEnded(one.status) && one.isLegacyAdvantage !== true);
  const on = running.filter(({ smartPauseSetting }) => smartPauseSetting === 'ON').length;
  const held = campaigns.filter((campaign) => campaign.held === true).length;
  return (
    <Text fz="sm" c="dimmed" className="figures">
      SmartPause on for {figure(on)} of {figure(running.length)}
      {held > 0 && ` · ${figure(held)} held`}
    </Text>
  );
}

function Campaigns({ account, acts }: { account: AdAccount; acts: Acts }) {
  const { data: campaigns, failureReason, isFetching, refetch } = useCampaigns(account.id);
  const lastKnown = useLastKnown(account.id);
  // It is forgotten when the next try begins, and what is said should stay until one succeeds.
  const [failure, setFailure] = useState(failureReason);
  if (failureReason !== null && failureReason !== failure) setFailure(failureReason);
  if (campaigns === undefined) {
    if (failure === null) return <Placeholders />;
    return (
      <Suspense fallback={<Placeholders />}>
        <NoList failure={failure} isTrying={isFetching} onTry={() => void refetch()} />
      </Suspense>
    );
  }
  return (
    <>
      {lastKnown && (
        <Suspense>
          <ListAge {...lastKnown} />
        </Suspense>
      )}
      {campaigns.length === 0 ? (
        <Empty text="No campaigns found for this account" />
      ) : (
        <CampaignBrowser account={account} campaigns={campaigns} acts={acts} />
      )}
    </>
  );
}

function Empty({ text }: { text: string }) {
  return (
    <Text c="dimmed" ta="center" px="lg" pt="lg" pb={56}>
      {text}
    </Text>
  );
}
