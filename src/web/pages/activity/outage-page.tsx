import { Card, Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import type { OutagePageReply } from '../../api/outage-queries.ts';
import { hasFailed } from '../../api/has-failed.ts';
import { useOutage } from '../../api/outage-queries.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Muted } from '../../components/muted.ts';
import { ShowMore } from '../../components/show-more.tsx';
import { Why } from '../../components/why/why.tsx';
import { dayOf } from '../../text/exact-times.ts';
import { useSearchText } from '../../hooks/use-search-text.ts';
import { AccountFilter, useActivityFilter } from './account-filter.tsx';
import classes from './activity.module.css';
import { CampaignFilter } from './campaign-filter.tsx';
import { CampaignTable } from './campaign-table.tsx';
import { DownloadCsv } from './download-csv.tsx';
import { LevelSection } from './level-section.tsx';
import { OutageFacts } from './outage-facts.tsx';

/** One outage: facts, the level over time, and what happened to each campaign. */
export function OutagePage() {
  const { outageId = '' } = useParams();
  const { filter, change } = useActivityFilter();
  const { account: adAccountId, result, search } = filter;
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
        {query.data === undefined && <NotLoaded query={query} />}
        {query.data?.pages[0] === null && <NotFound />}
        {outage !== undefined && (
          <>
            <OutageFacts outage={outage} />
            <LevelSection {...outage} />
            <Campaigns {...{ query, outage, filter, change }} />
          </>
        )}
      </Stack>
      <Why />
    </Container>
  );
}

type Query = ReturnType<typeof useOutage>;

function NotLoaded({ query }: { query: Query }) {
  const isFailed = hasFailed(query);
  return (
    <Card aria-busy={!isFailed}>
      {isFailed ? (
        <LoadFailure
          text="This outage couldn’t be loaded."
          isTrying={query.isFetching}
          onTry={() => void query.refetch()}
        />
      ) : (
        <Skeleton h={120} />
      )}
    </Card>
  );
}

function NotFound() {
  return (
    <Card>
      <Stack gap="md" align="flex-start">
        <Text>This outage isn’t in your history, which goes back 400 days.</Text>
        <LinkButton to="/activity" variant="default" size="sm">
          See all outages
        </LinkButton>
      </Stack>
    </Card>
  );
}

/** Fewer campaigns than this need no search. */
const FEW = 8;

interface CampaignsProps extends ReturnType<typeof useActivityFilter> {
  query: Query;
  outage: OutagePageReply['outage'];
}

function Campaigns({ query, outage, filter, change }: CampaignsProps) {
  const { account, result, search = '' } = filter;
  const [text, setText] = useSearchText(search, (found) =>
    change({ search: found }, { replace: true, flushSync: true }),
  );
  const campaigns = (query.data?.pages ?? []).flatMap((page) => page?.campaigns ?? []);
  const accounts = new Map(outage.accounts.map(({ id, name }) => [id, name]));
  const { counts, matchedAt } = outage;
  const isFiltered = result !== undefined || text !== '';
  return (
    <Card component="section" padding={0} aria-labelledby="campaigns" aria-busy={query.isPlaceholderData}>
      <Group justify="space-between" gap="sm" className={classes.campaignsHead}>
        <div>
          <Title order={2} fz="lg" id="campaigns">
            Campaigns
          </Title>
          {matchedAt !== null && (
            <Muted>
              Times in EST, with the delay since the detection. “Paused” and “Resumed” are when Meta confirmed
              it.
            </Muted>
          )}
        </div>
        <Group gap="sm" className={classes.tools}>
          {(counts.paused + counts.notPaused >= FEW || isFiltered) && (
            <CampaignFilter
              {...{ counts, result, text }}
              onText={setText}
              onResult={(chosen) => change({ result: chosen })}
            />
          )}
          <AccountFilter
            accounts={outage.accounts}
            account={account}
            onChoose={(chosen) => change({ account: chosen })}
          />
          {campaigns.length > 0 && (
            <DownloadCsv outage={outage} filter={{ adAccountId: account, result, search }} />
          )}
        </Group>
      </Group>
      {campaigns.length === 0 ? (
        <Muted px="lg" pb="lg">
          {emptyCopy({ isFiltered, isOneAccount: account !== undefined })}
        </Muted>
      ) : (
        <CampaignTable outage={outage} campaigns={campaigns} accounts={accounts} />
      )}
      <div className={classes.more}>
        <ShowMore query={query} end="These are all campaigns." />
      </div>
    </Card>
  );
}

function emptyCopy({ isFiltered, isOneAccount }: { isFiltered: boolean; isOneAccount: boolean }): string {
  if (isFiltered) return 'No campaign matches the search and the filters.';
  return isOneAccount
    ? 'No campaigns of this ad account were known during this outage.'
    : 'No campaigns were known during this outage.';
}
