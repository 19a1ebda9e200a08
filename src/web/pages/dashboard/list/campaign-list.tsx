import { Card, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { AdAccount } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { useState } from 'react';
import { useCampaigns, useLastKnown } from '../../../api/queries.ts';
import { countsIn } from '../account-counts.ts';
import { CampaignBrowser } from '../campaign-browser.tsx';
import type { AllowedActions } from '../bulk/actions.ts';
import classes from './list.module.css';
import { NoAccounts, NoCampaigns } from './empty-lists.tsx';
import { ListAge, NoList } from './list-notices.tsx';
import { Muted } from '../../../components/muted.ts';

export interface CampaignListProps {
  account: AdAccount | null;
  /** The accounts are still loading. */
  loading: boolean;
  allowed: AllowedActions;
}

export function CampaignList({ account, loading, allowed }: CampaignListProps) {
  return (
    <Card component="section" padding={0} className={classes.card} aria-label="Campaigns">
      <Group justify="space-between" px={{ base: 'md', sm: 'lg' }} py="md" gap="2px md">
        <Title order={2} fz="md" maw="100%" style={{ overflowWrap: 'anywhere' }}>
          {account?.name ?? 'Campaigns'}
        </Title>
        {account !== null && <Protection account={account} />}
      </Group>
      {account !== null && <Campaigns account={account} allowed={allowed} />}
      {account === null && loading && <Placeholders />}
      {account === null && !loading && <NoAccounts />}
    </Card>
  );
}

/** The share of the account that SmartPause protects. */
function Protection({ account }: { account: AdAccount }) {
  const { data: campaigns } = useCampaigns(account.id);
  if (campaigns === undefined || campaigns.length === 0) return null;
  const { all, protectedCampaigns, paused } = countsIn(campaigns);
  return (
    <Muted className="figures">
      SmartPause on for {figure(protectedCampaigns)} of {figure(all)}
      {paused > 0 && ` · ${figure(paused)} paused by SmartPause`}
    </Muted>
  );
}

function Campaigns({ account, allowed }: { account: AdAccount; allowed: AllowedActions }) {
  const { data: campaigns, failureReason, isFetching, refetch } = useCampaigns(account.id);
  const lastKnown = useLastKnown(account.id);
  // The query drops its error on a retry; the message stays until a retry succeeds.
  const [failure, setFailure] = useState(failureReason);
  if (failureReason !== null && failureReason !== failure) setFailure(failureReason);
  if (campaigns === undefined) {
    if (failure === null) return <Placeholders />;
    return <NoList failure={failure} isTrying={isFetching} onTry={() => void refetch()} />;
  }
  return (
    <>
      {lastKnown && <ListAge {...lastKnown} />}
      {campaigns.length === 0 ? (
        <NoCampaigns account={account} />
      ) : (
        <CampaignBrowser account={account} campaigns={campaigns} allowed={allowed} />
      )}
    </>
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
