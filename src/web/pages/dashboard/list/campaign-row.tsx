import { Badge, Tooltip } from '@mantine/core';
import { memo, useState } from 'react';
import type { ReactElement } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { hasEnded, objectiveLabel } from '#core/campaign.ts';
import { LEGACY_CAMPAIGN_WORDS } from '#core/words.ts';
import { isRefusal } from '../../../api/call.ts';
import { budgetLabel } from '../../../text/campaign-view.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../../../components/campaign-badges.tsx';
import type { SmartPauseToggleProps } from '../../../components/smart-pause-toggle.tsx';
import { SmartPauseToggle } from '../../../components/smart-pause-toggle.tsx';
import { sayFailure } from '../../../notices.ts';
import { usePauseOrResume, useSetSmartPause } from '../../../api/queries.ts';
import classes from '../dashboard.module.css';
import type { Ticked } from './selection.ts';

const REENABLE =
  'SmartPause was disabled for this campaign because its status was changed outside SmartPause. You can re-enable it with the switch.';

/** What somebody may do here: before the setup nothing, without a subscription only what ends a pause. */
export type Acts = 'all' | 'giving_back' | 'none';

export interface CampaignRowProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseActive: boolean;
  acts: Acts;
  selected: boolean;
  toggleSize: SmartPauseToggleProps['size'];
  /** Must stay the same function, or all rows are drawn anew. */
  onTick: (ticked: Ticked) => void;
  /** Where it is in a list of which only a part is drawn. */
  index?: number;
  total?: number;
  top?: number;
  measure?: (row: HTMLLIElement | null) => void;
}

export const CampaignRow = memo(function CampaignRow(props: CampaignRowProps) {
  const { account, campaign, smartPauseActive, acts, selected, toggleSize, onTick } = props;
  const { index, total, top, measure } = props;
  const toggle = useSetSmartPause(account.id, campaign.id);
  // What was just asked for is shown at once; when it fails, what is true shows again.
  const [asked, setAsked] = useState<boolean | null>(null);
  const on = asked ?? campaign.smartPauseSetting === 'ON';

  const onToggle = () => {
    if (asked !== null) return;
    setAsked(!on);
    // As a promise, since the row may be scrolled away before the answer comes, and a failure is told all the same.
    void toggle
      .mutateAsync(!on)
      .catch((error: unknown) => sayFailure('Failed to toggle SmartPause', error))
      .finally(() => setAsked(null));
  };
  return (
    <li
      ref={measure}
      className={classes.campaign}
      data-campaign={campaign.id}
      data-selected={selected || undefined}
      data-index={index}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={total}
      style={top === undefined ? undefined : { ...FLOATING, transform: `translateY(${top}px)` }}
    >
      {acts !== 'none' && (
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
      )}
      <AboutCampaign account={account} campaign={campaign} on={on} smartPauseActive={smartPauseActive} />
      {(campaign.isLegacyAdvantage !== true || on) && (
        <Controls
          account={account}
          campaign={campaign}
          on={on}
          acts={acts}
          toggleSize={toggleSize}
          isSaving={asked !== null}
          onToggle={onToggle}
        />
      )}
    </li>
  );
});

interface ControlsProps extends Pick<CampaignRowProps, 'account' | 'campaign' | 'acts' | 'toggleSize'> {
  on: boolean;
  /** The server has not answered to the switch: until then it refuses to pause and resume. */
  isSaving: boolean;
  onToggle: () => void;
}

function Controls({ account, campaign, on, acts, toggleSize, isSaving, onToggle }: ControlsProps) {
  return (
    <>
      <div className={classes.switch}>
        <span className={classes.details} aria-hidden="true">
          SmartPause
        </span>
        <SmartPauseToggle
          campaignName={campaign.name}
          on={on}
          disabled={acts === 'none' || (!on && (acts === 'giving_back' || hasEnded(campaign.status)))}
          size={toggleSize}
          onToggle={onToggle}
        />
      </div>
      <div className={classes.action}>
        <ManualButton account={account} campaign={campaign} smartPauseOn={on || isSaving} acts={acts} />
      </div>
    </>
  );
}

const FLOATING = { position: 'absolute', top: 0, left: 0, width: '100%' } as const;

/** A checkbox changes by a click, also by the one that the keyboard makes. */
function isWithShift(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}

interface AboutCampaignProps extends Pick<CampaignRowProps, 'account' | 'campaign' | 'smartPauseActive'> {
  on: boolean;
}

function AboutCampaign({ account, campaign, on, smartPauseActive }: AboutCampaignProps) {
  const details = [
    objectiveLabel(campaign.objective),
    budgetLabel(campaign.dailyBudget, account.currency),
    campaign.held === true ? 'held by SmartPause' : null,
    smartPauseActive && on && campaign.held === false ? 'was paused before, stays paused' : null,
  ];
  return (
    <div className={classes.about}>
      <div className={classes.title}>
        <span className={classes.name}>{campaign.name}</span>
        <span className={classes.badges}>
          <CampaignStatusBadge status={campaign.status} />
          {smartPauseActive && on && <SmartPauseActiveBadge />}
          {campaign.smartPauseSetting === 'DEACTIVATED' && !on && (
            <Tooltip label={REENABLE}>
              <Badge color="orange" tabIndex={0}>
                SmartPause Disabled
              </Badge>
            </Tooltip>
          )}
        </span>
      </div>
      <p className={`${classes.details} figures`}>
        {details.filter((detail) => detail !== null && detail !== '').join(' · ')}
      </p>
      {campaign.isLegacyAdvantage === true && <p className={classes.details}>{LEGACY_CAMPAIGN_WORDS}</p>}
    </div>
  );
}

interface ManualButtonProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseOn: boolean;
  acts: Acts;
}

function ManualButton({ account, campaign, smartPauseOn, acts }: ManualButtonProps) {
  const change = usePauseOrResume(account.id, campaign.id);
  const act = change.isPending ? change.variables : campaign.status === 'ACTIVE' ? 'pause' : 'resume';
  const [idle, busy] = act === 'pause' ? ['Manual Pause', 'Pausing…'] : ['Manual Resume', 'Resuming…'];
  const words = change.isPending ? busy : idle;
  const mayAct = acts === 'all' || (acts === 'giving_back' && act === 'resume');
  const ended = campaign.status !== 'ACTIVE' && campaign.status !== 'PAUSED';
  // The keyboard, too, must come to what gives the reason.
  const saysWhy = smartPauseOn && acts !== 'none';

  const onClick = () => void change.mutateAsync(act).catch((error: unknown) => sayRefused(act, error));
  return (
    <WithReason isGiven={saysWhy}>
      <BusyButton
        size="sm"
        variant="default"
        isBusy={change.isPending}
        isHeld={change.isPending || saysWhy}
        disabled={(!mayAct || smartPauseOn || ended) && !saysWhy}
        data-disabled={saysWhy}
        aria-label={`${words} ${campaign.name}`}
        onClick={onClick}
      >
        {words}
      </BusyButton>
    </WithReason>
  );
}

/** A tooltip is dear, and most rows need none. One that was needed stays: without it the button would be another, and lose the focus. */
function WithReason({ isGiven, children }: { isGiven: boolean; children: ReactElement }) {
  const [wasGiven, setWasGiven] = useState(isGiven);
  if (isGiven && !wasGiven) setWasGiven(true);
  if (!isGiven && !wasGiven) return children;
  return (
    <Tooltip label="Turn SmartPause off to pause or resume by hand" disabled={!isGiven}>
      {children}
    </Tooltip>
  );
}

function sayRefused(act: 'pause' | 'resume', error: unknown): void {
  if (isRefusal(error, 'SMARTPAUSE_ACTIVE')) sayFailure('SmartPause is active', error);
  else sayFailure(act === 'pause' ? 'Failed to pause campaign' : 'Failed to resume campaign', error);
}
