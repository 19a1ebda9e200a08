import { Badge, Tooltip } from '@mantine/core';
import { memo } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { hasEnded, objectiveLabel } from '#core/campaign.ts';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../campaign-badges.tsx';
import { budgetLabel, statesOf, undeliveredCopy } from '../campaign-view.ts';
import type { Action } from '../changes/actions.ts';
import { isManual } from '../changes/actions.ts';
import { ReasonButton } from '../reason-button.tsx';
import classes from './list.module.css';
import type { SmartPauseToggleProps } from './switches.tsx';
import { SmartPauseToggle, Tick } from './switches.tsx';

export interface CampaignRowProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseActive: boolean;
  allowed: readonly Action[];
  selected: boolean;
  toggleSize: SmartPauseToggleProps['size'];
  /** The change in progress; null: none. */
  current: Action | null;
  /** Like the others a stable function, or all rows render again. */
  onChange: (action: Action, campaign: Campaign) => void;
  onTick: (campaignId: string) => void;
  /** Opens the history of the campaign. Null: the server has no history. */
  onWhy: ((campaignId: string) => void) | null;
}

export const CampaignRow = memo(function CampaignRow(props: CampaignRowProps) {
  const { account, campaign, allowed, selected, current, onTick } = props;
  const isTurning = current === 'on' || current === 'off';
  const on = isTurning ? current === 'on' : campaign.smartPauseSetting === 'ON';
  return (
    <tr className={classes.row} data-campaign={campaign.id} data-selected={selected || undefined}>
      <td className={classes.tickCell}>
        <Tick
          label={`Select ${campaign.name}`}
          isTicked={selected}
          disabled={allowed.length === 0}
          onTick={() => onTick(campaign.id)}
        />
      </td>
      <About {...props} on={on} />
      <Badges {...props} on={on} />
      <td className={`${classes.budget} mantine-visible-from-md figures`}>
        {budgetLabel(campaign.dailyBudget, account.currency)}
      </td>
      <Controls {...props} on={on} />
    </tr>
  );
});

interface PartProps extends CampaignRowProps {
  /** SmartPause is on, or is being turned on. */
  on: boolean;
}

function About({ account, campaign, on, smartPauseActive }: PartProps) {
  const budget = budgetLabel(campaign.dailyBudget, account.currency);
  const objective = objectiveLabel(campaign.objective);
  // The states first, because a narrow column cuts the end.
  const shown = [...statesOf(campaign, on && smartPauseActive), objective].filter((text) => text !== '');
  return (
    // The title shows the text that a narrow column cuts.
    <th scope="row" className={classes.about} title={`${campaign.name}\n${shown.join(' · ')}`}>
      <div className={classes.name}>{campaign.name}</div>
      <p className={`${classes.details} figures`}>
        {shown.map((text) => (
          <span key={text}>{text}</span>
        ))}
        {budget !== null && <span className="mantine-hidden-from-md">{budget}</span>}
      </p>
    </th>
  );
}

const REENABLE =
  'SmartPause was disabled for this campaign because its status was changed outside SmartPause. You can re-enable it with the switch.';

/** 'Ended' or 'Scheduled' replaces the status while Meta does not deliver the campaign. */
function Badges({ campaign, on, smartPauseActive, onWhy }: PartProps) {
  const undelivered = undeliveredCopy(campaign);
  return (
    <td className={classes.badges}>
      {undelivered === null ? (
        <CampaignStatusBadge status={campaign.status} />
      ) : (
        <ExplainedBadge {...undelivered} />
      )}
      {smartPauseActive && on && <SmartPauseActiveBadge />}
      {campaign.smartPauseSetting === 'DEACTIVATED' && !on && (
        <ExplainedBadge color="orange" label="SmartPause Disabled" why={REENABLE} />
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

function ExplainedBadge({ color, label, why }: { color: string; label: string; why: string }) {
  return (
    <Tooltip label={why}>
      <Badge color={color} tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  );
}

function Controls(props: PartProps) {
  const { campaign, on, allowed, toggleSize, current, onChange } = props;
  const isLegacy = campaign.isLegacyAdvantage === true;
  const isEnded = hasEnded(campaign.status);
  return (
    <>
      <td className={classes.switch}>
        {(!isLegacy || on) && (
          <SmartPauseToggle
            campaignName={campaign.name}
            on={on}
            disabled={!(on ? allowed.includes('off') : allowed.includes('on') && !isEnded)}
            size={toggleSize}
            onToggle={() => {
              if (current === null) onChange(on ? 'off' : 'on', campaign);
            }}
          />
        )}
      </td>
      <td className={classes.action}>{!isEnded && !isLegacy && <ManualButton {...props} />}</td>
    </>
  );
}

const MANUAL = {
  pause: { idle: 'Manual Pause', busy: 'Pausing…' },
  resume: { idle: 'Manual Resume', busy: 'Resuming…' },
};

function ManualButton({ campaign, on, allowed, current, onChange }: PartProps) {
  const isBusy = current !== null && isManual(current);
  const action = isBusy ? current : campaign.status === 'ACTIVE' ? 'pause' : 'resume';
  const label = MANUAL[action][isBusy ? 'busy' : 'idle'];
  // The server refuses a manual action until SmartPause is off.
  const locked = on ? 'Turn SmartPause off to pause or resume manually' : null;
  const reason = current !== null && !isBusy ? 'Saving…' : locked;
  return (
    <ReasonButton
      px={12}
      isBusy={isBusy}
      reason={allowed.length === 0 ? null : reason}
      disabled={on || !['ACTIVE', 'PAUSED'].includes(campaign.status) || !allowed.includes(action)}
      aria-label={`${label} ${campaign.name}`}
      onClick={() => onChange(action, campaign)}
    >
      {label}
    </ReasonButton>
  );
}
