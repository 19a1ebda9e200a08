import { MutationCache, QueryCache, QueryClient, onlineManager } from '@tanstack/react-query';
import type { ApiErrorCode } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import { CallError, hasCode } from './api-client.ts';
import { forgetReplies } from './kept-replies.ts';
import { hideAllNotices } from './notify.tsx';
import { keys } from './queries.ts';

/** Errors that mean the user has changed since the page read it. */
const USER_ERRORS: readonly ApiErrorCode[] = ['TOKEN_EXPIRED', 'ADMIN_REQUIRED', 'ACCOUNT_LEAVING'];

/** Errors that mean the subscription has changed since the page read it. */
const BILLING_ERRORS: readonly ApiErrorCode[] = [
  'SUBSCRIPTION_REQUIRED',
  'SUBSCRIPTION_ACTIVE',
  'ALREADY_SUBSCRIBED',
  'PAYMENT_DUE',
  'NO_BILLING',
];

export function createQueryClient(): QueryClient {
  const invalidateOnError = (error: Error): void => {
    const isOneOf = (codes: readonly ApiErrorCode[]) => codes.some((code) => hasCode(error, code));
    if (isOneOf(USER_ERRORS)) void client.invalidateQueries({ queryKey: keys.me });
    if (isOneOf(BILLING_ERRORS)) void client.invalidateQueries({ queryKey: keys.subscription });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        console.warn(`Could not load ${query.queryKey.join(' ')}:`, error.message);
        invalidateOnError(error);
      },
    }),
    mutationCache: new MutationCache({ onError: invalidateOnError }),
    // Calls fail at once without a network, so no action is repeated later without the user.
    defaultOptions: {
      queries: { staleTime: seconds(5), retry, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  // Without a network the status is unknown; when it returns, all active queries are read again.
  onlineManager.subscribe((isOnline) => {
    void client.invalidateQueries(isOnline ? {} : { queryKey: keys.status });
  });
  return client;
}

/** A retry can help after a network error or a server restart, not after a refusal. */
function retry(failures: number, error: Error): boolean {
  return failures < 2 && (!(error instanceof CallError) || error.status >= 500);
}

/** Keeps public data and removes the data and the notices of the user who has logged out. */
export function forgetUser(client: QueryClient): void {
  client.removeQueries({ predicate: ({ meta }) => meta?.['isPublic'] !== true });
  client.getMutationCache().clear();
  forgetReplies();
  hideAllNotices();
}
