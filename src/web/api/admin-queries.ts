import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Problems, RetryBody } from '#contract/admin.ts';
import { adminApi } from '#contract/admin-api.ts';
import type { AdminAction, AdminActivity, AdminStats, AdminStatus } from '#contract/admin-overview.ts';
import { seconds } from '#core/time.ts';
import { call, orNull } from './call.ts';
import { keys } from './queries.ts';

const REFETCH_MS = seconds(15);

export interface AdminData {
  /** Each undefined until it is known. */
  stats: AdminStats | undefined;
  activities: readonly AdminActivity[] | undefined;
  status: AdminStatus | undefined;
  /** Null: the server does not have this call. */
  problems: Problems | null | undefined;
  /** Something of it could not be read, or not lately. */
  hasFailed: boolean;
  /** Whether all of it could be read now. */
  reload: () => Promise<boolean>;
}

/** One page of the live holds; the last page stays while the next one loads. Null: the server lacks this call. */
export function useHeld(after: string | undefined) {
  return useQuery({
    queryKey: [...keys.adminHeld, after],
    queryFn: () => orNull(call(adminApi.adminHeld, { query: { after } })),
    refetchInterval: ({ state }) => (state.data === null ? false : REFETCH_MS),
    placeholderData: keepPreviousData,
  });
}

/** Whatever the outcome, the list shows afterwards what the server says. */
export function useRetry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: RetryBody) => (await call(adminApi.adminRetry, { body })).retried,
    onSettled: () => void client.invalidateQueries({ queryKey: keys.allAdmin }),
  });
}

/** While it is tried again without ever having succeeded, a query forgets its error. */
export function hasFailed(query: { isError: boolean; data: unknown; errorUpdateCount: number }): boolean {
  return query.isError || (query.data === undefined && query.errorUpdateCount > 0);
}

export function useAdminData(): AdminData {
  const stats = useQuery({
    queryKey: keys.adminStats,
    queryFn: () => call(adminApi.adminStats),
    refetchInterval: REFETCH_MS,
  });
  const activity = useQuery({
    queryKey: keys.adminActivity,
    queryFn: async () => (await call(adminApi.adminActivity)).activities,
    refetchInterval: REFETCH_MS,
  });
  const status = useQuery({
    queryKey: keys.adminStatus,
    queryFn: () => call(adminApi.adminStatus),
    refetchInterval: REFETCH_MS,
  });
  const problems = useQuery({
    queryKey: keys.adminProblems,
    queryFn: () => orNull(call(adminApi.adminProblems)),
    refetchInterval: ({ state }) => (state.data === null ? false : REFETCH_MS),
  });
  const all = [stats, activity, status, problems];
  return {
    stats: stats.data,
    activities: activity.data,
    status: status.data,
    problems: problems.data,
    hasFailed: all.some(hasFailed),
    reload: async () => {
      const results = await Promise.all(all.map((one) => one.refetch()));
      return results.every(({ isSuccess }) => isSuccess);
    },
  };
}

/** Whether it was done or not: what is shown afterwards is what the server says. */
export function useAdminAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: AdminAction) => call(adminApi.adminAction, { params: { action } }),
    onSettled: () => {
      for (const queryKey of [keys.allAdmin, keys.status, keys.userStatus, keys.subscription]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
