import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { isHeld, isMatched } from '../campaign-view.ts';
import { delayCopy } from '../held-copy.ts';
import type { Target } from './actions.ts';
import type { Question, Situation } from './copy.ts';

interface Asked {
  question: Question;
  /** @param resume the held campaigns are resumed, too */
  onConfirm: (resume: boolean) => void;
}

/** A question and its dialog, which stays rendered while it closes, because only then the focus returns. */
export function useQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState(false);
  const confirm = (resume: boolean) => {
    setOpened(false);
    asked?.onConfirm(resume);
  };
  return {
    ask: (question: Question | null, onConfirm: Asked['onConfirm']) => {
      if (question === null) {
        onConfirm(false);
        return;
      }
      setAsked({ question, onConfirm });
      setOpened(true);
    },
    dialog: asked !== null && (
      <QuestionDialog
        question={asked.question}
        opened={opened}
        onCancel={() => setOpened(false)}
        onConfirm={confirm}
      />
    ),
  };
}

interface QuestionDialogProps extends Asked {
  opened: boolean;
  onCancel: () => void;
}

function QuestionDialog({ question, opened, onCancel, onConfirm }: QuestionDialogProps) {
  const { title, sentences, confirm, resume } = question;
  const isChoice = resume !== undefined;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onCancel}
      title={title}
      styles={{ title: { overflowWrap: 'anywhere' } }}
      busy={false}
      gap="sm"
      confirm={
        <>
          <Button {...(isChoice && { variant: 'default' })} onClick={() => onConfirm(false)} data-autofocus>
            {confirm}
          </Button>
          {isChoice && <Button onClick={() => onConfirm(true)}>{resume}</Button>}
        </>
      }
    >
      {sentences.map((sentence) => (
        <Text key={sentence} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
    </ConfirmDialog>
  );
}

/** What matters for a question about these campaigns now. */
export function useSituation() {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  return (targets: readonly Target[]): Situation => {
    const held = targets.filter(({ campaign }) => isHeld(campaign, status, user));
    const accountIds = new Set(held.map(({ account }) => account.id));
    return {
      level: status?.status ?? 'UNKNOWN',
      isMatched: isMatched(status, user),
      held: new Set(held.map(({ campaign }) => campaign.id)),
      delay: delayCopy(user?.heldAccounts?.filter(({ id }) => accountIds.has(id)))[0],
      user,
    };
  };
}
