import { Container, Grid, Stack } from '@mantine/core';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { useAdAccounts } from '../../api/queries.ts';
import { useUser } from '../../auth.tsx';
import { AccountList } from './account-list.tsx';
import { Banners } from './banners.tsx';
import { CampaignList } from './list/campaign-list.tsx';
import { LapsedBanners } from './held-notice.tsx';
import { useChosenAccount } from './use-list-address.ts';

/** @param props.isLapsed without a subscription: what is paused can be given back, and nothing else */
export function Dashboard({ isLapsed = false }: { isLapsed?: boolean }) {
  const { isInitialized } = useUser();
  const { data: accounts } = useAdAccounts();
  const [selected, choose] = useChosenAccount(accounts);

  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <PageHeading fz={26}>Campaigns</PageHeading>
        {isLapsed ? <LapsedBanners /> : <Banners isInitialized={isInitialized} />}
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, sm: 4, lg: 3 }}>
            <AccountList
              accounts={accounts}
              selectedId={selected?.id ?? null}
              disabled={!isInitialized}
              onSelect={choose}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 8, lg: 9 }}>
            <CampaignList
              key={selected?.id}
              account={selected}
              loading={accounts === undefined}
              acts={isInitialized ? (isLapsed ? 'giving_back' : 'all') : 'none'}
            />
          </Grid.Col>
        </Grid>
      </Stack>
    </Container>
  );
}
