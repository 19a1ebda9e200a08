import type { ButtonProps } from '@mantine/core';
import { Alert } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { AdminAction, AdminStats } from '#contract/admin-overview.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { sayDone, sayFailure } from '../../lib/notify.ts';
import { actionCopy } from './action-copy.ts';
import { useAdminAction } from './api.ts';

export interface Actions {
  start: (action: AdminAction) => void;
  pending: AdminAction | null;
  dialog: ReactNode;
}

/** @param asksFirst live users may be affected, so every action needs a confirmation */
export function useActions(asksFirst: boolean, stats: AdminStats | undefined): Actions {
  const { mutate, isPending, variables } = useAdminAction();
  const [opened, { open, close }] = useDisclosure(false);
  // The dialog keeps its text while it fades out.
  const [asked, setAsked] = useState<AdminAction>('clear');
  const run = (action: AdminAction) =>
    mutate(action, {
      onSuccess: () => sayDone('Done', actionCopy(action, stats).done),
      onError: (error) => sayFailure(`Failed to execute ${action} action`, error),
      onSettled: close,
    });
  const start = (action: AdminAction) => {
    setAsked(action);
    if (asksFirst) open();
    else run(action);
  };
  const { question, consequence, label } = actionCopy(asked, stats);
  const dialog = (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={question}
      busy={isPending}
      confirm={
        <BusyButton color="red.9" isBusy={isPending} onClick={() => run(asked)}>
          {label}
        </BusyButton>
      }
    >
      <Alert role="note" color="red" title="Production Environment: affects live users">
        {consequence}
      </Alert>
    </ConfirmDialog>
  );
  return { start, pending: isPending ? variables : null, dialog };
}

interface ActionButtonProps extends ButtonProps {
  action: AdminAction;
  actions: Actions;
  'aria-pressed'?: boolean;
}

export function ActionButton({ action, actions: { start, pending }, ...rest }: ActionButtonProps) {
  return (
    <BusyButton
      variant="default"
      isBusy={pending === action}
      isInert={pending !== null}
      onClick={() => start(action)}
      {...rest}
    >
      {actionCopy(action).label}
    </BusyButton>
  );
}
