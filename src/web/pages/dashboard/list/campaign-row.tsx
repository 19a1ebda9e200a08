import { Badge, Tooltip } from '@mantine/core';
import { memo } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { hasEnded, objectiveLabel } from '#core/campaign.ts';
import { LEGACY_CAMPAIGN_WORDS } from '#core/labels.ts';
import { clockTime } from '#core/new-york.ts';
import { budgetLabel } from '../../../text/campaign-view.ts';
import { CampaignStateBadge, SmartPauseActiveBadge } from '../../../components/campaign-badges.tsx';
import type { SmartPauseToggleProps } from '../../../components/smart-pause-toggle.tsx';
import { SmartPauseToggle } from '../../../components/smart-pause-toggle.tsx';
import classes from '../dashboard.module.css';
import { ManualButton } from './manual-button.tsx';
import type { Ticked } from './selection.ts';
import type { Action, AllowedActions, Target } from '../bulk/actions.ts';
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
  onTick: (ticked: Ticked) => void;
  /** Opens the history of the campaign; a stable function. Null: the server has no history. */
  onWhy: ((campaignId: string) => void) | null;
  /** The index in a list that renders only some rows. */
  index?: number;
  top?: number;
  measure?: (row: HTMLDivElement | null) => void;
}

export interface RowsProps {
  campaigns: readonly Campaign[];
  propsOf: (campaign: Campaign) => CampaignRowProps;
}

export const CampaignRow = memo(function CampaignRow(props: CampaignRowProps) {
  const { account, campaign, smartPauseActive, allowed, selected, toggleSize, onAsk, onTick, onWhy } = props;
  const { index, top, measure } = props;
  const actions = useRowActions(props);
  const on = actions.asked ?? campaign.smartPauseSetting === 'ON';
  const onToggle = () => {
    if (actions.asked !== null) return;
    onAsk(on ? 'off' : 'on', { account, campaign }, (resume) => actions.turn(!on, resume));
  };
  return (
    <div
      role="row"
      ref={measure}
      className={classes.campaign}
      data-campaign={campaign.id}
      data-selected={selected || undefined}
      data-index={index}
      // The head is row 1.
      aria-rowindex={index === undefined ? undefined : index + 2}
      style={top === undefined ? undefined : { ...FLOATING, transform: `translateY(${top}px)` }}
    >
      {allowed !== 'none' && <Tick {...{ campaign, selected, onTick }} />}
      <AboutCampaign {...{ account, campaign, on, smartPauseActive }} />
      <Badges {...{ campaign, on, smartPauseActive, onWhy }} />
      <div role="cell" className={`${classes.budget} figures`}>
        {budgetLabel(campaign.dailyBudget, account.currency)}
      </div>
      {campaign.isLegacyAdvantage === true && !on ? (
        <div role="cell" aria-colspan={2} className={`${classes.reason} ${classes.details}`}>
          {LEGACY_CAMPAIGN_WORDS}
        </div>
      ) : (
        <Controls {...{ campaign, on, allowed, toggleSize, onToggle, actions }} />
      )}
    </div>
  );
});

type Actions = ReturnType<typeof useRowActions>;

interface ControlsProps extends Pick<CampaignRowProps, 'campaign' | 'allowed' | 'toggleSize'> {
  on: boolean;
  onToggle: () => void;
  actions: Actions;
}

function Controls({ campaign, on, allowed, toggleSize, onToggle, actions }: ControlsProps) {
  // Until a toggle call ends the server refuses pause and resume.
  const isSaving = actions.asked !== null;
  return (
    <>
      <div role="cell" className={classes.switch}>
        <SmartPauseToggle
          campaignName={campaign.name}
          on={on}
          disabled={
            allowed === 'none' || (!on && (allowed === 'off_and_resume' || hasEnded(campaign.status)))
          }
          size={toggleSize}
          onToggle={onToggle}
        />
      </div>
      <div role="cell" className={classes.action}>
        <ManualButton
          campaign={campaign}
          allowed={allowed}
          smartPauseOn={on || isSaving}
          acting={actions.acting}
          onAct={actions.act}
        />
      </div>
    </>
  );
}

const FLOATING = { position: 'absolute', top: 0, left: 0, width: '100%' } as const;

function Tick({ campaign, selected, onTick }: Pick<CampaignRowProps, 'campaign' | 'selected' | 'onTick'>) {
  return (
    <div role="cell" className={classes.tickCell}>
      <label className={classes.tick}>
        <input
          type="checkbox"
          checked={selected}
          aria-label={`Select ${campaign.name}`}
          onChange={({ currentTarget, nativeEvent }) =>
            onTick({ id: campaign.id, isTicked: currentTarget.checked, isRange: isWithShift(nativeEvent) })
          }
        />
      </label>
    </div>
  );
}

/** A checkbox changes by a click, also by the one that the keyboard makes. */
function isWithShift(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}

interface StateProps extends Pick<CampaignRowProps, 'campaign' | 'smartPauseActive'> {
  on: boolean;
}

function Badges({ campaign, on, smartPauseActive, onWhy }: StateProps & Pick<CampaignRowProps, 'onWhy'>) {
  return (
    <div role="cell" className={classes.badges}>
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
    </div>
  );
}

interface AboutCampaignProps extends StateProps {
  account: AdAccount;
}

/** Meta has not confirmed the user's own pause or resume. */
const PENDING = { PAUSED: 'Pausing: waiting for Meta', ACTIVE: 'Resuming: waiting for Meta' };

function AboutCampaign({ account, campaign, on, smartPauseActive }: AboutCampaignProps) {
  const budget = budgetLabel(campaign.dailyBudget, account.currency);
  const { testUntil: until = '' } = campaign;
  const isTested = until !== '' && campaign.status === 'PAUSED';
  const wasPausedBefore = smartPauseActive && on && campaign.held === false && !isTested;
  const details = [
    campaign.pendingStatus === undefined ? '' : PENDING[campaign.pendingStatus],
    campaign.held === true ? 'Paused by SmartPause' : '',
    isTested ? `Test: paused by SmartPause, resumes at ${clockTime(Date.parse(until))}` : '',
    wasPausedBefore ? 'Already paused before the outage; won’t be resumed' : '',
    campaign.isLegacyAdvantage === true && on ? LEGACY_CAMPAIGN_WORDS : '',
    objectiveLabel(campaign.objective),
  ].filter((detail) => detail !== '');
  return (
    <div role="rowheader" className={classes.about}>
      <div className={classes.name}>{campaign.name}</div>
      <p className={`${classes.details} figures`}>
        {details.join(' · ')}
        {budget !== null && (
          <span className={classes.inCard}>
            {details.length > 0 && ' · '}
            {budget}
          </span>
        )}
      </p>
    </div>
  );
}
