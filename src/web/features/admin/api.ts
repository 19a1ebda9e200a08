import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminApi } from '#contract/admin-api.ts';
import type { AdminAction } from '#contract/admin-overview.ts';
import { seconds } from '#core/time.ts';
import { call, ifSupported } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';

const refetchInterval = seconds(15);

export const adminStatsQuery = queryOptions({
  queryKey: keys.adminStats,
  queryFn: ({ signal }) => call(adminApi.adminStats, { signal }),
  refetchInterval,
});

export const adminStatusQuery = queryOptions({
  queryKey: keys.adminStatus,
  queryFn: ({ signal }) => call(adminApi.adminStatus, { signal }),
  refetchInterval,
});

export const adminActivityQuery = queryOptions({
  queryKey: keys.adminActivity,
  queryFn: async ({ signal }) => (await call(adminApi.adminActivity, { signal })).activities,
  refetchInterval,
});

/** Null: the server lacks this call. */
export function useSystemHealth() {
  return useQuery({
    queryKey: keys.systemHealth,
    queryFn: ({ signal }) => ifSupported(call(adminApi.adminSystemHealth, { signal })),
    refetchInterval: ({ state }) => state.data !== null && refetchInterval,
  });
}

/** Null: the server lacks this call. */
export function useEarlyWarning() {
  return useQuery({
    queryKey: keys.earlyWarning,
    queryFn: ({ signal }) => ifSupported(call(adminApi.adminEarlyWarning, { signal })),
    refetchInterval: ({ state }) => state.data !== null && refetchInterval,
  });
}

/** Reads the data again, also after a failure. */
export function useLetWarningsAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (acts: boolean) => call(adminApi.adminLetWarningsAct, { body: { acts } }),
    onSettled: () => {
      for (const queryKey of [keys.allAdmin, keys.status, keys.userStatus])
        void client.invalidateQueries({ queryKey });
    },
  });
}

/** What an override would do now; null: the server lacks this call. */
export function useOverrideReach(action: AdminAction, enabled: boolean) {
  return useQuery({
    queryKey: [...keys.allAdmin, 'override-reach', action],
    queryFn: ({ signal }) => ifSupported(call(adminApi.adminReach, { params: { action }, signal })),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Reads the data again, also after a failure. */
export function useAdminAction() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: keys.allAdmin,
    mutationFn: ({ action, reason }: { action: AdminAction; reason: string }) =>
      call(adminApi.adminAction, { params: { action }, body: reason === '' ? undefined : { reason } }),
    onSettled: () => {
      for (const queryKey of [keys.allAdmin, keys.status, keys.userStatus, keys.subscription]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
