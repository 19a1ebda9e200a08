import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminApi } from '#contract/admin-api.ts';
import type {
  AdminAction,
  AdminActivity,
  AdminStats,
  AdminStatus,
  Failing,
} from '#contract/admin-overview.ts';
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
  failing: readonly Failing[] | null | undefined;
  /** Something of it could not be read, or not lately. */
  hasFailed: boolean;
  /** Whether all of it could be read now. */
  reload: () => Promise<boolean>;
}

export function useAdminStatus() {
  return useQuery({
    queryKey: keys.adminStatus,
    queryFn: () => call(adminApi.adminStatus),
    refetchInterval: REFETCH_MS,
  });
}

export function useFailing() {
  return useQuery({
    queryKey: keys.adminFailing,
    queryFn: async () => (await orNull(call(adminApi.adminFailing)))?.failing ?? null,
    refetchInterval: ({ state }) => (state.data === null ? false : REFETCH_MS),
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
  const status = useAdminStatus();
  const failing = useFailing();
  const all = [stats, activity, status, failing];
  return {
    stats: stats.data,
    activities: activity.data,
    status: status.data,
    failing: failing.data,
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
