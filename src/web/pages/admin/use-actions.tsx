import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import type { AdminAction, AdminStats } from '#contract/shapes.ts';
import { useAdminAction } from '../../admin-queries.ts';
import { ModalButtons } from '../../components/modal-buttons.tsx';
import { sayDone, sayFailure } from '../../notices.ts';
import { actionWords } from './action-words.ts';

export interface Actions {
  take: (action: AdminAction) => void;
  /** What is being done right now. */
  pending: AdminAction | null;
  /** The question that comes first, where there is one. */
  question: ReactNode;
}

/** @param asksFirst where live users may be affected, nothing is done without a question */
export function useActions(asksFirst: boolean, stats: AdminStats | undefined): Actions {
  const change = useAdminAction();
  // The question keeps its words while it fades away.
  const [asked, setAsked] = useState<AdminAction>('clear');
  const [isAsking, setIsAsking] = useState(false);

  // The dialog's own return of the focus is timed, and was seen to miss on a busy machine.
  const pressed = useRef<Element | null>(null);

  const execute = (action: AdminAction) =>
    change.mutate(action, {
      onSuccess: () => sayDone('Done', actionWords(action, stats).done),
      onError: (error) => sayFailure(`Failed to execute ${action} action`, error),
      onSettled: () => setIsAsking(false),
    });
  const take = (action: AdminAction) => {
    if (asksFirst) {
      pressed.current = document.activeElement;
      setAsked(action);
      setIsAsking(true);
    } else {
      execute(action);
    }
  };
  const words = actionWords(asked, stats);
  const question = (
    <Modal
      opened={isAsking}
      onClose={() => setIsAsking(false)}
      title={words.question}
      closeOnClickOutside={!change.isPending}
      returnFocus={false}
      onExitTransitionEnd={() => pressed.current instanceof HTMLElement && pressed.current.focus()}
    >
      <Stack>
        <Alert role="note" color="red" title="Production Environment: affects live users">
          <Text inherit>{words.consequence}</Text>
        </Alert>
        <ModalButtons busy={change.isPending} onCancel={() => setIsAsking(false)}>
          <Button color="red.9" loading={change.isPending} onClick={() => execute(asked)}>
            {words.label}
          </Button>
        </ModalButtons>
      </Stack>
    </Modal>
  );
  return { take, pending: change.isPending ? change.variables : null, question };
}
