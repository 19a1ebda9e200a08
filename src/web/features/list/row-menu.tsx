import type { ReactNode } from 'react';
import type { Campaign } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import popover from '../../components/popover.module.css';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';
import { badgesCopy } from '../campaigns/campaign-view.ts';
import { isManual } from '../changes/actions.ts';
import classes from './list.module.css';
import type { CampaignRowProps } from './row-props.ts';
import { SAVING } from './switches.tsx';

// One native menu for all rows, because each element counts with many rows. The browser opens it at its button.
const MENU_ID = 'row-menu';

interface MenuButtonProps {
  campaign: Campaign;
  onOpen: (campaignId: string) => void;
}

export function MenuButton({ campaign: { id, name }, onOpen }: MenuButtonProps) {
  return (
    <button
      type="button"
      className={classes.more}
      popoverTarget={MENU_ID}
      popoverTargetAction="show"
      aria-label={`More for ${name}`}
      onClick={(event) => {
        const menu = document.getElementById(MENU_ID);
        const isOpen = menu?.matches(':popover-open') === true;
        // Open at another button, it moves here: the browser shows it after this.
        if (isOpen) menu.hidePopover();
        if (isOpen && menu.dataset['of'] === id) event.preventDefault();
        onOpen(id);
      }}
    >
      ⋯
    </button>
  );
}

const MANUAL = {
  pause: { idle: 'Manual Pause', busy: 'Pausing…' },
  resume: { idle: 'Manual Resume', busy: 'Resuming…' },
};

type RowMenuProps = Pick<
  CampaignRowProps,
  'account' | 'campaign' | 'allowed' | 'current' | 'onChange' | 'onWhy'
>;

/** @param props.row undefined: no menu was opened yet */
export function RowMenu({ row }: { row: RowMenuProps | undefined }) {
  return (
    <div
      id={MENU_ID}
      popover="auto"
      className={`${popover.popover} ${classes.menu}`}
      data-of={row?.campaign.id}
      onToggle={({ currentTarget, newState }) => {
        if (newState === 'open') currentTarget.querySelector<HTMLElement>(':enabled, a')?.focus();
      }}
    >
      {row !== undefined && <Items {...row} />}
    </div>
  );
}

function Items({ account, campaign, onWhy, ...rest }: RowMenuProps) {
  const copy = badgesCopy(campaign);
  return (
    <>
      {copy !== undefined && <small>{copy}</small>}
      <ManualItem {...{ campaign, account, onWhy }} {...rest} />
      {onWhy !== null && (
        <Item aria-label={`Why? History of ${campaign.name}`} onClick={() => onWhy(campaign.id)}>
          History
        </Item>
      )}
      <a
        href={adsManagerAddress(account.id)}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open ${campaign.name} in Ads Manager`}
      >
        Open in Ads Manager
      </a>
    </>
  );
}

function ManualItem({ campaign, allowed, current, onChange }: RowMenuProps) {
  if (hasEnded(campaign.status) || campaign.isLegacyAdvantage === true) return null;
  const isBusy = current !== null && isManual(current);
  const action = isBusy ? current : campaign.status === 'ACTIVE' ? 'pause' : 'resume';
  const label = MANUAL[action][isBusy ? 'busy' : 'idle'];
  const reason = whyLocked(campaign, current);
  const isPossible = ['ACTIVE', 'PAUSED'].includes(campaign.status) && allowed.includes(action);
  return (
    <Item
      disabled={isBusy || reason !== null || !isPossible}
      aria-label={`${label} ${campaign.name}`}
      hint={allowed.length === 0 || isBusy ? null : reason}
      onClick={() => onChange(action, campaign)}
    >
      {label}
    </Item>
  );
}

/** The server refuses a manual action until SmartPause is off. */
function whyLocked(campaign: Campaign, current: RowMenuProps['current']): string | null {
  if (current !== null) return SAVING;
  return campaign.smartPauseSetting === 'ON' ? 'Turn SmartPause off to pause or resume manually' : null;
}

interface ItemProps {
  children: ReactNode;
  'aria-label': string;
  disabled?: boolean;
  hint?: string | null;
  onClick: () => void;
}

function Item({ children, hint = null, ...button }: ItemProps) {
  return (
    <button type="button" {...button}>
      {children}
      {hint !== null && <small>{hint}</small>}
    </button>
  );
}
