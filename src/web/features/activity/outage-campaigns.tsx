import { Anchor, Badge, Box, Button, Card, Group, NativeSelect, Title, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { memo, useMemo, useState } from 'react';
import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import { OUTAGE_SEARCH_MAX } from '#contract/outage-api.ts';
import { durationLabel, figure } from '#core/labels.ts';
import { OUTAGE_RESULTS } from '#core/outages/outage.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import type { Fact } from '../../components/facts.tsx';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { SearchBox } from '../../components/search-box.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Stale } from '../../components/stale.tsx';
import { Time } from '../../components/time.tsx';
import { exactTime } from '../../lib/exact-times.ts';
import { notifyFailure } from '../../lib/notify.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { AccountFilter, useActivityFilter } from './activity-filter.tsx';
import classes from './activity.module.css';
import type { OutageFilter, OutagePageReply } from './api.ts';
import { readAllCampaigns, useMoreCampaigns } from './api.ts';
import { outageCsv } from './csv.ts';
import { RESULTS, badgeOf, clearlyNamed, stepsOf, whyNot } from './outage-copy.ts';
import { useWhy } from './use-why.ts';

/** Fewer campaigns than this need no search. */
const FEW = 8;
/** The others are shown on demand. */
const MAIN_STEPS = ['Paused', 'Resumed'];
const HEADS = ['Campaign', 'Paused', 'Resumed', 'Paused for', 'Result'];
/** A step that was not taken. */
const NONE = '–';

interface OutageCampaignsProps {
  outage: OutagePageReply['outage'];
  /** Its first campaigns. */
  first: OutagePageReply | null | undefined;
  /** They are those of another filter. */
  isOld: boolean;
  filter: OutageFilter;
  /** The text in the search box. */
  text: string;
  onText: (text: string) => void;
}

/** What happened to each campaign in an outage, with filters. */
export function OutageCampaigns({ outage, first, isOld, filter, text, onText }: OutageCampaignsProps) {
  const { account, result } = useActivityFilter().filter;
  const [areStepsShown, setStepsShown] = useState(false);
  const more = useMoreCampaigns(outage.id, filter, isOld ? null : (first ?? null));
  const campaigns = useNamed(first, more.data);
  const hasTimes = campaigns.some((one) => one.result !== 'not_paused');
  return (
    <Card component="section" id="campaigns" aria-labelledby="campaigns-title" aria-busy={isOld}>
      <Group justify="space-between" gap="sm" mb="sm">
        <div>
          <Title order={2} fz="lg" id="campaigns-title">
            Campaigns
          </Title>
          {hasTimes && (
            <Muted>
              Times in EST, as Meta confirmed them.{' '}
              <Box component="span" {...(!areStepsShown && { visibleFrom: 'md' })}>
                “+” counts from the detection.
              </Box>
            </Muted>
          )}
        </div>
        <Group gap="sm" className={classes.screenOnly}>
          {campaigns.length > 0 && <DownloadCsv outage={outage} search={text} />}
          {hasTimes && (
            <Button variant="default" size="sm" onClick={() => setStepsShown(!areStepsShown)}>
              {areStepsShown ? 'Show fewer steps' : 'Show all steps'}
            </Button>
          )}
        </Group>
      </Group>
      <Group gap="sm" className={`${classes.screenOnly} ${classes.filters}`}>
        <Filters {...{ outage, text, onText }} />
      </Group>
      {campaigns.length === 0 && (
        <Muted>
          {result !== undefined || text !== ''
            ? 'No campaign matches the search and the filters.'
            : `No campaigns${account === undefined ? '' : ' of this ad account'} were known during this outage.`}
        </Muted>
      )}
      <List outage={outage} campaigns={campaigns} areAllSteps={areStepsShown} />
      <Stale queries={[more]} what="the campaigns after the first 100" />
      <div className={classes.more}>
        <ShowMore query={more} end="These are all campaigns." />
      </div>
    </Card>
  );
}

interface ListProps extends Pick<OutageCampaignsProps, 'outage'> {
  campaigns: readonly OutageCampaign[];
  areAllSteps: boolean;
}

function List({ outage: { matchedAt, startedAt, accounts }, campaigns, areAllSteps }: ListProps) {
  const hasHeads = !areAllSteps && campaigns.some(({ result }) => result !== 'not_paused');
  return (
    <>
      {hasHeads && (
        <div className={classes.heads} aria-hidden>
          {HEADS.map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
      )}
      <ul className={`${classes.rows} ${areAllSteps ? '' : classes.table}`} aria-labelledby="campaigns-title">
        {campaigns.map((campaign) => (
          <Campaign
            key={campaign.id}
            campaign={campaign}
            account={
              accounts.length > 1 ? accounts.find(({ id }) => id === campaign.accountId)?.name : undefined
            }
            {...{ matchedAt, startedAt, areAllSteps }}
          />
        ))}
      </ul>
    </>
  );
}

/** Each campaign once: it may have moved to another page since that was loaded. */
function useNamed(
  first: OutagePageReply | null | undefined,
  more: { pages: OutagePageReply[] } | undefined,
): OutageCampaign[] {
  return useMemo(() => {
    const all = [first, ...(more?.pages ?? [])].flatMap((page) => page?.campaigns ?? []);
    return clearlyNamed(
      [...new Map(all.toReversed().map((one) => [one.campaignId, one])).values()].toReversed(),
    );
  }, [first, more]);
}

function Filters({ outage, text, onText }: Pick<OutageCampaignsProps, 'outage' | 'text' | 'onText'>) {
  const { counts, accounts } = outage;
  const isFiltered = useActivityFilter().filter.result !== undefined || text !== '';
  return (
    <>
      {(counts.paused + counts.notPaused >= FEW || isFiltered) && (
        <>
          <SearchBox
            flex="1 1 130px"
            aria-label="Search campaigns"
            maxLength={OUTAGE_SEARCH_MAX}
            value={text}
            onText={onText}
          />
          <ResultFilter counts={counts} />
        </>
      )}
      <AccountFilter accounts={accounts} />
    </>
  );
}

function ResultFilter({ counts }: Pick<OutageSummary, 'counts'>) {
  const { filter, change } = useActivityFilter();
  const countOf = {
    paused: counts.stillPaused,
    being_checked: counts.beingChecked,
    resumed: counts.resumed,
    resumed_by_user: counts.resumedByUser,
    resumed_outside: counts.resumedOutside,
    kept_paused: counts.keptPaused,
    not_resumed: counts.notResumed,
    not_paused: counts.notPaused,
  };
  const options = OUTAGE_RESULTS.filter((result) => countOf[result] > 0 || result === filter.result).map(
    (value) => ({ value, label: `${RESULTS[value].label} (${figure(countOf[value])})` }),
  );
  return (
    <NativeSelect
      aria-label="Filter by result"
      value={filter.result ?? ''}
      data={[{ value: '', label: 'All results' }, ...options]}
      onChange={({ currentTarget: { value } }) => change('result', value)}
    />
  );
}

/** All campaigns of the outage that pass the filter, also those that the page has not loaded. */
function DownloadCsv({ outage, search }: Pick<OutageCampaignsProps, 'outage'> & { search: string }) {
  const { id, startedAt, matchedAt, accounts } = outage;
  const { account: adAccountId, result } = useActivityFilter().filter;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const campaigns = await readAllCampaigns(id, { adAccountId, result, ...(search !== '' && { search }) });
      const name = `smartpause-outage-${startedAt.slice(0, 10)}.csv`;
      saveFile(name, outageCsv({ matchedAt, accounts, campaigns }), 'text/csv;charset=utf-8');
    },
    onError: (error) => notifyFailure('Failed to prepare the CSV file', error),
  });
  return (
    <BusyButton variant="default" size="sm" isBusy={isPending} onClick={mutate}>
      {isPending ? 'Preparing…' : 'Download CSV'}
    </BusyButton>
  );
}

interface CampaignProps {
  campaign: OutageCampaign;
  /** The name of its ad account, where there are several. */
  account: string | undefined;
  matchedAt: string | null;
  startedAt: string;
  areAllSteps: boolean;
}

/** The times of its steps, or the reason why there are none. Rows that have not changed do not render again. */
const Campaign = memo(function Campaign({
  campaign,
  account,
  matchedAt,
  startedAt,
  areAllSteps,
}: CampaignProps) {
  const [, showWhy] = useWhy();
  const { campaignId, name, result } = campaign;
  const wasPaused = result !== 'not_paused';
  const badge = badgeOf(campaign);
  const steps = stepsOf(campaign, matchedAt).filter(({ label }) => areAllSteps || MAIN_STEPS.includes(label));
  const { pausedAt, resumedAt } = campaign;
  const off = pausedAt === null || resumedAt === null ? null : Date.parse(resumedAt) - Date.parse(pausedAt);
  const why = whyNot(campaign) ?? (wasPaused ? null : 'The reason was not recorded.');
  const facts: Fact[] = [
    ...steps.map(({ label, at, delay }): Fact => [
      label,
      at === null ? (
        NONE
      ) : (
        <>
          <Time at={at}>{exactTime(at, Date.parse(startedAt))}</Time>
          {delay !== null && (
            <Muted span fz="xs" ml={4} className={classes.delay}>
              {delay}
            </Muted>
          )}
        </>
      ),
    ]),
    ...(off === null ? [] : [['Paused for', durationLabel(off)] as const]),
  ];
  return (
    <li className={classes.campaign}>
      <div>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          fw={600}
          ta="left"
          aria-haspopup="dialog"
          title={`Why? History of ${name}`}
          onClick={() => showWhy(campaignId)}
        >
          {name}
        </Anchor>
        {account !== undefined && <Muted>{account}</Muted>}
      </div>
      <Badge color={badge.color} className={classes.result}>
        {badge.label}
      </Badge>
      {wasPaused && (areAllSteps ? <Facts width={140} facts={facts} /> : <Times facts={facts} />)}
      {why !== null && <Muted className={wasPaused ? '' : classes.reason}>{why}</Muted>}
    </li>
  );
});

/** In one line; on a wide screen in the columns of the list, whose heads have the labels. */
function Times({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={`figures ${classes.times}`}>
      {facts.map(([label, value]) => (
        <div key={label} data-empty={value === NONE || undefined}>
          <dt>
            <VisuallyHidden>{label}</VisuallyHidden>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
