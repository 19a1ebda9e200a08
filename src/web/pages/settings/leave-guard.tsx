import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { guardLogout } from '../../browser/logout-guard.ts';
import { readToken } from '../../api/token.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';

/** Asks before unsaved settings are lost: on another page of ours, by a logout, and when the browser leaves. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useAskAtUnload(isChanged);
  const { isLoggingOut, cancel, proceed } = useAskAtLogout(isChanged);
  const isAsking = isLoggingOut || blocker.state === 'blocked';
  const onStay = () => {
    cancel();
    blocker.reset?.();
  };
  return (
    <ConfirmModal
      opened={isAsking}
      onClose={onStay}
      title={isLoggingOut ? 'Log out without saving?' : 'Leave without saving?'}
      busy={false}
      confirm={
        <Button color="red.9" onClick={isLoggingOut ? proceed : () => blocker.proceed?.()}>
          {isLoggingOut ? 'Log out without saving' : 'Leave without saving'}
        </Button>
      }
    >
      <Text fz="sm">Your changes to the SmartPause settings aren’t saved yet.</Text>
    </ConfirmModal>
  );
}

function useAskAtLogout(isChanged: boolean) {
  const { logout } = useAuth();
  const [isLoggingOut, setLoggingOut] = useState(false);
  useEffect(() => {
    if (!isChanged) return;
    guardLogout(() => setLoggingOut(true));
    return () => guardLogout(null);
  }, [isChanged]);
  const proceed = () => {
    guardLogout(null);
    logout();
  };
  return { isLoggingOut, cancel: () => setLoggingOut(false), proceed };
}

function useAskAtUnload(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const token = readToken();
    const ask = (event: BeforeUnloadEvent) => {
      // After a logout, a revocation or a deletion the page redirects, and must not ask.
      if (readToken() === token) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
