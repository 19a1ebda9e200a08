import { Button, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAskBeforeClose } from '../../lib/ask-before-close.ts';
import { LOGOUT_EVENT, useAuth } from '../auth/auth-provider.tsx';

/** Asks before unsaved settings are lost: on another page of ours, by a logout, and when the browser leaves. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const { logout } = useAuth();
  const [isLoggingOut, setLoggingOut] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged && !isLoggingOut && currentLocation.pathname !== nextLocation.pathname,
  );
  useAskBeforeClose(isChanged);
  useWindowEvent(LOGOUT_EVENT, (event) => {
    if (!isChanged || isLoggingOut) return;
    event.preventDefault();
    setLoggingOut(true);
  });
  const onStay = () => {
    setLoggingOut(false);
    blocker.reset?.();
  };
  const leave = isLoggingOut ? 'Log out without saving' : 'Leave without saving';
  return (
    <ConfirmDialog
      opened={isLoggingOut || blocker.state === 'blocked'}
      onClose={onStay}
      title={`${leave}?`}
      cancel="Keep editing"
      confirm={
        <Button color="red.9" onClick={isLoggingOut ? logout : blocker.proceed}>
          {leave}
        </Button>
      }
    >
      <Text fz="sm">Your changes to the SmartPause settings aren’t saved yet.</Text>
    </ConfirmDialog>
  );
}
