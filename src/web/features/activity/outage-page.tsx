import { Card, Container, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Navigate, useLocation, useParams } from 'react-router';
import { Facts } from '../../components/facts.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { dayOf } from '../../lib/exact-times.ts';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { useActivityFilter } from './activity-filter.tsx';
import { useOutage, useOutages } from './api.ts';
import { LevelSection } from './level-section.tsx';
import { OutageCampaigns } from './outage-campaigns.tsx';
import { outageResult } from './outage-copy.ts';
import { factsOf, figuresOf } from './outage-facts.tsx';
import { Why } from './why.tsx';

export function OutagePage() {
  const { outageId = '' } = useParams();
  return outageId === 'latest' ? <ToLatestOutage /> : <Outage key={outageId} outageId={outageId} />;
}

/** The address for links that do not know the id of the outage that has just begun. */
function ToLatestOutage() {
  const { search, hash } = useLocation();
  const { data, isError } = useOutages();
  if (data === undefined && !isError) return <PagePlaceholder />;
  const id = data?.pages[0]?.outages[0]?.id;
  return (
    <Navigate replace to={id === undefined ? '/activity' : { pathname: `/activity/${id}`, search, hash }} />
  );
}

/** One outage: facts, the level over time, and what happened to each campaign. */
function Outage({ outageId }: { outageId: string }) {
  const { account: adAccountId, result } = useActivityFilter().filter;
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 250);
  const query = useOutage(outageId, { adAccountId, result, ...(search !== '' && { search }) });
  const outage = query.data?.pages[0]?.outage;
  useScrollToFragment(useLocation().hash, outage !== undefined);
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <div>
          <Muted mb={4}>
            <TextLink to="/activity">Activity</TextLink>
          </Muted>
          <PageHeading fz={26}>
            {outage === undefined ? 'Outage' : `Outage on ${dayOf(Date.parse(outage.startedAt))}`}
          </PageHeading>
        </div>
        {outage === undefined ? (
          <Card>
            <QueryContent
              query={query}
              data={query.data}
              failure="This outage couldn’t be loaded."
              heights={[120]}
            >
              {() => <NoSuchOutage />}
            </QueryContent>
          </Card>
        ) : (
          <>
            <Card component="section" aria-label="What happened">
              <Text fw={600} mb="md">
                {outageResult(outage)}
              </Text>
              <Facts
                facts={[...(outage.counts.paused > 0 ? figuresOf(outage) : []), ...factsOf(outage)]}
                width={150}
              />
            </Card>
            <LevelSection {...outage} />
            <OutageCampaigns {...{ query, outage, text }} onText={setText} />
          </>
        )}
      </Stack>
      <Why />
    </Container>
  );
}

function NoSuchOutage() {
  return (
    <Stack gap="md" align="flex-start">
      <Text>This outage isn’t in your history, which goes back 400 days.</Text>
      <LinkButton to="/activity" variant="default" size="sm">
        See all outages
      </LinkButton>
    </Stack>
  );
}
