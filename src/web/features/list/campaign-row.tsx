import { Badge } from '@mantine/core';
import { memo } from 'react';
import { hasEnded, objectiveLabel } from '#core/campaign.ts';
import { idAfterName } from '#core/clear-names.ts';
import { capitalized } from '#core/labels.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../campaigns/campaign-badges.tsx';
import {
  badgesCopy,
  budgetLabel,
  canResumeNow,
  isDelivered,
  outlookOf,
  statesOf,
  undeliveredCopy,
} from '../campaigns/campaign-view.ts';
import type { Pending } from '../changes/actions.ts';
import classes from './list.module.css';
import { RetryButton } from './retry-button.tsx';
import { MenuButton } from './row-menu.tsx';
import type { CampaignRowProps } from './row-props.ts';
import { SmartPauseToggle, RowCheckbox } from './switches.tsx';

export const CampaignRow = memo(function CampaignRow(props: CampaignRowProps) {
  const { account, campaign, allowed, selected, current, onChange, onSelect, onMenu } = props;
  const isTurning = current === 'on' || current === 'off';
  const on = isTurning ? current === 'on' : campaign.smartPauseSetting === 'ON';
  const isLegacy = campaign.isLegacyAdvantage === true;
  const isEnded = hasEnded(campaign.status);
  const budget = budgetLabel(campaign.dailyBudget, account.currency);
  return (
    <tr role="row" className={classes.row} data-campaign={campaign.id} data-selected={selected || undefined}>
      <td role="cell" className={classes.tickCell}>
        <RowCheckbox
          label={`Select ${campaign.name}`}
          isTicked={selected}
          disabled={allowed.length === 0}
          onTick={() => onSelect(campaign.id)}
        />
      </td>
      <About {...{ account, campaign, budget }} showsAccount={props.showsAccount} />
      {props.showsAccount && (
        <td role="cell" className={classes.account}>
          {account.name}
        </td>
      )}
      <Badges {...props} on={on} />
      <Outlook {...props} on={on} />
      <td role="cell" className={`${classes.budget} mantine-visible-from-md figures`}>
        {budget}
      </td>
      <td role="cell" className={classes.switch}>
        {(!isLegacy || on) && campaign.smartPauseSetting !== undefined && (
          <SmartPauseToggle
            campaignName={campaign.name}
            on={on}
            isSaving={current !== null && !isTurning}
            disabled={!(on ? allowed.includes('off') : allowed.includes('on') && !isEnded)}
            size="md"
            onToggle={() => {
              if (current === null) onChange(on ? 'off' : 'on', campaign);
            }}
          />
        )}
      </td>
      <td role="cell" className={classes.action}>
        <MenuButton campaign={campaign} onOpen={onMenu} />
      </td>
    </tr>
  );
});

interface PartProps extends CampaignRowProps {
  /** SmartPause is on, or is being turned on. */
  on: boolean;
}

const DOING: Partial<Record<Pending, string>> = {
  pause: 'Pausing…',
  resume: 'Resuming…',
  resume_now: 'Resuming…',
};

type AboutProps = Pick<PartProps, 'account' | 'campaign' | 'showsAccount'> & { budget: string | null };

function About({ account, campaign, showsAccount, budget }: AboutProps) {
  const { id, name, objective } = campaign;
  const end = idAfterName(id);
  const hasId = name.endsWith(end);
  const label = hasId ? '' : objectiveLabel(objective);
  return (
    // The title shows names that a narrow column cuts.
    <th
      role="rowheader"
      scope="row"
      className={classes.about}
      title={showsAccount ? `${name} · ${account.name}` : name}
    >
      {/* No line begins with the bar. */}
      <div className={classes.name}>
        {(hasId ? name.slice(0, -end.length) : name).replaceAll(' |', '\u00a0|')}
      </div>
      <p className={`${classes.details} figures`} data-long={hasId || showsAccount || undefined}>
        {hasId && <span>{id}</span>}
        {label !== '' && <span className={classes.objective}>{label}</span>}
        {showsAccount && (
          // Screen readers have the cell.
          <span className={classes.inAccount} aria-hidden="true">
            {account.name}
          </span>
        )}
        {budget !== null && (
          <span className="mantine-hidden-from-md" style={{ whiteSpace: 'nowrap' }}>
            {budget}
          </span>
        )}
      </p>
    </th>
  );
}

/** What happens to the campaign, why, and what its user can do now; else what an outage would do with it. */
function Outlook(props: PartProps) {
  const { account, campaign, on, smartPauseActive, resumes, current, isAble, isMatched } = props;
  const doing = current === null ? undefined : DOING[current];
  const states = statesOf(campaign, resumes);
  const isRefusedPause =
    (campaign.refused?.action === 'pause' || campaign.leftOn === 'pause_refused') &&
    isDelivered(campaign) &&
    account.noDelivery === undefined;
  // Another tool's hours are beside it.
  const isUntouched = doing === undefined && states.every((one) => one === campaign.otherSchedule?.text);
  const outlook = isUntouched ? outlookOf(campaign, account, { isOn: on, isAble, isMatched }) : null;
  const before = doing ?? outlook;
  const [first = null, ...facts] = before === null ? states : [before, ...states];
  const isIdle = doing === undefined && campaign.pendingStatus === undefined;
  const state = isRefusedPause && isIdle ? 'Keeps spending: Meta refused' : first;
  const isRefused = campaign.refused !== undefined || campaign.notResumed !== undefined;
  const isFault = isRefused || isRefusedPause || outlook === 'Keeps spending';
  const isActive = on && smartPauseActive;
  return (
    <td
      role="cell"
      className={classes.outlook}
      data-short={(state === outlook && facts.length === 0) || undefined}
    >
      {state !== null && (
        <span
          className={`${classes.state} figures`}
          data-now={isMatched || undefined}
          data-fault={(isFault && doing === undefined) || undefined}
          // The badges say it.
          data-said={(isActive && facts.length > 0 && state.startsWith('Paused by SmartPause')) || undefined}
        >
          {state}
        </span>
      )}
      {facts.length > 0 && (
        <p className={`${classes.details} figures`}>
          {facts.map((text, index) => (
            <span key={text}>{index === 0 ? capitalized(text) : text}</span>
          ))}
        </p>
      )}
      {facts.length > 0 && ' '}
      <span className={classes.acts}>
        <Acts {...props} hasAnswer={states.length > 0 || isActive} />
      </span>
    </td>
  );
}

/** What a campaign that is not as its user wants it offers, beside the reason. */
function Acts(props: PartProps & { hasAnswer: boolean }) {
  const { campaign, hasResumeNow, isMatched, allowed, current, onChange, onWhy, hasAnswer } = props;
  const { id, name, smartPauseSetting, refused } = campaign;
  return (
    <>
      {refused !== undefined && <RetryButton campaign={campaign} />}
      {hasResumeNow && canResumeNow(campaign, isMatched) && allowed.includes('resume_now') && (
        <button
          ref={leaveFocusToList}
          type="button"
          className={classes.act}
          aria-label={`Resume now: ${name}`}
          aria-disabled={current !== null}
          onClick={() => {
            if (current === null) onChange('resume_now', campaign);
          }}
        >
          Resume now
        </button>
      )}
      {onWhy !== null && (hasAnswer || smartPauseSetting === 'DEACTIVATED') && (
        <button
          type="button"
          className={classes.act}
          aria-haspopup="dialog"
          aria-label={`Why? History of ${name}`}
          onClick={() => onWhy(id)}
        >
          Why?
        </button>
      )}
    </>
  );
}

/** 'Ended' or 'Scheduled' replaces the status while Meta does not deliver the campaign. */
function Badges({ campaign, on, smartPauseActive }: PartProps) {
  const undelivered = undeliveredCopy(campaign);
  return (
    <td role="cell" className={classes.badges} title={badgesCopy(campaign)}>
      {undelivered === null ? (
        <CampaignStatusBadge status={campaign.status} />
      ) : (
        <Badge color={undelivered.color}>{undelivered.label}</Badge>
      )}
      {smartPauseActive && on && <SmartPauseActiveBadge />}
      {campaign.smartPauseSetting === 'DEACTIVATED' && !on && (
        <Badge color="orange">SmartPause Disabled</Badge>
      )}
    </td>
  );
}
