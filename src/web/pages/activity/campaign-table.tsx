import { Anchor, Badge } from '@mantine/core';
import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import { useOpenWhy } from '../../components/why/why-address.ts';
import { exactTime } from '../../text/exact-times.ts';
import { isKeptPaused, resultLabel, whyNot } from '../../text/outage-copy.ts';
import classes from './activity.module.css';
import type { Step } from './campaign-steps.ts';
import { STEP_LABELS, stepsOf } from './campaign-steps.ts';

const COLORS: Record<OutageCampaign['result'], string> = {
  paused: 'yellow',
  resumed: 'green',
  not_resumed: 'orange',
  not_paused: 'gray',
};

interface CampaignTableProps {
  outage: Pick<OutageSummary, 'startedAt' | 'matchedAt'>;
  campaigns: readonly OutageCampaign[];
  /** The names of the ad accounts by id. */
  accounts: ReadonlyMap<string, string>;
}

/** Roles besides the elements, because in a narrow window the rows are laid out as cards. */
export function CampaignTable({ outage, campaigns, accounts }: CampaignTableProps) {
  return (
    <table role="table" className={classes.campaigns} aria-labelledby="campaigns">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            Campaign
          </th>
          {STEP_LABELS.map((label) => (
            <th key={label} role="columnheader" scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {campaigns.map((campaign) => (
          <Row
            key={campaign.id}
            campaign={campaign}
            outage={outage}
            account={accounts.size > 1 ? (accounts.get(campaign.accountId) ?? null) : null}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  campaign: OutageCampaign;
  outage: CampaignTableProps['outage'];
  account: string | null;
}

function Row({ campaign, outage, account }: RowProps) {
  const day = Date.parse(outage.startedAt);
  const why = whyNot(campaign);
  return (
    <tr role="row">
      <th role="rowheader" scope="row" className={classes.campaign}>
        <CampaignName {...campaign} />
        {account !== null && <Muted>{account}</Muted>}
        <div className={classes.result}>
          <Badge color={isKeptPaused(campaign) ? 'gray' : COLORS[campaign.result]}>
            {resultLabel(campaign)}
          </Badge>
        </div>
        {why !== null && campaign.result !== 'not_paused' && <Muted>{why}</Muted>}
      </th>
      {campaign.result === 'not_paused' ? (
        <td role="cell" colSpan={STEP_LABELS.length} className={classes.notPaused}>
          {why ?? 'The reason was not recorded.'}
        </td>
      ) : (
        stepsOf(campaign, outage.matchedAt).map((step) => <StepCell key={step.label} step={step} day={day} />)
      )}
    </tr>
  );
}

/** Opens the history of the campaign. */
function CampaignName({ campaignId, name }: OutageCampaign) {
  const openWhy = useOpenWhy();
  return (
    <Anchor
      component="button"
      type="button"
      fz="sm"
      fw={600}
      ta="left"
      aria-haspopup="dialog"
      title={`Why? History of ${name}`}
      style={{ overflowWrap: 'anywhere' }}
      onClick={() => openWhy(campaignId)}
    >
      {name}
    </Anchor>
  );
}

function StepCell({ step, day }: { step: Step; day: number }) {
  const { label, at, delay } = step;
  return (
    <td role="cell" data-empty={at === null || undefined}>
      <span className={classes.stepLabel} aria-hidden="true">
        {label}
      </span>
      {at === null ? (
        <span className={classes.none}>–</span>
      ) : (
        <span>
          <Time at={at}>{exactTime(at, day)}</Time>
          {delay !== null && <span className={`${classes.delay} figures`}>{delay}</span>}
        </span>
      )}
    </td>
  );
}
