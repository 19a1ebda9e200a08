import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { createContext, useContext, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import { isHeld, isMatched } from '../campaign-view.ts';
import { delayCopy } from '../outage-copy.ts';
import type { Target } from './actions.ts';
import type { Question, Situation } from './questions.ts';

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
  const isChoice = question?.resume !== undefined;
  return (
    <AskContext value={ask}>
      {children}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={question?.title}
        styles={{ title: { overflowWrap: 'anywhere' } }}
        gap="sm"
        confirm={
          <>
            <Button {...(isChoice && { variant: 'default' })} onClick={confirm(false)} data-autofocus>
              {question?.confirm}
            </Button>
            {isChoice && <Button onClick={confirm(true)}>{question.resume}</Button>}
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
