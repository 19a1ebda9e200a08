import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#contract/api.ts';
import type { AdminAction, AdminActivity, AdminStats, AdminStatus, Failing } from '#contract/shapes.ts';
import { seconds } from '#core/time.ts';
import { call } from './call.ts';
import { keys } from './queries.ts';

const REFETCH_MS = seconds(15);

export interface AdminData {
  /** Each undefined until it is known. */
  stats: AdminStats | undefined;
  activities: readonly AdminActivity[] | undefined;
  status: AdminStatus | undefined;
  failing: readonly Failing[] | undefined;
  /** Something of it could not be read, or not lately. */
  hasFailed: boolean;
  /** Whether all of it could be read now. */
  reload: () => Promise<boolean>;
}

export function useAdminData(): AdminData {
  const stats = useQuery({
    queryKey: keys.adminStats,
    queryFn: () => call(api.adminStats),
    refetchInterval: REFETCH_MS,
  });
  const activity = useQuery({
    queryKey: keys.adminActivity,
    queryFn: async () => (await call(api.adminActivity)).activities,
    refetchInterval: REFETCH_MS,
  });
  const status = useQuery({
    queryKey: keys.adminStatus,
    queryFn: () => call(api.adminStatus),
    refetchInterval: REFETCH_MS,
  });
  const failing = useQuery({
    queryKey: [...keys.allAdmin, 'failing'],
    queryFn: async () => (await call(api.adminFailing)).failing,
    refetchInterval: REFETCH_MS,
  });
  const all = [stats, activity, status, failing];
  return {
    stats: stats.data,
    activities: activity.data,
    status: status.data,
    failing: failing.data,
    // While it is tried again without ever having succeeded, a query forgets its error.
    hasFailed: all.some((one) => one.isError || (one.data === undefined && one.errorUpdateCount > 0)),
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
    mutationFn: (action: AdminAction) => call(api.adminAction, { params: { action } }),
    onSettled: () => {
      for (const queryKey of [keys.allAdmin, keys.status, keys.userStatus, keys.subscription]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
