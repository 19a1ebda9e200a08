import { noop, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import type { AdAccount } from '#contract/shapes.ts';
import { adAccountsQuery, campaignsQuery } from '../../lib/queries.ts';
import { account as stored } from '../../lib/storage.ts';
import { FILTERS } from './filters.ts';

/** The minus sign reverses; 'default' is the order of DASH-07. */
const SORTS = [
  'default',
  'name',
  '-name',
  'status',
  '-status',
  'account',
  '-account',
  'budget',
  '-budget',
] as const;

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

const DEFAULTS: Record<string, string> = { filter: 'all', sort: 'default' };

/** The address with this change. Omits the defaults, and keeps the other parameters. */
export function withList(params: URLSearchParams, change: Partial<ListAddress>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === DEFAULTS[name]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export function useListAddress() {
  const [params, setParams] = useSearchParams();
  // With the account the address can be shared.
  const change = (next: Partial<ListAddress>, replace = next.sort !== undefined) =>
    setParams((before) => withList(before, { account: before.get('account') ?? stored.read(), ...next }), {
      ...{ preventScrollReset: true, replace },
    });
  return [readListAddress(params), change] as const;
}

/** In place of the id of an ad account. */
export const ALL_ACCOUNTS = 'all';

/** Stands for them in a choice of ad accounts. */
export const ALL = { id: ALL_ACCOUNTS, name: 'All ad accounts' };

/** All ad accounts or one: as in the address, else as in this tab, else as last chosen, else the first. */
export function useChosenAccount(accounts: readonly AdAccount[] | undefined) {
  const [{ account }, change] = useListAddress();
  const isKnown = (id: string | null) =>
    (id === ALL_ACCOUNTS && accounts !== undefined && accounts.length > 1) ||
    accounts?.some((one) => one.id === id) === true;
  const id = [account, stored.read()].find(isKnown) ?? accounts?.[0]?.id ?? null;
  useEffect(() => {
    if (id === null) return;
    // From now on the choice in another tab, or a new account, changes nothing here.
    stored.show(id);
    // Only of an address with an unknown account: it must not undo a click on a link.
    if (account !== null && id !== account) change({ account: id }, true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `change` is new in each render.
  }, [id, account]);
  // Another account starts without the filter of this one.
  const choose = (next: string) => {
    stored.choose(next);
    change({ account: next, filter: 'all' });
  };
  return [id, choose] as const;
}

/** Reads the ad accounts, and the list of the one that is probably shown, while the page still reads the user. */
export function usePrefetch(): void {
  const client = useQueryClient();
  const [{ account }] = useListAddress();
  const id = account ?? stored.read();
  useEffect(() => {
    client.query(adAccountsQuery).catch(noop);
    if (id !== null && id !== ALL_ACCOUNTS) client.query(campaignsQuery(id)).catch(noop);
  }, [client, id]);
}

/** Home shows the plans without a subscription; this parameter shows the campaigns. */
export const CAMPAIGNS_WITHOUT_ACCESS = '/?show=campaigns';

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get('show') === 'campaigns';
}
