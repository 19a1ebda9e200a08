import type { ModalProps } from '@mantine/core';
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import classes from './confirm-dialog.module.css';

interface ConfirmDialogProps extends ModalProps {
  /** The confirmed action is in progress: the dialog stays open. */
  busy?: boolean;
  /** The button that confirms; null: it is done, and there is nothing to press. */
  confirm: ReactNode;
  /** What the other button says. */
  cancel?: string;
  gap?: 'sm' | 'md';
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { busy = false, confirm, cancel = 'Cancel', gap = 'md', opened, children, ...rest } = props;
  return (
    <Modal
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
      {...useDialogFocus(opened)}
      {...rest}
    >
      <Stack gap={gap}>
        {children}
        {confirm !== null && (
          <Group className={classes.buttons ?? ''} justify="flex-end" gap="xs" mt={gap === 'md' ? 4 : 8}>
            <Button variant="default" onClick={rest.onClose} disabled={busy}>
              {cancel}
            </Button>
            {confirm}
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
