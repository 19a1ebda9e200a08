import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import type { AdAccount } from '#contract/shapes.ts';
import { account as stored } from '../../lib/storage.ts';
import { FILTERS } from './list/filters.ts';

/** The minus sign reverses; 'default' is the order of DASH-07. */
const SORTS = ['default', 'name', '-name', 'status', '-status', 'budget', '-budget'] as const;

/** Values that are not valid are ignored. Account null: the address names none. */
const inAddress = z.object({
  account: z.catch(z.nullable(z.string()), null),
  filter: z.catch(z.enum(Object.keys(FILTERS) as (keyof typeof FILTERS)[]), 'all'),
  sort: z.catch(z.enum(SORTS), 'default'),
});
export type ListAddress = z.output<typeof inAddress>;
export type Sort = ListAddress['sort'];

export function readListAddress(params: URLSearchParams): ListAddress {
  return inAddress.parse(Object.fromEntries(params));
}

/** The address with this change. Omits 'all' and 'default', and keeps the other parameters. */
export function withList(params: URLSearchParams, change: Partial<ListAddress>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === 'all' || value === 'default') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const change = (next: Partial<ListAddress>, replace = next.sort !== undefined) =>
    setParams((before) => withList(before, next), { preventScrollReset: true, replace });
  return [readListAddress(params), change] as const;
}

/** The account in the address, else that of this tab, else the last one chosen, else the first. */
export function useChosenAccount(accounts: readonly AdAccount[] | undefined) {
  const [{ account }, change] = useListAddress();
  const find = (id: string | null) => accounts?.find((one) => one.id === id);
  const chosen = find(account) ?? find(stored.read()) ?? accounts?.[0] ?? null;
  const id = chosen?.id ?? null;
  useEffect(() => {
    if (id === null) return;
    stored.show(id);
    // From now on the choice in another tab, or a new account, changes nothing here.
    if (id !== account) change({ account: id }, true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `change` is new in each render.
  }, [id, account]);
  // Another account starts without the filter of this one.
  const choose = (next: string) => {
    stored.choose(next);
    change({ account: next, filter: 'all' });
  };
  return [chosen, choose] as const;
}

/** Home shows the plans without a subscription; this parameter shows the campaigns. */
export const CAMPAIGNS_WITHOUT_ACCESS = '/?show=campaigns';

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get('show') === 'campaigns';
}
