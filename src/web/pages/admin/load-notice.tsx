import { Alert, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { BusyButton } from '../../components/busy-button.tsx';
import classes from './admin.module.css';

export interface LoadNoticeProps {
  hasFailed: boolean;
  /** Resolves true when all data could be read. */
  reload: () => Promise<boolean>;
}

/** Says that the shown data could not be read or is outdated. */
export function LoadNotice({ hasFailed, reload }: LoadNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  const [isRetrying, setIsRetrying] = useState(false);
  const onRetry = async () => {
    setIsRetrying(true);
    const isLoaded = await reload();
    setIsRetrying(false);
    // The button disappears, so the keyboard focus moves to the notice.
    if (isLoaded) notice.current?.focus();
  };
  return (
    <div ref={notice} tabIndex={-1} className={`notice ${classes.notice ?? ''}`}>
      {hasFailed && (
        <Alert color="red" role="alert" py="xs">
          <Group justify="space-between" gap="sm">
            <Text inherit fw={600}>
              Failed to load admin data
            </Text>
            <BusyButton variant="default" size="xs" isBusy={isRetrying} onClick={() => void onRetry()}>
              Retry
            </BusyButton>
          </Group>
        </Alert>
      )}
    </div>
  );
}
