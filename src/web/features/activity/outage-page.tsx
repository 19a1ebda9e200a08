import { Card, Container, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Navigate, useLocation, useParams } from 'react-router';
import type { OutageSummary } from '#contract/outage-api.ts';
import { durationLabel } from '#core/labels.ts';
import type { Fact } from '../../components/facts.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { dayOf, exactTime } from '../../lib/exact-times.ts';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { StatusMark } from '../status/status-mark.tsx';
import { useActivityFilter } from './activity-filter.tsx';
import { useOutage, useOutages } from './api.ts';
import { EvidenceButton } from './evidence-button.tsx';
import { LevelSection } from './level-section.tsx';
import classes from './activity.module.css';
import { OutageCampaigns } from './outage-campaigns.tsx';
import { outageHeadline, outageNote } from './outage-copy.ts';
import { SpendSection } from './spend-section.tsx';
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
  const filter = { adAccountId, result, ...(search !== '' && { search }) };
  const query = useOutage(outageId, filter);
  const outage = query.data?.outage;
  useScrollToFragment(useLocation().hash, outage !== undefined);
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <div>
          <Muted mb={4} className={classes.screenOnly}>
            <TextLink to="/activity" underline="hover">
              <span aria-hidden>← </span>Activity
            </TextLink>
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
            <WhatHappened outage={outage} />
            <SpendSection
              outage={outage}
              estimates={outage.estimates}
              isFiltered={adAccountId !== undefined}
            />
            <LevelSection {...outage} />
            <OutageCampaigns
              {...{ outage, filter, text }}
              first={query.data}
              onText={setText}
              isOld={query.isPlaceholderData}
            />
          </>
        )}
      </Stack>
      <Why />
    </Container>
  );
}

function WhatHappened({ outage }: { outage: OutageSummary }) {
  return (
    <Card component="section" aria-label="What happened">
      <Text fz={22} fw={700} lh={1.25} style={{ textWrap: 'balance' }}>
        {outageHeadline(outage)}
      </Text>
      <Text mb="lg" mt={4}>
        {outageNote(outage)}
      </Text>
      <Facts facts={factsOf(outage)} />
      {outage.endedAt !== null && <EvidenceButton outageId={outage.id} />}
    </Card>
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

const LEVELS_THAT_MEET = { LOW: 'Low or worse', MEDIUM: 'Medium or worse', HIGH: 'High' };

/** The outage itself: when, how bad, and what Meta said. */
function factsOf(outage: OutageSummary): Fact[] {
  const { startedAt, endedAt, peak, isOverridden, components, quotes, threshold, matchedAt } = outage;
  const start = Date.parse(startedAt);
  const end = endedAt === null ? null : Date.parse(endedAt);
  const met = matchedAt === null ? null : Date.parse(matchedAt);
  const set = isOverridden === true ? 'Set by the SmartPause team' : components.join(', ');
  const isMetAtOnce = met !== null && exactTime(met, start) === exactTime(start, start);
  const metNote = met === null ? 'Not met' : isMetAtOnce ? null : <>Met {timeFact(met, start)}</>;
  const lasted = end === null ? 'Not over yet' : `Lasted ${durationLabel(end - start)}`;
  const span = (
    <>
      {timeFact(start, start)}
      {end !== null && <> – {timeFact(end, start)}</>}
    </>
  );
  return [
    ['Peak level', withNote(<StatusMark level={peak} />, set)],
    ['When (EST)', withNote(span, lasted)],
    ...(threshold === null
      ? []
      : [['Your threshold', withNote(LEVELS_THAT_MEET[threshold], metNote)] as const]),
    ...(quotes.length === 0
      ? []
      : [['In Meta’s words', quotes.map((quote) => `“${quote}”`).join(', ')] as const]),
  ];
}

function withNote(value: ReactNode, note: ReactNode): ReactNode {
  return (
    <>
      {value}
      {note !== null && (
        <Muted span display="block">
          {note}
        </Muted>
      )}
    </>
  );
}

function timeFact(at: number, day: number): ReactNode {
  return <Time at={at}>{exactTime(at, day)}</Time>;
}
