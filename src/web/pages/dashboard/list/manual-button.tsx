import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { BusyButton } from '../../../components/busy-button.tsx';
import type { ManualAct, RowTarget } from './use-row-actions.tsx';

interface ManualButtonProps extends Omit<RowTarget, 'account'> {
  smartPauseOn: boolean;
  /** The manual action in progress. */
  acting: ManualAct | null;
  onAct: (what: ManualAct) => void;
}

export function ManualButton({ campaign, smartPauseOn, allowed, acting, onAct }: ManualButtonProps) {
  const isBusy = acting !== null;
  const act = acting ?? (campaign.status === 'ACTIVE' ? 'pause' : 'resume');
  const [idle, busy] = act === 'pause' ? ['Manual Pause', 'Pausing…'] : ['Manual Resume', 'Resuming…'];
  const words = isBusy ? busy : idle;
  const mayAct = allowed === 'all' || (allowed === 'off_and_resume' && act === 'resume');
  const ended = campaign.status !== 'ACTIVE' && campaign.status !== 'PAUSED';
  // The keyboard must also reach the element with the reason.
  const saysWhy = smartPauseOn && allowed !== 'none';
  return (
    <WithReason isGiven={saysWhy}>
      <BusyButton
        size="sm"
        variant="default"
        isBusy={isBusy}
        isInert={isBusy || saysWhy}
        disabled={(!mayAct || smartPauseOn || ended) && !saysWhy}
        data-disabled={saysWhy}
        aria-label={`${words} ${campaign.name}`}
        onClick={() => onAct(act)}
      >
        {words}
      </BusyButton>
    </WithReason>
  );
}

/**
 * A tooltip is expensive, and most rows need none. Once needed it stays:
 * without it the button would be remounted and lose the focus.
 */
function WithReason({ isGiven, children }: { isGiven: boolean; children: ReactElement }) {
  const [wasGiven, setWasGiven] = useState(isGiven);
  if (isGiven && !wasGiven) setWasGiven(true);
  if (!isGiven && !wasGiven) return children;
  return (
    <Tooltip label="Turn SmartPause off to pause or resume manually" disabled={!isGiven}>
      {children}
    </Tooltip>
  );
}
