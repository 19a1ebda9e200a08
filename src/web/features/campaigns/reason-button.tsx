import { Tooltip } from '@mantine/core';
import type { BusyButtonProps } from '../../components/busy-button.tsx';
import { BusyButton } from '../../components/busy-button.tsx';

interface ReasonButtonProps extends Omit<BusyButtonProps, 'isInert'> {
  /** Why a press does nothing. The keyboard must reach it, too, so the button is not disabled then. */
  reason: string | null;
}

/** A tooltip is expensive, and most buttons of a long list need none. */
export function ReasonButton({ reason, disabled = false, ...rest }: ReasonButtonProps) {
  const hasReason = reason !== null;
  const button = (
    <BusyButton
      size="sm"
      variant="default"
      {...rest}
      isInert={rest.isBusy || hasReason}
      disabled={disabled && !hasReason}
      data-disabled={hasReason}
    />
  );
  return hasReason ? <Tooltip label={reason}>{button}</Tooltip> : button;
}
