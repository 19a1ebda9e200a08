import { BusyButton } from './busy-button.tsx';

export interface RetryButtonProps {
  query: { isFetching: boolean; refetch: () => unknown };
}

/** Reads again what could not be loaded. */
export function RetryButton({ query: { isFetching, refetch } }: RetryButtonProps) {
  return (
    <BusyButton variant="default" size="xs" isBusy={isFetching} onClick={() => void refetch()}>
      Retry
    </BusyButton>
  );
}
