import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminApi } from '#contract/admin-api.ts';
import type { AdminAction } from '#contract/admin-overview.ts';
import { seconds } from '#core/time.ts';
import { call, ifSupported } from '../../lib/api-client.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { keys } from '../../lib/queries.ts';

const REFETCH_MS = seconds(15);

/** Null: the server lacks this call. */
export function useSystemHealth() {
  return useQuery({
    queryKey: keys.systemHealth,
    queryFn: ({ signal }) => ifSupported(call(adminApi.adminSystemHealth, { signal })),
    refetchInterval: ({ state }) => (state.data === null ? false : REFETCH_MS),
  });
}

/** Each part is undefined until its first response. */
export function useAdminData() {
  const stats = useQuery({
    queryKey: keys.adminStats,
    queryFn: ({ signal }) => call(adminApi.adminStats, { signal }),
    refetchInterval: REFETCH_MS,
  });
  const activity = useQuery({
    queryKey: keys.adminActivity,
    queryFn: async ({ signal }) => (await call(adminApi.adminActivity, { signal })).activities,
    refetchInterval: REFETCH_MS,
  });
  const status = useQuery({
    queryKey: keys.adminStatus,
    queryFn: ({ signal }) => call(adminApi.adminStatus, { signal }),
    refetchInterval: REFETCH_MS,
  });
  const all = [stats, activity, status];
  return {
    stats: stats.data,
    activities: activity.data,
    status: status.data,
    /** The last read of some part failed. */
    hasFailed: all.some(hasFailed),
    isFetching: all.some((one) => one.isFetching),
    reload: () => all.forEach((one) => void one.refetch()),
  };
}

/** Reads the data again, also after a failure. */
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
