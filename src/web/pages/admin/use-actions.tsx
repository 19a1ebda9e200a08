import type { ReactNode } from 'react';
import type { AdminAction, AdminStats } from '#contract/admin-overview.ts';
import { useAdminAction } from '../../api/admin-queries.ts';
import { sayDone, sayFailure } from '../../notices.ts';
import { actionLabels } from './action-copy.ts';
import { useQuestion } from './use-question.tsx';

export interface Actions {
  take: (action: AdminAction) => void;
  pending: AdminAction | null;
  /** The open confirmation, where there is one. */
  question: ReactNode;
}

/** @param asksFirst live users may be affected, so every action needs a confirmation */
export function useActions(asksFirst: boolean, stats: AdminStats | undefined): Actions {
  const change = useAdminAction();
  const { ask, close, question } = useQuestion(asksFirst, change.isPending);
  const execute = (action: AdminAction) =>
    change.mutate(action, {
      onSuccess: () => sayDone('Done', actionLabels(action, stats).done),
      onError: (error) => sayFailure(`Failed to execute ${action} action`, error),
      onSettled: close,
    });
  const take = (action: AdminAction) => {
    const { question: title, consequence, label } = actionLabels(action, stats);
    ask({ title, consequence, label, execute: () => execute(action) });
  };
  return { take, pending: change.isPending ? change.variables : null, question };
}
