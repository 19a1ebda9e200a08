import type { BusyButtonProps } from './busy-button.tsx';
import { BusyButton } from './busy-button.tsx';

export interface RetryButtonProps extends Omit<BusyButtonProps, 'isBusy' | 'onClick'> {
  query: { isFetching: boolean; refetch: () => unknown };
}

/** Reads again what could not be loaded. */
export function RetryButton({ query: { isFetching, refetch }, ...look }: RetryButtonProps) {
  return (
    <BusyButton variant="default" size="xs" isBusy={isFetching} onClick={() => void refetch()} {...look}>
      Retry
    </BusyButton>
  );
}
