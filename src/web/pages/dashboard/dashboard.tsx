import { Container, Grid, Stack, Title } from '@mantine/core';
import { useChosenAccount } from '../../chosen-account.ts';
import { useAdAccounts } from '../../queries.ts';
import { useUser } from '../../session.tsx';
import { AccountList } from './account-list.tsx';
import { Banners } from './banners.tsx';
import { CampaignList } from './campaign-list.tsx';

export function Dashboard() {
  const { isInitialized } = useUser();
  const { data: accounts } = useAdAccounts();
  const [chosenId, choose] = useChosenAccount();
  const selected = accounts?.find((account) => account.id === chosenId) ?? accounts?.[0] ?? null;

  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <Title order={1} fz={26}>
          Campaigns
        </Title>
        <Banners isInitialized={isInitialized} />
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
              disabled={!isInitialized}
            />
          </Grid.Col>
        </Grid>
      </Stack>
    </Container>
  );
}
