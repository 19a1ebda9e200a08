import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ModalButtonsProps {
  busy: boolean;
  onCancel: () => void;
  children: ReactNode;
}

export function ModalButtons({ busy, onCancel, children }: ModalButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
      {children}
    </Group>
  );
}
