import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { createContext, useContext, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import type { Question } from './questions.ts';

/** @param resumes the held campaigns are resumed, too */
type OnConfirm = (resumes: boolean) => void;
type Ask = (question: Question | null, onConfirm: OnConfirm) => void;

const AskContext = createContext<Ask>(() => undefined);

/** Asks the question, if there is one, and calls back when the user confirms. */
export const useAsk = () => useContext(AskContext);

/** The dialog stays rendered while it closes, because only then the focus returns. */
export function QuestionDialog({ children }: { children: ReactNode }) {
  const [{ question, onConfirm }, setAsked] = useState<{ question: Question | null; onConfirm?: OnConfirm }>({
    question: null,
  });
  const [opened, setOpened] = useState(false);
  const ask: Ask = (next, onNext) => {
    if (next === null) {
      onNext(false);
      return;
    }
    setAsked({ question: next, onConfirm: onNext });
    setOpened(true);
  };
  const confirm = (resumes: boolean) => () => {
    setOpened(false);
    onConfirm?.(resumes);
  };
  return (
    <AskContext value={ask}>
      {children}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={question?.title}
        gap="sm"
        confirm={
          <>
            {question?.resume !== undefined && (
              <Button variant="default" onClick={confirm(true)}>
                {question.resume}
              </Button>
            )}
            <Button onClick={confirm(false)} data-autofocus>
              {question?.confirm}
            </Button>
          </>
        }
      >
        {question?.sentences.map((sentence) => (
          <Text key={sentence} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
        ))}
      </ConfirmDialog>
    </AskContext>
  );
}
