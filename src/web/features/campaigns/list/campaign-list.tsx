import { Button, Card, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { Muted } from '../../../components/muted.ts';
import { hasFailed } from '../../../lib/has-failed.ts';
import { loginAddress } from '../../../lib/return-to.ts';
import { useReturnTo } from '../../auth/use-return-to.ts';
import { useCampaigns } from '../api.ts';
import type { Action } from '../bulk/actions.ts';
import { countsIn } from '../campaign-view.ts';
import { EmptyList, ListAge, NotLoaded } from '../notices.tsx';
import { CampaignBrowser } from './campaign-browser.tsx';
import classes from './list.module.css';

interface CampaignListProps {
  account: AdAccount | null;
  /** The accounts are still loading. */
  loading: boolean;
  allowed: readonly Action[];
}

export function CampaignList({ account, loading, allowed }: CampaignListProps) {
  return (
    <Card component="section" padding={0} className={classes.card} aria-label="Campaigns">
      {account !== null ? (
        <AccountCampaigns account={account} allowed={allowed} />
      ) : (
        <>
          <Heading name="Campaigns" campaigns={[]} />
          {loading ? <Placeholders /> : <NoAccounts />}
        </>
      )}
    </Card>
  );
}

function AccountCampaigns({ account, allowed }: { account: AdAccount; allowed: readonly Action[] }) {
  const query = useCampaigns(account.id);
  const { campaigns = [], lastKnown } = query.data ?? {};
  const id = encodeURIComponent(account.id.replace(/^act_/, ''));
  return (
    <>
      <Heading name={account.name} campaigns={campaigns} />
      {query.data === undefined && !hasFailed(query) && <Placeholders />}
      {query.data === undefined && hasFailed(query) && (
        <NotLoaded text="Can’t load the campaigns of this ad account." query={query} />
      )}
      {lastKnown && <ListAge {...lastKnown} />}
      {query.data !== undefined && campaigns.length === 0 && (
        <EmptyList
          title="No campaigns found for this account"
          text="Create one in Ads Manager. It appears here automatically."
        >
          <Button
            component="a"
            variant="default"
            href={`https://adsmanager.facebook.com/adsmanager/manage/campaigns?act=${id}`}
            target="_blank"
            rel="noreferrer"
          >
            Open Ads Manager
          </Button>
        </EmptyList>
      )}
      {campaigns.length > 0 && <CampaignBrowser {...{ account, campaigns, allowed }} />}
    </>
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

/** The account, and the share of it that SmartPause protects. */
function Heading({ name, campaigns }: { name: string; campaigns: readonly Campaign[] }) {
  const { all, protectedCampaigns, paused } = countsIn(campaigns);
  return (
    <Group justify="space-between" px={{ base: 'md', sm: 'lg' }} py="md" gap="2px md">
      <Title order={2} fz="md" maw="100%" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      {campaigns.length > 0 && (
        <Muted className="figures">
          SmartPause on for {figure(protectedCampaigns)} of {figure(all)}
          {paused > 0 && ` · ${figure(paused)} paused by SmartPause`}
        </Muted>
      )}
    </Group>
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
