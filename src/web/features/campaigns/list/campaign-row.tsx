import { Badge, Tooltip } from '@mantine/core';
import { memo, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { hasEnded, objectiveLabel } from '#core/campaign.ts';
import { LEGACY_CAMPAIGN_WORDS } from '#core/labels.ts';
import { clockTime } from '#core/new-york.ts';
import { budgetLabel } from '../campaign-view.ts';
import { CampaignStateBadge, SmartPauseActiveBadge } from '../campaign-badges.tsx';
import type { SmartPauseToggleProps } from '../smart-pause-toggle.tsx';
import { SmartPauseToggle } from '../smart-pause-toggle.tsx';
import type { Action, AllowedActions, Target } from '../bulk/actions.ts';
import classes from './list.module.css';
import { ManualButton } from './manual-button.tsx';
import { Tick } from './tick.tsx';
import { useRowActions } from './use-row-actions.tsx';

const REENABLE =
  'SmartPause was disabled for this campaign because its status was changed outside SmartPause. You can re-enable it with the switch.';

export interface CampaignRowProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseActive: boolean;
  allowed: AllowedActions;
  selected: boolean;
  toggleSize: SmartPauseToggleProps['size'];
  /** Asks before a change with consequences. Like the others a stable function, or all rows render again. */
  onAsk: (action: Action, target: Target, onConfirm: (resume: boolean) => void) => void;
  onTick: (campaignId: string) => void;
  /** Opens the history of the campaign. Null: the server has no history. */
  onWhy: ((campaignId: string) => void) | null;
}

export const CampaignRow = memo(function CampaignRow(props: CampaignRowProps) {
  const { account, campaign, smartPauseActive, allowed, selected, toggleSize, onAsk, onTick, onWhy } = props;
  const actions = useRowActions(props);
  const on = actions.asked ?? campaign.smartPauseSetting === 'ON';
  const onToggle = () => {
    if (actions.asked !== null) return;
    onAsk(on ? 'off' : 'on', { account, campaign }, (resume) => actions.turn(!on, resume));
  };
  return (
    <tr className={classes.row} data-campaign={campaign.id} data-selected={selected || undefined}>
      <td className={classes.tickCell}>
        <Tick
          label={`Select ${campaign.name}`}
          isTicked={selected}
          disabled={allowed === 'none'}
          onTick={() => onTick(campaign.id)}
        />
      </td>
      <AboutCampaign {...{ account, campaign, on, smartPauseActive }} />
      <Badges {...{ campaign, on, smartPauseActive, onWhy }} />
      <td className={`${classes.budget} figures`}>{budgetLabel(campaign.dailyBudget, account.currency)}</td>
      <Controls {...{ campaign, on, allowed, toggleSize, onToggle, actions }} />
    </tr>
  );
});

interface ControlsProps extends Pick<CampaignRowProps, 'campaign' | 'allowed' | 'toggleSize'> {
  on: boolean;
  onToggle: () => void;
  actions: ReturnType<typeof useRowActions>;
}

function Controls({ campaign, on, allowed, toggleSize, onToggle, actions }: ControlsProps) {
  // The switch of a legacy campaign goes once it is off, but not while it has the focus.
  const [hasFocus, setHasFocus] = useState(false);
  if (campaign.isLegacyAdvantage === true && !on && !hasFocus) {
    return (
      <td colSpan={2} className={`${classes.reason} ${classes.details}`}>
        {LEGACY_CAMPAIGN_WORDS}
      </td>
    );
  }
  const isEnded = hasEnded(campaign.status);
  const mayTurn = on ? allowed !== 'none' : allowed === 'all' && !isEnded;
  return (
    <>
      <td className={classes.switch} onFocus={() => setHasFocus(true)} onBlur={() => setHasFocus(false)}>
        <SmartPauseToggle
          campaignName={campaign.name}
          on={on}
          disabled={!mayTurn}
          size={toggleSize}
          onToggle={onToggle}
        />
      </td>
      <td className={classes.action}>
        {!isEnded && (
          <ManualButton
            campaign={campaign}
            allowed={allowed}
            smartPauseOn={on}
            isSaving={actions.asked !== null}
            acting={actions.acting}
            onAct={actions.act}
          />
        )}
      </td>
    </>
  );
}

interface StateProps extends Pick<CampaignRowProps, 'campaign' | 'smartPauseActive'> {
  on: boolean;
}

function Badges({ campaign, on, smartPauseActive, onWhy }: StateProps & Pick<CampaignRowProps, 'onWhy'>) {
  return (
    <td className={classes.badges}>
      <CampaignStateBadge campaign={campaign} />
      {smartPauseActive && on && <SmartPauseActiveBadge />}
      {campaign.smartPauseSetting === 'DEACTIVATED' && !on && (
        <Tooltip label={REENABLE}>
          <Badge color="orange" tabIndex={0}>
            SmartPause Disabled
          </Badge>
        </Tooltip>
      )}
      {onWhy !== null && (
        <button
          type="button"
          className={classes.why}
          aria-haspopup="dialog"
          aria-label={`Why? History of ${campaign.name}`}
          onClick={() => onWhy(campaign.id)}
        >
          Why?
        </button>
      )}
    </td>
  );
}

/** Meta has not confirmed the user's own pause or resume. */
const PENDING = { PAUSED: 'Pausing: waiting for Meta', ACTIVE: 'Resuming: waiting for Meta' };

function AboutCampaign({ account, campaign, on, smartPauseActive }: StateProps & { account: AdAccount }) {
  const budget = budgetLabel(campaign.dailyBudget, account.currency);
  const { testUntil: until = '' } = campaign;
  const isTested = until !== '' && campaign.status === 'PAUSED';
  const wasPausedBefore = smartPauseActive && on && campaign.held === false && !isTested;
  const details = [
    campaign.pendingStatus === undefined ? '' : PENDING[campaign.pendingStatus],
    campaign.held === true ? 'Paused by SmartPause' : '',
    isTested ? `Test: resumes at ${clockTime(Date.parse(until))}` : '',
    wasPausedBefore ? 'Already paused before the outage; won’t be resumed' : '',
    campaign.isLegacyAdvantage === true && on ? LEGACY_CAMPAIGN_WORDS : '',
    objectiveLabel(campaign.objective),
  ].filter((detail) => detail !== '');
  const text = details.join(' · ');
  return (
    // The title shows the text that a narrow column cuts.
    <th scope="row" className={classes.about} title={`${campaign.name}\n${text}`}>
      <div className={classes.name}>{campaign.name}</div>
      <p className={`${classes.details} figures`}>
        {text}
        {budget !== null && (
          <span className={classes.inCard}>
            {details.length > 0 && ' · '}
            {budget}
          </span>
        )}
      </p>
    </th>
  );
}
