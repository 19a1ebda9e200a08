import { Anchor, Badge, Group } from '@mantine/core';
import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import type { Fact } from '../../components/facts.tsx';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import { useOpenWhy } from './why-address.ts';
import { exactTime } from '../../lib/exact-times.ts';
import { isKeptPaused, resultLabel, whyNot } from './outage-copy.ts';
import classes from './activity.module.css';
import { stepsOf } from './campaign-steps.ts';

const COLORS: Record<OutageCampaign['result'], string> = {
  paused: 'yellow',
  resumed: 'green',
  not_resumed: 'orange',
  not_paused: 'gray',
};

interface CampaignListProps {
  outage: Pick<OutageSummary, 'startedAt' | 'matchedAt'>;
  campaigns: readonly OutageCampaign[];
  /** The names of the ad accounts by id. */
  accounts: ReadonlyMap<string, string>;
}

/** What happened to each campaign: the times of its steps, or the reason why there are none. */
export function CampaignList({ outage, campaigns, accounts }: CampaignListProps) {
  const openWhy = useOpenWhy();
  return (
    <ul className={classes.rows} aria-labelledby="campaigns-title">
      {campaigns.map((campaign) => {
        const { id, campaignId, name, accountId, result } = campaign;
        const wasPaused = result !== 'not_paused';
        const why = whyNot(campaign) ?? (wasPaused ? null : 'The reason was not recorded.');
        return (
          <li key={id}>
            <Group gap="xs">
              <Anchor
                component="button"
                type="button"
                fz="sm"
                fw={600}
                ta="left"
                aria-haspopup="dialog"
                title={`Why? History of ${name}`}
                onClick={() => openWhy(campaignId)}
              >
                {name}
              </Anchor>
              <Badge color={isKeptPaused(campaign) ? 'gray' : COLORS[result]}>{resultLabel(campaign)}</Badge>
              {accounts.size > 1 && <Muted>{accounts.get(accountId)}</Muted>}
            </Group>
            {why !== null && <Muted mt={4}>{why}</Muted>}
            {wasPaused && <Facts facts={stepFacts(campaign, outage)} width={100} />}
          </li>
        );
      })}
    </ul>
  );
}

function stepFacts(campaign: OutageCampaign, outage: CampaignListProps['outage']): Fact[] {
  const day = Date.parse(outage.startedAt);
  return stepsOf(campaign, outage.matchedAt).map(({ label, at, delay }) => [
    label,
    at === null ? (
      '–'
    ) : (
      <>
        <Time at={at}>{exactTime(at, day)}</Time>
        {delay !== null && <Muted fz="xs">{delay}</Muted>}
      </>
    ),
  ]);
}
