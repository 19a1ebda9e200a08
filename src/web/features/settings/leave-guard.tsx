import { Button, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useId, useState } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAskBeforeClose } from '../../lib/ask-before-close.ts';
import { LOGOUT_EVENT, useAuth } from '../auth/auth-provider.tsx';

/** The forms with unsaved changes, by id. */
const UnsavedForms = createContext(new Set<string>());

/** Reports the unsaved changes of a form to the guard around it. */
export function useUnsaved(isChanged: boolean): void {
  const forms = use(UnsavedForms);
  const id = useId();
  useEffect(() => {
    if (!isChanged) return;
    forms.add(id);
    return () => void forms.delete(id);
  }, [forms, id, isChanged]);
}

/** Asks before unsaved changes of its forms are lost: on another page of ours, by a logout, and when the browser leaves. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const { logout } = useAuth();
  const [forms] = useState(() => new Set<string>());
  const [isLoggingOut, setLoggingOut] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      forms.size > 0 && !isLoggingOut && currentLocation.pathname !== nextLocation.pathname,
  );
  useAskBeforeClose(() => forms.size > 0);
  useWindowEvent(LOGOUT_EVENT, (event) => {
    if (forms.size === 0 || isLoggingOut) return;
    event.preventDefault();
    setLoggingOut(true);
  });
  const onStay = () => {
    setLoggingOut(false);
    blocker.reset?.();
  };
  const leave = isLoggingOut ? 'Log out without saving' : 'Leave without saving';
  return (
    <UnsavedForms value={forms}>
      {children}
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
        <Text fz="sm">Your changes aren’t saved yet.</Text>
      </ConfirmDialog>
    </UnsavedForms>
  );
}
