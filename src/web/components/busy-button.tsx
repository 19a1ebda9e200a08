import type { ButtonProps } from '@mantine/core';
import { Button, Loader } from '@mantine/core';

export interface BusyButtonProps extends ButtonProps {
  /** Its action is in progress. */
  isBusy: boolean;
  /** A press does nothing, possibly because of another action. */
  isInert?: boolean;
  'aria-pressed'?: boolean;
  'aria-label'?: string;
  onClick: () => void;
}

/** A busy button stays focusable, because a disabled one would lose the focus. */
export function BusyButton({ isBusy, isInert = isBusy, leftSection, onClick, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      leftSection={isBusy ? <Loader size={12} color="currentColor" /> : leftSection}
      aria-busy={isBusy}
      aria-disabled={isInert}
      onClick={() => {
        if (!isInert) onClick();
      }}
    />
  );
}
