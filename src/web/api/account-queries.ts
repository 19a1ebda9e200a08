import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { peoplesApi } from '#contract/peoples-api.ts';
import type { DELETION_PHRASE } from '#contract/shapes.ts';
import { minutes, seconds } from '#core/time.ts';
import { call, isRefusal, orNull } from './call.ts';
import { keys } from './queries.ts';
import { endToken } from './token.ts';

const SESSIONS_MS = minutes(1);
const DELETION_MS = seconds(5);

export function useDeauthorize() {
  return useMutation({ mutationFn: () => endToken(call(peoplesApi.deauthorize)), ...useIsLeaving() });
}

export function useDeleteAccount() {
  return useMutation({
    ...useIsLeaving(),
    mutationFn: (confirmation: typeof DELETION_PHRASE) =>
      endToken(call(peoplesApi.deleteAccount, { body: { confirmation } })),
  });
}

/** What failed may have begun all the same. */
function useIsLeaving() {
  const client = useQueryClient();
  return { onError: () => void client.invalidateQueries({ queryKey: keys.me }) };
}

export function useExportData() {
  return useMutation({ mutationFn: () => call(peoplesApi.exportData) });
}

/** Null: the server does not list them. */
export function useSessions() {
  return useQuery({
    queryKey: keys.sessions,
    queryFn: async () => (await orNull(call(peoplesApi.sessions)))?.sessions ?? null,
    refetchInterval: ({ state }) => (state.data === null ? false : SESSIONS_MS),
  });
}

/** It counts as ended when the list says so, too. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(peoplesApi.endSession, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions }),
  });
}

export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(peoplesApi.endOtherSessions),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions }),
  });
}

/** The progress of the deletion with this code. Null: there is none. */
export function useDeletion(code: string) {
  return useQuery({
    queryKey: keys.deletion(code),
    queryFn: () =>
      orNull(call(peoplesApi.deletionStatus, { params: { code } })).catch((error: unknown) => {
        if (isRefusal(error, 'INVALID_REQUEST')) return null;
        throw error;
      }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || (data?.finishedAt === null && !data.isSuperseded) ? DELETION_MS : false,
  });
}
