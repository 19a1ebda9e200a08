import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HeldQuery, RetryBody } from '#contract/admin.ts';
import { adminApi } from '#contract/admin-api.ts';
import type { StuckPart } from '#contract/failing.ts';
import { seconds } from '#core/time.ts';
import { call } from './call.ts';
import { keys } from './queries.ts';

const REFETCH_MS = seconds(15);
const QUEUE_MS = seconds(5);

/** One page of who is held; while the next one comes the last one stands. */
export function useHeld(query: HeldQuery) {
  return useQuery({
    queryKey: [...keys.adminHeld, query],
    queryFn: () => call(adminApi.adminHeld, { query }),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}

export function useStuck(part: StuckPart, after: string | undefined) {
  return useQuery({
    queryKey: [...keys.adminStuck, part, after],
    queryFn: () => call(adminApi.adminStuck, { params: { part }, query: { after } }),
    refetchInterval: REFETCH_MS,
  });
}

export function useStatusHistory() {
  return useQuery({
    queryKey: keys.adminStatusHistory,
    queryFn: () => call(adminApi.adminStatusHistory),
    refetchInterval: REFETCH_MS,
  });
}

export function useQueue() {
  return useQuery({
    queryKey: keys.adminQueue,
    queryFn: () => call(adminApi.adminQueue),
    refetchInterval: QUEUE_MS,
  });
}

/** Whether it was done or not: what is shown afterwards is what the server says. */
export function useRetry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: RetryBody) => (await call(adminApi.adminRetry, { body })).retried,
    onSettled: () => void client.invalidateQueries({ queryKey: keys.allAdmin }),
  });
}
