import { Button, Card, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import { Muted } from '../../components/muted.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useReturnTo } from '../auth/use-return-to.ts';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';
import type { AccountList } from '../campaigns/api.ts';
import { useCampaignLists } from '../campaigns/api.ts';
import { countsIn } from '../campaigns/campaign-view.ts';
import { ALL } from '../campaigns/list-address.ts';
import { useCounts } from '../campaigns/use-unable.ts';
import { useUserStatus } from '../status/api.ts';
import { CampaignBrowser } from './campaign-browser.tsx';
import classes from './list.module.css';
import { EmptyList, ListAge, NoDeliveryNotice, NotLoaded } from './notices.tsx';

interface CampaignListProps {
  /** One, or all; empty: there is none, or they are still loading. */
  accounts: readonly AdAccount[];
  isLoading: boolean;
  /** The choice of the account, in place of its name. */
  picker: ReactNode;
}

export function CampaignList({ accounts, isLoading, picker }: CampaignListProps) {
  const [first] = accounts;
  const isSeveral = accounts.length > 1;
  const name = isSeveral ? ALL.name : (first?.name ?? '');
  return (
    <Card component="section" padding={0} className={classes.card} aria-label="Campaigns">
      {first !== undefined && (
        <Group justify="space-between" px={{ base: 'md', sm: 'lg' }} py={{ base: 12, sm: 'md' }} gap="8px md">
          {picker ?? (
            <Title order={2} fz="md" maw="100%" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
          )}
          <Counts account={isSeveral ? ALL : first} accounts={accounts} />
        </Group>
      )}
      {accounts.map(
        ({ id, name: of, noDelivery }) =>
          noDelivery !== undefined && (
            <NoDeliveryNotice key={id} id={id} reason={noDelivery} of={isSeveral ? of : undefined} />
          ),
      )}
      {first !== undefined && <Campaigns key={isSeveral ? 'all' : first.id} {...{ accounts, name }} />}
      {first === undefined && (isLoading ? <Placeholders /> : <NoAccounts />)}
    </Card>
  );
}

/** As beside the name of the ad account; a server without these counts has those of the list. */
function Counts({ account, accounts }: { account: AdAccount; accounts: readonly AdAccount[] }) {
  const { data: user } = useUserStatus();
  const countsOf = useCounts();
  const lists = useCampaignLists(accounts).flatMap(({ data }) => data ?? []);
  const campaigns = lists.flatMap((list) => list.campaigns);
  const { all, protectedCampaigns, paused } = countsIn(campaigns);
  if (campaigns.length === 0) return null;
  const refused = campaigns.filter((one) => one.refused?.action === 'resume').length;
  return (
    <Muted className="figures">
      {user?.coverage === undefined ? (
        <>
          SmartPause on for {figure(protectedCampaigns)} of {figure(all)}
          {lists.length < accounts.length &&
            ` in ${figure(lists.length)} of ${counted(accounts.length, 'ad account')}`}
          {paused > 0 && ` · ${figure(paused)} paused`}
        </>
      ) : (
        countsOf(account, refused)
      )}
    </Muted>
  );
}

/** What could not be loaded is named, and the rest is shown. */
function Campaigns({ accounts, name }: { accounts: readonly AdAccount[]; name: string }) {
  const queries = useCampaignLists(accounts);
  const all = accounts.flatMap((account, index) => {
    const query = queries[index];
    return query === undefined ? [] : { account, query };
  });
  const lists = useSameLists(
    all.flatMap(({ account, query: { data } }) =>
      data === undefined ? [] : { account, campaigns: data.campaigns },
    ),
  );
  const { failed = [], loading = [] } = Object.groupBy(
    all.filter(({ query }) => query.data === undefined),
    ({ query }) => (hasFailed(query) ? 'failed' : 'loading'),
  );
  if (lists.length + failed.length === 0) return <Placeholders />;
  const nameIn = ({ name: of }: AdAccount) => (accounts.length > 1 ? of : undefined);
  return (
    <>
      {failed.map(({ account, query }) => (
        <NotLoaded
          key={account.id}
          text={`Can’t load the campaigns of ${nameIn(account) ?? 'this ad account'}.`}
          of={nameIn(account)}
          query={query}
        />
      ))}
      {loading.map(({ account }) => (
        <Muted key={account.id} role="status" px={{ base: 'md', sm: 'lg' }} pb="xs">
          Loading the campaigns of {account.name}…
        </Muted>
      ))}
      {all.map(({ account, query }) => (
        <ListAge key={account.id} query={query} of={nameIn(account)} />
      ))}
      {lists.some(({ campaigns }) => campaigns.length > 0) && (
        <CampaignBrowser {...{ name, lists }} isSeveral={accounts.length > 1} />
      )}
      {lists.length === all.length && lists.every(({ campaigns }) => campaigns.length === 0) && (
        <NoCampaigns accountId={accounts[0]?.id ?? ''} />
      )}
    </>
  );
}

/** The same array while nothing in it differs, so that rows and sorting stay as they are. */
function useSameLists(next: readonly AccountList[]): readonly AccountList[] {
  const [kept, setKept] = useState(next);
  const isSame =
    kept.length === next.length &&
    kept.every(
      ({ account, campaigns }, at) => account === next[at]?.account && campaigns === next[at].campaigns,
    );
  if (!isSame) setKept(next);
  return isSame ? kept : next;
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
    <Stack gap="sm" p={{ base: 'md', sm: 'lg' }} aria-busy="true">
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} h={48} data-testid="campaign-placeholder" />
      ))}
    </Stack>
  );
}
