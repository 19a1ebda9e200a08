import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#core/words.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ModalButtons } from '../../components/modal-buttons.tsx';
import { sayDone, sayFailure } from '../../notices.ts';
import { useEndOtherSessions } from '../../api/account-queries.ts';

/** @param onEnded the button is gone, and so is the question */
export function EndOthers({ count, onEnded }: { count: number; onEnded: () => void }) {
  const [opened, setOpened] = useState(false);
  // As it was when it was asked: the list behind the question goes on changing.
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
      <Modal
        opened={opened}
        onClose={close}
        title="End all other sessions?"
        closeOnClickOutside={!end.isPending}
        onExitTransitionEnd={() => count === 0 && onEnded()}
      >
        <Stack>
          <Text fz="sm">
            {counted(asked, 'other session')} will be logged out at once. This session stays. SmartPause goes
            on looking after your campaigns.
          </Text>
          <ModalButtons busy={end.isPending} onCancel={close}>
            <BusyButton color="red.9" isBusy={end.isPending} onClick={onConfirm}>
              End {counted(asked, 'session')}
            </BusyButton>
          </ModalButtons>
        </Stack>
      </Modal>
    </>
  );
}
