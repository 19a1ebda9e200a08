import { Box, Button, Card, Container, Group, Stack, Text, Title } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useState } from 'react';
import type { OutageSummary } from '#contract/outage-api.ts';
import { durationLabel } from '#core/labels.ts';
import { Chevron } from '../../components/icons.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Time } from '../../components/time.tsx';
import { spanOf } from '../../lib/exact-times.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { StatusMark } from '../status/status-mark.tsx';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { AccountFilter, useActivityFilter } from './activity-filter.tsx';
import { ActivityLog } from './activity-log.tsx';
import classes from './activity.module.css';
import { useOutages } from './api.ts';
import { outageResult } from './outage-copy.ts';
import { SpendMonths } from './spend-months.tsx';
import { Why } from './why.tsx';

/** More of them would hide what else happened. */
const OUTAGES_SHOWN = 3;

/** The user's outages, newest first, and everything that happened. */
export function Activity() {
  const { account } = useActivityFilter().filter;
  const { data: accounts = [] } = useAdAccounts();
  const query = useOutages(account);
  const [areAllShown, setAllShown] = useState(false);
  const count = query.data?.pages[0]?.outages.length ?? 0;
  const search = account === undefined ? '' : `?${new URLSearchParams({ account }).toString()}`;
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <Head accounts={accounts} />
        <Card component="section" aria-labelledby="outages-title" aria-busy={query.isPlaceholderData}>
          <Title order={2} fz="lg" id="outages-title" mb="xs">
            Outages
          </Title>
          <QueryContent
            query={query}
            data={query.data?.pages.flatMap((page) => page.outages)}
            failure="Your activity couldn’t be loaded."
            heights={[64, 64, 64]}
          >
            {(outages) =>
              outages.length === 0 ? (
                <Empty />
              ) : (
                <ul className={classes.rows}>
                  {outages.slice(0, areAllShown ? undefined : OUTAGES_SHOWN).map((outage) => (
                    <OutageItem key={outage.id} outage={outage} search={search} />
                  ))}
                </ul>
              )
            }
          </QueryContent>
          <div className={classes.more}>
            {areAllShown || count <= OUTAGES_SHOWN ? (
              <ShowMore query={query} end="That’s everything." />
            ) : (
              <Button variant="default" size="sm" fullWidth onClick={() => setAllShown(true)}>
                Show more outages
              </Button>
            )}
          </div>
        </Card>
        <SpendMonths />
        <ActivityLog />
      </Stack>
      <Why />
    </Container>
  );
}

function Head({ accounts }: ComponentProps<typeof AccountFilter>) {
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <div>
        <PageHeading fz={26}>Activity</PageHeading>
        <Muted mt={4}>What SmartPause did for you, and Meta’s outages since you signed up.</Muted>
      </div>
      <AccountFilter accounts={accounts} />
    </Group>
  );
}

const WIDE = { base: '1 1 100%', xs: 'none' };

function Empty() {
  const { hasActiveSubscription } = useSubscription();
  const { filter, change } = useActivityFilter();
  const isFiltered = filter.account !== undefined;
  return (
    <Stack gap="md" align="center" ta="center" py={{ base: 4, xs: 'md' }}>
      <Text fw={600}>{isFiltered ? 'No outages for this ad account' : 'No outages yet'}</Text>
      <Muted maw={520}>
        When Meta reports a disruption, it appears here: how long it lasted, which campaigns were paused and
        how fast, and when they were resumed.
      </Muted>
      <Group gap="xs" justify="center" w="100%">
        {isFiltered && (
          <Button variant="default" size="sm" flex={WIDE} onClick={() => change('account', '')}>
            Show all ad accounts
          </Button>
        )}
        {/* The server renders this page. */}
        <Button component="a" href="/status" variant="default" size="sm" flex={WIDE}>
          See Meta’s status
        </Button>
        {hasActiveSubscription && (
          <LinkButton to="/settings#what-if" variant="default" size="sm" flex={WIDE}>
            See what your settings would have done
          </LinkButton>
        )}
      </Group>
    </Stack>
  );
}

/** One outage in the list. @param props.search the filter, which stays on the outage's page */
function OutageItem({ outage, search }: { outage: OutageSummary; search: string }) {
  const { id, startedAt, endedAt, peak, isOverridden, components, quotes } = outage;
  const start = Date.parse(startedAt);
  const end = endedAt === null ? null : Date.parse(endedAt);
  const said = [
    isOverridden === true ? 'The SmartPause team set the level' : '',
    components.join(', '),
    ...quotes.map((quote) => `Meta: “${quote}”`),
  ].filter((part) => part !== '');
  return (
    <Group component="li" gap="sm" wrap="nowrap">
      <Box flex={1}>
        <Title order={3} fz="md">
          <TextLink
            to={{ pathname: `/activity/${id}`, search }}
            underline="hover"
            className={classes.wholeRow}
          >
            <Time at={start} until={end}>
              {spanOf(start, end)}
            </Time>
          </TextLink>
        </Title>
        <Text fz="sm" fw={550} mt={4}>
          {outageResult(outage)}
        </Text>
        <Group gap="4px 12px" mt={4} fz="sm" c="dimmed">
          <StatusMark level={peak} />
          {[end === null ? 'Not over yet' : `Lasted ${durationLabel(end - start)}`, ...said].join(' · ')}
        </Group>
      </Box>
      <Text span c="dimmed" className={classes.onward}>
        <Chevron />
      </Text>
    </Group>
  );
}
