import { Button, Card, Container, Group, Stack, Text } from '@mantine/core';
import { useAdAccounts } from '../../lib/queries.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { useOutages } from './api.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { LinkButton } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { AccountFilter, useActivityFilter } from './account-filter.tsx';
import classes from './activity.module.css';
import { OutageItem } from './outage-item.tsx';

/** The user's outages, newest first. */
export function Activity() {
  const { filter, change } = useActivityFilter();
  const choose = (account: string | undefined) => change({ account });
  const { data: accounts = [] } = useAdAccounts();
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-end" gap="sm">
          <div>
            <PageHeading fz={26}>Activity</PageHeading>
            <Muted mt={4}>Meta’s outages of the last 400 days, and what SmartPause did for you.</Muted>
          </div>
          <AccountFilter accounts={accounts} account={filter.account} onChoose={choose} />
        </Group>
        <Outages account={filter.account} onAll={() => choose(undefined)} />
      </Stack>
    </Container>
  );
}

function Outages({ account, onAll }: { account: string | undefined; onAll: () => void }) {
  const query = useOutages(account);
  const { data, isFetching, refetch } = query;
  if (data === undefined) {
    return (
      <Card component="section" aria-label="Outages" aria-busy={!hasFailed(query)}>
        {hasFailed(query) ? (
          <LoadFailure
            text="Your activity couldn’t be loaded."
            isTrying={isFetching}
            onTry={() => void refetch()}
          />
        ) : (
          <Placeholders heights={[64, 64, 64]} />
        )}
      </Card>
    );
  }
  const outages = data.pages.flatMap((page) => page.outages);
  if (outages.length === 0) return <Empty isFiltered={account !== undefined} onAll={onAll} />;
  const search = account === undefined ? '' : `?${new URLSearchParams({ account }).toString()}`;
  return (
    <Card component="section" aria-label="Outages" aria-busy={query.isPlaceholderData}>
      <ul className={classes.rows}>
        {outages.map((outage) => (
          <OutageItem key={outage.id} outage={outage} search={search} />
        ))}
      </ul>
      <div className={classes.more}>
        <ShowMore query={query} end="That’s everything from the last 400 days." />
      </div>
    </Card>
  );
}

function Empty({ isFiltered, onAll }: { isFiltered: boolean; onAll: () => void }) {
  const { hasActiveSubscription } = useSubscription();
  return (
    <Card component="section" aria-label="Outages" py={40}>
      <Stack gap="md" align="center" ta="center">
        <Text fw={600}>{isFiltered ? 'No outages for this ad account' : 'No outages yet'}</Text>
        <Muted maw={520}>
          When Meta reports a disruption, it appears here: how long it lasted, which campaigns were paused and
          how fast, and when they were resumed.
        </Muted>
        <Group gap="sm" justify="center">
          {isFiltered && (
            <Button variant="default" size="sm" onClick={onAll}>
              Show all ad accounts
            </Button>
          )}
          {/* The server renders this page. */}
          <Button component="a" href="/status" variant="default" size="sm">
            See Meta’s status
          </Button>
          {hasActiveSubscription && (
            <LinkButton to="/settings#what-if" variant="default" size="sm">
              See what your settings would have done
            </LinkButton>
          )}
        </Group>
      </Stack>
    </Card>
  );
}
