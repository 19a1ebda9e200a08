import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BusyButton } from '../../components/busy-button.tsx';
import { notifyDone, notifyFailure } from '../../lib/notify.tsx';
import { resumedAllCopy } from '../campaigns/paused-copy.ts';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { readAgain } from './cached-lists.ts';
import type { PauseAllDialog } from './pause-all-dialog.tsx';

/** With the first press: few visits of the dashboard need them. */
const loadDialog = () => import('./pause-all-dialog.tsx');

interface PauseAllButtonProps {
  /** Its end can be changed. */
  isOn?: boolean;
  /** It stays while its dialog is open. */
  isOffered?: boolean;
  variant?: 'filled' | 'default';
}

/** Asks first. */
export function PauseAllButton({ isOn = false, isOffered = true, variant = 'default' }: PauseAllButtonProps) {
  const [isOpen, setOpen] = useState(false);
  // Each opening begins with the end of that moment.
  const [openings, setOpenings] = useState(0);
  const [dialog, setDialog] = useState<{ Dialog: typeof PauseAllDialog } | null>(null);
  const open = () => {
    setOpen(true);
    setOpenings(openings + 1);
    if (dialog === null)
      loadDialog().then(
        ({ PauseAllDialog: Dialog }) => setDialog({ Dialog }),
        () => notifyFailure('The dialog couldn’t be opened', 'Reload the page and try again.'),
      );
  };
  if (!isOffered && !isOpen) return null;
  return (
    <>
      <Button size="sm" variant={variant} onClick={open}>
        {isOn ? 'Change the end' : 'Pause all now'}
      </Button>
      {dialog !== null && (
        <dialog.Dialog key={openings} opened={isOpen} isOn={isOn} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

export function ResumeAllButton({ variant }: { variant: 'filled' | 'default' }) {
  const client = useQueryClient();
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      // The answer may come after the end of it is known.
      const copy = resumedAllCopy(status, user);
      await (await loadDialog()).resumeAll();
      return copy;
    },
    onSuccess: (copy) => notifyDone('“Pause all now” has ended', copy),
    onError: (error) => notifyFailure('Failed to resume all', error),
    onSettled: () => readAgain(client, false),
  });
  return (
    <BusyButton size="sm" variant={variant} isBusy={isPending} onClick={() => mutate()}>
      Resume all
    </BusyButton>
  );
}
