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
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState<{ question: Question; onConfirm: OnConfirm } | null>(null);
  const ask: Ask = (question, onConfirm) => {
    if (question === null) {
      onConfirm(false);
      return;
    }
    setAsked({ question, onConfirm });
    setOpened(true);
  };
  const confirm = (resumes: boolean) => () => {
    setOpened(false);
    asked?.onConfirm(resumes);
  };
  const { title, sentences = [], confirm: word, resume } = asked?.question ?? {};
  return (
    <AskContext value={ask}>
      {children}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={title}
        gap="sm"
        confirm={
          <>
            {resume !== undefined && (
              <Button variant="default" onClick={confirm(true)}>
                {resume}
              </Button>
            )}
            <Button onClick={confirm(false)} data-autofocus>
              {word}
            </Button>
          </>
        }
      >
        {sentences.map((sentence) => (
          <Text key={sentence} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
        ))}
      </ConfirmDialog>
    </AskContext>
  );
}
