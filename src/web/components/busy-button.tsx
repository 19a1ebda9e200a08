import type { ButtonProps } from '@mantine/core';
import { Button, Loader } from '@mantine/core';

export interface BusyButtonProps extends ButtonProps {
  /** What it was pressed for is being done. */
  isBusy: boolean;
  /** Pressing it does nothing now, though it may be something else that is being done. */
  isHeld?: boolean;
  'aria-pressed'?: boolean;
  'aria-label'?: string;
  onClick: () => void;
}

/** It keeps the focus while it is busy, which a disabled one would lose. */
export function BusyButton({ isBusy, isHeld = isBusy, leftSection, onClick, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      leftSection={isBusy ? <Loader size={12} color="currentColor" /> : leftSection}
      aria-busy={isBusy}
      aria-disabled={isHeld}
      onClick={() => {
        if (!isHeld) onClick();
      }}
    />
  );
}
