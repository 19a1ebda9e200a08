import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#core/labels.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { sayDone, sayFailure } from '../../notices.ts';
import { useEndOtherSessions } from '../../api/account-queries.ts';

/** @param onEnded the button and the confirmation are gone */
export function EndOthers({ count, onEnded }: { count: number; onEnded: () => void }) {
  const [opened, setOpened] = useState(false);
  // The number when the confirmation opened: the list behind it may change.
  const [asked, setAsked] = useState(0);
  const end = useEndOtherSessions();
  const close = () => setOpened(false);

  const onOpen = () => {
    setAsked(count);
    setOpened(true);
  };
  const onConfirm = () =>
    end.mutate(undefined, {
      onSuccess: ({ ended }) => sayDone('Sessions ended', `${counted(ended, 'other session')} ended.`),
      onError: (error) => sayFailure('Failed to end the other sessions', error),
      onSettled: close,
    });
  return (
    <>
      {count > 0 && (
        <Button variant="default" c="var(--status-high)" size="xs" onClick={onOpen}>
          End all other sessions
        </Button>
      )}
      <ConfirmModal
        opened={opened}
        onClose={close}
        title="End all other sessions?"
        busy={end.isPending}
        onExitTransitionEnd={() => count === 0 && onEnded()}
        confirm={
          <BusyButton color="red.9" isBusy={end.isPending} onClick={onConfirm}>
            End {counted(asked, 'session')}
          </BusyButton>
        }
      >
        <Text fz="sm">
          {counted(asked, 'other session')} will be logged out. This session stays, and your campaigns stay
          protected.
        </Text>
      </ConfirmModal>
    </>
  );
}
