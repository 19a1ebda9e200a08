import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { BusyButton } from '../../../components/busy-button.tsx';
import { isAllowed } from '../bulk/actions.ts';
import type { ManualAct, RowTarget } from './use-row-actions.tsx';

interface ManualButtonProps extends Omit<RowTarget, 'account'> {
  smartPauseOn: boolean;
  /** SmartPause is being turned on or off: until then the server refuses pause and resume. */
  isSaving: boolean;
  /** The manual action in progress. */
  acting: ManualAct | null;
  onAct: (what: ManualAct) => void;
}

export function ManualButton(props: ManualButtonProps) {
  const { campaign, smartPauseOn, isSaving, allowed, acting, onAct } = props;
  const isBusy = acting !== null;
  const act = acting ?? (campaign.status === 'ACTIVE' ? 'pause' : 'resume');
  const [idle, busy] = act === 'pause' ? ['Manual Pause', 'Pausing…'] : ['Manual Resume', 'Resuming…'];
  const words = isBusy ? busy : idle;
  const isKnown = campaign.status === 'ACTIVE' || campaign.status === 'PAUSED';
  // The keyboard must also reach the element with the reason.
  const reason =
    allowed === 'none'
      ? null
      : isSaving
        ? 'Saving…'
        : smartPauseOn
          ? 'Turn SmartPause off to pause or resume manually'
          : null;
  return (
    <WithReason reason={reason}>
      <BusyButton
        size="sm"
        px={12}
        variant="default"
        isBusy={isBusy}
        isInert={isBusy || reason !== null}
        disabled={reason === null && (smartPauseOn || !isKnown || !isAllowed(allowed, act))}
        data-disabled={reason !== null}
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
function WithReason({ reason, children }: { reason: string | null; children: ReactElement }) {
  const [wasGiven, setWasGiven] = useState(reason !== null);
  if (reason !== null && !wasGiven) setWasGiven(true);
  if (reason === null && !wasGiven) return children;
  return (
    <Tooltip label={reason} disabled={reason === null}>
      {children}
    </Tooltip>
  );
}
