import { Badge, Tooltip } from '@mantine/core';
import { memo } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { hasEnded, objectiveLabel } from '#core/campaign.ts';
import { idAfterName } from '#core/clear-names.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../campaign-badges.tsx';
import { budgetLabel, statesOf, undeliveredCopy } from '../campaign-view.ts';
import type { Action, Pending } from '../changes/actions.ts';
import { isManual } from '../changes/actions.ts';
import classes from './list.module.css';
import { RetryButton } from './retry-button.tsx';
import type { SmartPauseToggleProps } from './switches.tsx';
import { SAVING, SmartPauseToggle, Tick } from './switches.tsx';

export interface CampaignRowProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseActive: boolean;
  allowed: readonly Action[];
  selected: boolean;
  toggleSize: SmartPauseToggleProps['size'];
  /** The change in progress; null: none. */
  current: Pending | null;
  /** Like the others a stable function, or all rows render again. */
  onChange: (action: Action, campaign: Campaign) => void;
  onSelect: (campaignId: string) => void;
  /** Opens the history of the campaign. Null: the server has no history. */
  onWhy: ((campaignId: string) => void) | null;
}

export const CampaignRow = memo(function CampaignRow(props: CampaignRowProps) {
  const { account, campaign, allowed, selected, current, toggleSize, onChange, onSelect } = props;
  const isTurning = current === 'on' || current === 'off';
  const on = isTurning ? current === 'on' : campaign.smartPauseSetting === 'ON';
  const isLegacy = campaign.isLegacyAdvantage === true;
  const isEnded = hasEnded(campaign.status);
  const budget = budgetLabel(campaign.dailyBudget, account.currency);
  return (
    <tr className={classes.row} data-campaign={campaign.id} data-selected={selected || undefined}>
      <td className={classes.tickCell}>
        <Tick
          label={`Select ${campaign.name}`}
          isTicked={selected}
          disabled={allowed.length === 0}
          onTick={() => onSelect(campaign.id)}
        />
      </td>
      <About {...props} on={on} budget={budget} />
      <Badges {...props} on={on} />
      <td className={`${classes.budget} mantine-visible-from-md figures`}>{budget}</td>
      <td className={classes.switch}>
        {(!isLegacy || on) && campaign.smartPauseSetting !== undefined && (
          <SmartPauseToggle
            campaignName={campaign.name}
            on={on}
            isSaving={current !== null && !isTurning}
            disabled={!(on ? allowed.includes('off') : allowed.includes('on') && !isEnded)}
            size={toggleSize}
            onToggle={() => {
              if (current === null) onChange(on ? 'off' : 'on', campaign);
            }}
          />
        )}
      </td>
      <td className={classes.action}>
        {campaign.refused !== undefined && <RetryButton campaign={campaign} />}
        {campaign.refused === undefined && !isEnded && !isLegacy && <ManualButton {...props} on={on} />}
      </td>
    </tr>
  );
});

interface PartProps extends CampaignRowProps {
  /** SmartPause is on, or is being turned on. */
  on: boolean;
}

function About({ campaign, on, smartPauseActive, budget }: PartProps & { budget: string | null }) {
  const objective = objectiveLabel(campaign.objective);
  const states = statesOf(campaign, on && smartPauseActive);
  // The states first, because a narrow column cuts the end.
  const shown = [...states, objective].filter((text) => text !== '');
  return (
    // The title shows the text that a narrow column cuts.
    <th scope="row" className={classes.about} title={`${campaign.name}\n${shown.join(' · ')}`}>
      <Name {...campaign} />
      <p className={`${classes.details} figures`}>
        {shown.map((text) => (
          <span key={text}>{text}</span>
        ))}
        {budget !== null && <span className="mantine-hidden-from-md">{budget}</span>}
      </p>
    </th>
  );
}

/** A narrow column cuts the name, but not the id after it, which tells it apart. */
function Name({ id, name }: Campaign) {
  const end = idAfterName(id);
  if (!name.endsWith(end)) return <div className={classes.name}>{name}</div>;
  return (
    <div className={`${classes.name} ${classes.withId}`}>
      <span>{name.slice(0, -end.length)}</span>
      <span>{end}</span>
    </div>
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
  const reason = allowed.length === 0 ? null : current !== null && !isBusy ? SAVING : locked;
  const isPossible = !on && ['ACTIVE', 'PAUSED'].includes(campaign.status) && allowed.includes(action);
  const button = (
    <BusyButton
      size="sm"
      variant="default"
      px={12}
      isBusy={isBusy}
      // The keyboard must reach the reason, so the button is not disabled then.
      isInert={isBusy || reason !== null}
      disabled={!isPossible && reason === null}
      data-disabled={reason !== null}
      aria-label={`${label} ${campaign.name}`}
      onClick={() => onChange(action, campaign)}
    >
      {label}
    </BusyButton>
  );
  // A tooltip is expensive, and most buttons of a long list need none.
  return reason === null ? button : <Tooltip label={reason}>{button}</Tooltip>;
}
