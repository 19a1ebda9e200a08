import { Alert, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';

/** An action that may affect live users, with the text of its confirmation. */
export interface Asked {
  title: string;
  /** The effect and the affected users. */
  consequence: string;
  label: string;
  execute: () => void;
}

const NOTHING: Asked = { title: '', consequence: '', label: '', execute: () => undefined };

/**
 * Asks for confirmation where live users may be affected; otherwise runs the action at once.
 * @param isBusy the confirmed action is in progress
 */
export function useQuestion(
  asksFirst: boolean,
  isBusy: boolean,
): { ask: (asked: Asked) => void; close: () => void; question: ReactNode } {
  // The dialog keeps its text while it fades out.
  const [asked, setAsked] = useState(NOTHING);
  const [isAsking, setIsAsking] = useState(false);

  // The dialog returns the focus with a timer, which was observed to fail on a busy machine.
  const pressed = useRef<Element | null>(null);
  const returnFocus = () => {
    if (pressed.current instanceof HTMLElement) pressed.current.focus();
  };

  const ask = (next: Asked) => {
    if (!asksFirst) {
      next.execute();
      return;
    }
    pressed.current = document.activeElement;
    setAsked(next);
    setIsAsking(true);
  };
  const close = () => setIsAsking(false);
  const question = (
    <ConfirmModal
      opened={isAsking}
      onClose={close}
      title={asked.title}
      busy={isBusy}
      returnFocus={false}
      onExitTransitionEnd={returnFocus}
      confirm={
        <Button color="red.9" loading={isBusy} onClick={asked.execute}>
          {asked.label}
        </Button>
      }
    >
      <Alert role="note" color="red" title="Production Environment: affects live users">
        <Text inherit>{asked.consequence}</Text>
      </Alert>
    </ConfirmModal>
  );
  return { ask, close, question };
}
