import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { guardLogout, useAuth } from '../auth/auth-provider.tsx';
import { useAskBeforeClose } from '../../lib/use-ask-before-close.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

/** Asks before unsaved settings are lost: on another page of ours, by a logout, and when the browser leaves. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const { logout } = useAuth();
  const [isLoggingOut, setLoggingOut] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useAskBeforeClose(isChanged);
  useEffect(() => {
    if (!isChanged) return;
    guardLogout(() => setLoggingOut(true));
    return () => guardLogout(null);
  }, [isChanged]);
  const onStay = () => {
    setLoggingOut(false);
    blocker.reset?.();
  };
  const onLeave = () => {
    if (!isLoggingOut) return blocker.proceed?.();
    guardLogout(null);
    logout();
  };
  const leave = isLoggingOut ? 'Log out without saving' : 'Leave without saving';
  return (
    <ConfirmDialog
      opened={isLoggingOut || blocker.state === 'blocked'}
      onClose={onStay}
      title={`${leave}?`}
      confirm={
        <Button color="red.9" onClick={onLeave}>
          {leave}
        </Button>
      }
    >
      <Text fz="sm">Your changes to the SmartPause settings aren’t saved yet.</Text>
    </ConfirmDialog>
  );
}
