import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import type { AdAccount } from '#contract/shapes.ts';
import { lasting } from '../../lib/storage.ts';

export const STATUS_LABELS = {
  all: 'All statuses',
  active: 'Active',
  paused: 'Paused',
  other: 'Other statuses',
};

export const SMARTPAUSE_LABELS = {
  all: 'SmartPause: all',
  on: 'SmartPause on',
  off: 'SmartPause off',
  disabled: 'SmartPause disabled',
  paused: 'Paused by SmartPause',
};

/** The minus sign reverses; 'default' is the order of DASH-07. */
export const SORT_LABELS = {
  default: 'Default order',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  status: 'Active first',
  '-status': 'Active last',
  '-budget': 'Highest budget',
  budget: 'Lowest budget',
};

const keyOf = <Labels extends object>(labels: Labels, fallback: keyof Labels & string) =>
  z.catch(z.enum(Object.keys(labels) as (keyof Labels & string)[]), fallback);

/** Values that are not valid are ignored. Account null: the address names none. */
const inAddress = z.object({
  account: z.catch(z.nullable(z.string()), null),
  status: keyOf(STATUS_LABELS, 'all'),
  smartpause: keyOf(SMARTPAUSE_LABELS, 'all'),
  sort: keyOf(SORT_LABELS, 'default'),
});
export type ListAddress = z.output<typeof inAddress>;
export type Sort = ListAddress['sort'];
export type Filters = Pick<ListAddress, 'status' | 'smartpause'>;

export const NO_FILTERS: Filters = { status: 'all', smartpause: 'all' };

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
  const change = (next: Partial<ListAddress>) =>
    setParams((before) => withList(before, next), {
      preventScrollReset: true,
      replace: next.sort !== undefined,
    });
  return [readListAddress(params), change] as const;
}

const KEY = 'adAccount';

/** The account in the address, else the last one viewed, else the first. */
export function useChosenAccount(accounts: readonly AdAccount[] | undefined) {
  const [{ account }, change] = useListAddress();
  const find = (id: string | null) => accounts?.find((one) => one.id === id);
  const named = find(account);
  useEffect(() => {
    if (named !== undefined) lasting.write(KEY, named.id);
  }, [named]);
  const chosen = named ?? find(lasting.read(KEY)) ?? accounts?.[0] ?? null;
  // Another account starts without the filters of this one.
  const choose = (id: string) => change({ account: id, ...NO_FILTERS });
  return [chosen, choose] as const;
}

/** Home shows the plans without a subscription; this parameter shows the campaigns. */
export const CAMPAIGNS_WITHOUT_ACCESS = '/?show=campaigns';

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get('show') === 'campaigns';
}
