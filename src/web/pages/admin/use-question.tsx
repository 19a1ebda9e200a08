import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { ModalButtons } from '../../components/modal-buttons.tsx';

/** Something that may affect live users, and how it is asked about. */
export interface Asked {
  title: string;
  /** What it does to whom. */
  consequence: string;
  /** As its button calls it. */
  label: string;
  execute: () => void;
}

const NOTHING: Asked = { title: '', consequence: '', label: '', execute: () => undefined };

/**
 * Asks first where live users may be affected, and otherwise does it at once.
 * @param isBusy what was asked about is being done
 */
export function useQuestion(
  asksFirst: boolean,
  isBusy: boolean,
): { ask: (asked: Asked) => void; close: () => void; question: ReactNode } {
  // The question keeps its words while it fades away.
  const [asked, setAsked] = useState(NOTHING);
  const [isAsking, setIsAsking] = useState(false);

  // The dialog's own return of the focus is timed, and was seen to miss on a busy machine.
  const pressed = useRef<Element | null>(null);

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
    <Modal
      opened={isAsking}
      onClose={close}
      title={asked.title}
      closeOnClickOutside={!isBusy}
      returnFocus={false}
      onExitTransitionEnd={() => pressed.current instanceof HTMLElement && pressed.current.focus()}
    >
      <Stack>
        <Alert role="note" color="red" title="Production Environment: affects live users">
          <Text inherit>{asked.consequence}</Text>
        </Alert>
        <ModalButtons busy={isBusy} onCancel={close}>
          <Button color="red.9" loading={isBusy} onClick={asked.execute}>
            {asked.label}
          </Button>
        </ModalButtons>
      </Stack>
    </Modal>
  );
  return { ask, close, question };
}
