import type { UseQueryResult } from '@tanstack/react-query';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AdAccount, UserStatus } from '#contract/shapes.ts';
import { campaignsQuery, keys } from '../../lib/queries.ts';
import type { CampaignList } from '../campaigns/api.ts';
import type { DashboardFacts, KnownList } from '../campaigns/dashboard-facts.ts';
import { notYetCounted } from '../campaigns/dashboard-facts.ts';

/** The lists that the page has. Reads none, but has the server count again what its counts lack. */
export function useKnownLists(
  accounts: readonly AdAccount[] | undefined,
  user: UserStatus | undefined,
): DashboardFacts['lists'] {
  const client = useQueryClient();
  const known = useQueries({
    queries: (accounts ?? []).map(({ id }) => ({ ...campaignsQuery(id), enabled: false })),
    combine: toKnown,
  });
  const lists = accounts?.map(({ id }, index) => ({ id, ...(known[index] ?? NONE) })) ?? null;
  const newer = notYetCounted({ user, lists }).flatMap(({ id, state }) => (state === 'read' ? [id] : []));
  const newerIds = newer.join();
  useEffect(() => {
    if (newerIds !== '') void client.invalidateQueries({ queryKey: keys.userStatus });
  }, [client, newerIds]);
  return lists;
}

const NONE = { state: 'reading', campaigns: [] } as const;

function toKnown(answers: UseQueryResult<CampaignList>[]): Omit<KnownList, 'id'>[] {
  return answers.map(({ data, isError }) => ({
    state:
      data === undefined
        ? isError
          ? 'failed'
          : 'reading'
        : data.lastKnown === undefined
          ? 'read'
          : 'failed',
    campaigns: data?.campaigns ?? [],
  }));
}
