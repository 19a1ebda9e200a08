import { Button, Card, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { Muted } from '../../../components/muted.ts';
import { hasFailed } from '../../../lib/has-failed.ts';
import { loginAddress } from '../../../lib/return-to.ts';
import { staleSince } from '../../../lib/stale.ts';
import { useReturnTo } from '../../auth/use-return-to.ts';
import { adsManagerAddress } from '../ads-manager.ts';
import { useCampaigns } from '../api.ts';
import { countsIn } from '../campaign-view.ts';
import { EmptyList, ListAge, NoDeliveryNotice, NotLoaded } from '../notices.tsx';
import { CampaignBrowser } from './campaign-browser.tsx';
import classes from './list.module.css';

interface CampaignListProps {
  account: AdAccount | null;
  /** The accounts are still loading. */
  isLoading: boolean;
  /** The choice of the account, in place of its name. */
  picker: ReactNode;
}

export function CampaignList({ account, isLoading, picker }: CampaignListProps) {
  return (
    <Card component="section" padding={0} className={classes.card} aria-label="Campaigns">
      <Group justify="space-between" px={{ base: 'md', sm: 'lg' }} py={{ base: 12, sm: 'md' }} gap="4px md">
        {picker ?? (
          <Title order={2} fz="md" maw="100%" style={{ overflowWrap: 'anywhere' }}>
            {account?.name ?? 'Campaigns'}
          </Title>
        )}
        {account !== null && <Counts account={account} />}
      </Group>
      {account?.noDelivery !== undefined && <NoDeliveryNotice id={account.id} reason={account.noDelivery} />}
      {account !== null && <AccountCampaigns key={account.id} account={account} />}
      {account === null && (isLoading ? <Placeholders /> : <NoAccounts />)}
    </Card>
  );
}

/** The share of the account that SmartPause protects. */
function Counts({ account }: { account: AdAccount }) {
  const { campaigns = [] } = useCampaigns(account.id).data ?? {};
  const { all, protectedCampaigns, paused } = countsIn(campaigns);
  if (campaigns.length === 0) return null;
  return (
    <Muted className="figures">
      SmartPause on for {figure(protectedCampaigns)} of {figure(all)}
      {paused > 0 && ` · ${figure(paused)} paused`}
    </Muted>
  );
}

function AccountCampaigns({ account }: { account: AdAccount }) {
  const query = useCampaigns(account.id);
  if (query.data === undefined) {
    if (!hasFailed(query)) return <Placeholders />;
    return <NotLoaded text="Can’t load the campaigns of this ad account." query={query} />;
  }
  const { campaigns, lastKnown } = query.data;
  const since = staleSince(query);
  return (
    <>
      {since !== null && <ListAge at={lastKnown?.at ?? new Date(since).toISOString()} because={null} />}
      {since === null && lastKnown && <ListAge {...lastKnown} />}
      {campaigns.length > 0 ? (
        <CampaignBrowser {...{ account, campaigns }} />
      ) : (
        <NoCampaigns accountId={account.id} />
      )}
    </>
  );
}

function NoCampaigns({ accountId }: { accountId: string }) {
  const href = adsManagerAddress(accountId);
  return (
    <EmptyList
      title="No campaigns found for this account"
      text="Create one in Ads Manager. It appears here automatically."
    >
      <Button component="a" variant="default" href={href} target="_blank" rel="noreferrer">
        Open Ads Manager
      </Button>
    </EmptyList>
  );
}

function NoAccounts() {
  const returnTo = useReturnTo();
  return (
    <EmptyList
      title="Select an ad account to view campaigns"
      text="No ad account found on Meta for your login. Log in again once you have access to one."
    >
      <Button component="a" variant="default" href={loginAddress(returnTo)}>
        Log in again
      </Button>
    </EmptyList>
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
