import { Card, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { AdAccount } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { hasFailed } from '../../../lib/has-failed.ts';
import { useCampaigns, useLastKnown } from '../api.ts';
import { countsIn } from '../account-counts.ts';
import { NotLoaded } from '../not-loaded.tsx';
import { CampaignBrowser } from '../campaign-browser.tsx';
import type { AllowedActions } from '../bulk/actions.ts';
import classes from './list.module.css';
import { NoAccounts, NoCampaigns } from './empty-lists.tsx';
import { ListAge } from './list-age.tsx';
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
  const query = useCampaigns(account.id);
  const { data: campaigns } = query;
  const lastKnown = useLastKnown(account.id);
  if (campaigns === undefined) {
    if (!hasFailed(query)) return <Placeholders />;
    return <NotLoaded text="Can’t load the campaigns of this ad account." query={query} />;
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
