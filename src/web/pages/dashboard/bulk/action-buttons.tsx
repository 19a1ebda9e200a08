import { Tooltip } from '@mantine/core';
import type { Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import type { AllowedActions } from '../list/use-row-actions.ts';
import type { BulkAction } from './actions.ts';
import { BULK_ACTIONS, isAllowed, isManual } from './actions.ts';
import classes from './bulk.module.css';
import { byEffect } from './targets.ts';

interface ActionButtonsProps {
  allowed: AllowedActions;
  selected: readonly Campaign[];
  isBusy: boolean;
  onAsk: (action: BulkAction) => void;
}

/** Each button shows the number of selected campaigns that it would change. */
export function ActionButtons({ allowed, selected, isBusy, onAsk }: ActionButtonsProps) {
  return (
    <div className={classes.acts}>
      {BULK_ACTIONS.filter((action) => isAllowed(allowed, action)).map((action) => {
        const { change, smartpause_on: blocked } = byEffect(selected, action);
        // The keyboard must also reach the button with the reason.
        const saysWhy = !isBusy && change.length === 0 && blocked.length > 0;
        return (
          <Tooltip
            key={action}
            label={`Turn SmartPause off to ${action} ${blocked.length === 1 ? 'it' : 'them'} manually`}
            disabled={!saysWhy}
          >
            <BusyButton
              size="sm"
              variant={action === 'on' ? 'filled' : 'default'}
              isBusy={false}
              isInert={saysWhy}
              disabled={isBusy || (change.length === 0 && !saysWhy)}
              data-disabled={saysWhy}
              onClick={() => onAsk(action)}
            >
              <span>
                <Label action={action} /> ({figure(change.length)})
              </span>
            </BusyButton>
          </Tooltip>
        );
      })}
    </div>
  );
}

function Label({ action }: { action: BulkAction }) {
  if (isManual(action)) return action === 'pause' ? 'Pause' : 'Resume';
  return (
    <>
      Turn <span className={classes.long}>SmartPause </span>
      {action}
    </>
  );
}
