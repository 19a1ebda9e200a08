import type { ReactNode } from 'react';
import type { RetryBody } from '#contract/admin.ts';
import { hasFailed, useAdminStatus } from '../../admin-queries.ts';
import { useRetry } from '../../admin-questions.ts';
import { sayDone, sayFailure } from '../../notices.ts';
import { retriedWords, retryQuestion } from './stuck-words.ts';
import { useQuestion } from './use-question.tsx';

export interface Retries {
  /** One of a part, or all of it. */
  retry: (what: RetryBody, count: number) => void;
  isPending: (what: RetryBody) => boolean;
  /** Something is being tried again. */
  isBusy: boolean;
  question: ReactNode;
}

export function useRetries(): Retries {
  const status = useAdminStatus();
  const change = useRetry();
  // As long as nobody knows where this is, it is taken for the place where mistakes are dear.
  const asksFirst = hasFailed(status) || (status.data?.isProductionLike ?? true);
  const { ask, close, question } = useQuestion(asksFirst, change.isPending);
  const execute = (what: RetryBody) =>
    change.mutate(what, {
      onSuccess: (retried) => sayDone('Asked to be tried again', retriedWords(retried, Date.now())),
      onError: (error) => sayFailure('Failed to try it again', error),
      onSettled: close,
    });
  const retry = (what: RetryBody, count: number) =>
    ask({ ...retryQuestion(what.part, count), label: 'Try again', execute: () => execute(what) });
  const pending = change.isPending ? change.variables : null;
  return {
    retry,
    isPending: ({ part, id }) => pending?.part === part && pending.id === id,
    isBusy: change.isPending,
    question,
  };
}
