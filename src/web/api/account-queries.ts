import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import type { DELETION_PHRASE } from '#contract/shapes.ts';
import { seconds } from '#core/time.ts';
import { call, isRefusal, orNull } from './call.ts';
import { keys } from './queries.ts';
import { endToken } from './token.ts';

export const DELETION_MS = seconds(5);

export function useDeauthorize() {
  return useMutation({ mutationFn: () => endToken(call(userApi.deauthorize)), ...useIsLeaving() });
}

export function useDeleteAccount() {
  return useMutation({
    ...useIsLeaving(),
    mutationFn: (confirmation: typeof DELETION_PHRASE) =>
      endToken(call(userApi.deleteAccount, { body: { confirmation } })),
  });
}

/** A call that failed may still have started the deletion. */
function useIsLeaving() {
  const client = useQueryClient();
  return { onError: () => void client.invalidateQueries({ queryKey: keys.me }) };
}

export function useEndOtherSessions() {
  return useMutation({ mutationFn: () => call(userApi.endOtherSessions) });
}

/** The progress of the deletion with this code. Null: no such deletion. */
export function useDeletion(code: string) {
  return useQuery({
    queryKey: keys.deletion(code),
    queryFn: () =>
      orNull(call(userApi.deletionStatus, { params: { code } })).catch((error: unknown) => {
        if (isRefusal(error, 'INVALID_REQUEST')) return null;
        throw error;
      }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || (data?.finishedAt === null && !data.isSuperseded) ? DELETION_MS : false,
  });
}
