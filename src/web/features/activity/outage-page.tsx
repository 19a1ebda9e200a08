import { Card, Container, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { Facts } from '../../components/facts.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { dayOf } from '../../lib/exact-times.ts';
import { useActivityFilter } from './activity-filter.tsx';
import { useOutage } from './api.ts';
import { LevelSection } from './level-section.tsx';
import { OutageCampaigns } from './outage-campaigns.tsx';
import { outageResult } from './outage-copy.ts';
import { factsOf, figuresOf } from './outage-facts.tsx';
import { Why } from './why.tsx';

/** One outage: facts, the level over time, and what happened to each campaign. */
export function OutagePage() {
  const { outageId = '' } = useParams();
  const { account: adAccountId, result, search } = useActivityFilter().filter;
  const query = useOutage(outageId, { adAccountId, result, search });
  const outage = query.data?.pages[0]?.outage;
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
            <OutageCampaigns query={query} outage={outage} />
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
