import { queryOptions, useQuery } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import type { HeldAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import { seconds } from '#core/time.ts';
import { call } from '../../lib/api-client.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { isLive } from '../../lib/live-updates.ts';
import { adAccountsQuery, keys } from '../../lib/queries.ts';

const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: ({ signal }) => call(userApi.status, { signal }),
  refetchInterval: ({ state }) => seconds(state.status === 'error' ? 5 : 30),
  refetchIntervalInBackground: true,
  retry: false,
});

/** `isUnreachable`: our own server did not send it. */
export type ShownStatus = PlatformStatus & { isUnreachable?: true };

export const UNREACHABLE = 'Can’t reach SmartPause';

/** The status in one line. A status that our own server did not send says nothing about Meta. */
export function statusText({ status, isUnreachable }: ShownStatus): string {
  return isUnreachable === true ? UNREACHABLE : `Meta ad services: ${LEVEL_WORDS[status]}`;
}

/** The platform's status; null until the first response. A failed call is UNKNOWN, never the last status. */
export function usePlatformStatus(enabled = true): ShownStatus | null {
  const query = useQuery({ ...statusQuery, enabled });
  if (!enabled) return null;
  if (!hasFailed(query)) return query.data ?? null;
  const checkedAt = query.data?.checkedAt;
  const unknown = { status: 'UNKNOWN', message: 'Unable to fetch status', isUnreachable: true } as const;
  return { ...unknown, ...(checkedAt != null && { checkedAt }) };
}

export const userStatusQuery = queryOptions({
  queryKey: keys.userStatus,
  queryFn: async ({ signal }): Promise<UserStatus> => (await call(userApi.userStatus, { signal })).status,
});

/** Its ad accounts have the names that the list of ad accounts has, if the page has read that. */
export function useUserStatus() {
  const isDisrupted = useIsDisrupted();
  const { data: accounts = [] } = useQuery({ ...adAccountsQuery, enabled: false });
  const nameOf = ({ id, name }: Pick<HeldAccount, 'id' | 'name'>) =>
    accounts.find((one) => one.id === id)?.name ?? name;
  return useQuery({
    ...userStatusQuery,
    select: ({ heldAccounts, coverage, ...status }: UserStatus): UserStatus => ({
      ...status,
      ...(heldAccounts && { heldAccounts: heldAccounts.map((one) => ({ ...one, name: nameOf(one) })) }),
      ...(coverage && { coverage: coverage.map((one) => ({ ...one, name: nameOf(one) })) }),
    }),
    refetchInterval: ({ state }) =>
      isDisrupted || hasScheduledResume(state.data) ? outagePollMs() : seconds(15),
  });
}

/** The level of `usePlatformStatus`: what needs no more renders when it changes, not at each poll. */
export function usePlatformLevel(): ShownLevel | null {
  const query = useQuery({ ...statusQuery, select: levelOf });
  return hasFailed(query) ? UNKNOWN : (query.data ?? null);
}

export type ShownLevel = Pick<PlatformStatus, 'status' | 'warning'>;

const UNKNOWN: ShownLevel = { status: 'UNKNOWN' };
const levelOf = ({ status, warning }: PlatformStatus): ShownLevel => ({ status, warning });

export function useIsDisrupted(): boolean {
  const level = usePlatformLevel();
  return level !== null && level.status !== 'UP';
}

export function hasScheduledResume(status: UserStatus | undefined): boolean {
  return status !== undefined && status.resumeAt !== null;
}

/** For what changes during an outage. */
export function outagePollMs(): number {
  return seconds(isLive() ? 15 : 5);
}
