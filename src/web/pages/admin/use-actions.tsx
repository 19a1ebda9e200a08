import type { ReactNode } from 'react';
import type { AdminAction, AdminStats } from '#contract/admin-overview.ts';
import { useAdminAction } from '../../api/admin-queries.ts';
import { sayDone, sayFailure } from '../../notices.ts';
import { actionWords } from './action-words.ts';
import { useQuestion } from './use-question.tsx';

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
  const { ask, close, question } = useQuestion(asksFirst, change.isPending);
  const execute = (action: AdminAction) =>
    change.mutate(action, {
      onSuccess: () => sayDone('Done', actionWords(action, stats).done),
      onError: (error) => sayFailure(`Failed to execute ${action} action`, error),
      onSettled: close,
    });
  const take = (action: AdminAction) => {
    const { question: title, consequence, label } = actionWords(action, stats);
    ask({ title, consequence, label, execute: () => execute(action) });
  };
  return { take, pending: change.isPending ? change.variables : null, question };
}
