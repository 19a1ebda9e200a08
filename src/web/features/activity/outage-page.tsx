import { Card, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { hasFailed } from '../../lib/has-failed.ts';
import type { OutageFilter, OutagePageReply } from './api.ts';
import { readAllCampaigns, useOutage } from './api.ts';
import { saveFile } from '../../lib/save-file.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Why } from './why.tsx';
import { useSearchText } from '../../lib/use-search-text.ts';
import { sayFailure } from '../../lib/notify.ts';
import { dayOf } from '../../lib/exact-times.ts';
import { outageResult } from './outage-copy.ts';
import { AccountFilter, useActivityFilter } from './account-filter.tsx';
import classes from './activity.module.css';
import { CampaignFilter } from './campaign-filter.tsx';
import { CampaignList } from './campaign-list.tsx';
import { outageCsv } from './csv.ts';
import { LevelSection } from './level-section.tsx';
import { factsOf, figuresOf } from './outage-facts.tsx';

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
        {outage === undefined && <NoOutage query={query} />}
        {outage !== undefined && (
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
            <Campaigns {...{ query, outage, filter, change }} />
          </>
        )}
      </Stack>
      <Why />
    </Container>
  );
}

type Query = ReturnType<typeof useOutage>;

function NoOutage({ query }: { query: Query }) {
  if (hasFailed(query)) {
    return (
      <Card>
        <LoadFailure
          text="This outage couldn’t be loaded."
          isTrying={query.isFetching}
          onTry={() => void query.refetch()}
        />
      </Card>
    );
  }
  if (query.data === undefined) {
    return (
      <Card aria-busy="true">
        <Placeholders heights={[120]} />
      </Card>
    );
  }
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
    <Card component="section" aria-labelledby="campaigns-title" aria-busy={query.isPlaceholderData}>
      <Group justify="space-between" gap="sm" mb="sm">
        <div>
          <Title order={2} fz="lg" id="campaigns-title">
            Campaigns
          </Title>
          {matchedAt !== null && (
            <Muted>
              Times in EST, with the delay since the detection. “Paused” and “Resumed” are when Meta confirmed
              it.
            </Muted>
          )}
        </div>
        <Group gap="sm">
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
      {campaigns.length === 0 && (
        <Muted>
          {isFiltered
            ? 'No campaign matches the search and the filters.'
            : `No campaigns${account === undefined ? '' : ' of this ad account'} were known during this outage.`}
        </Muted>
      )}
      <CampaignList outage={outage} campaigns={campaigns} accounts={accounts} />
      <div className={classes.more}>
        <ShowMore query={query} end="These are all campaigns." />
      </div>
    </Card>
  );
}

interface DownloadCsvProps {
  outage: OutagePageReply['outage'];
  filter: OutageFilter;
}

/** All campaigns of the outage that pass the filter, also those that the page has not loaded. */
function DownloadCsv({ outage, filter }: DownloadCsvProps) {
  const { id, startedAt, matchedAt, accounts } = outage;
  const download = useMutation({
    mutationFn: async () => {
      const campaigns = await readAllCampaigns(id, filter);
      const name = `smartpause-outage-${startedAt.slice(0, 10)}.csv`;
      saveFile(name, outageCsv({ matchedAt, accounts, campaigns }), 'text/csv;charset=utf-8');
    },
    onError: (error) => sayFailure('Failed to prepare the CSV file', error),
  });
  return (
    <BusyButton variant="default" size="sm" isBusy={download.isPending} onClick={() => download.mutate()}>
      {download.isPending ? 'Preparing…' : 'Download CSV'}
    </BusyButton>
  );
}
