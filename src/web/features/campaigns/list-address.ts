import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { AdAccount } from '#contract/shapes.ts';
import { lasting } from '../../lib/storage.ts';

export const STATUS_FILTERS = ['all', 'active', 'paused', 'other'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const SMARTPAUSE_FILTERS = ['all', 'on', 'off', 'disabled', 'paused'] as const;
export type SmartPauseFilter = (typeof SMARTPAUSE_FILTERS)[number];

/** The minus sign reverses; 'default' is the order of DASH-07. */
export const SORTS = ['default', 'name', '-name', 'status', '-status', '-budget', 'budget'] as const;
export type Sort = (typeof SORTS)[number];

export const QUERY_MAX = 100;

export interface Filters {
  q: string;
  status: StatusFilter;
  smartpause: SmartPauseFilter;
}

export interface ListAddress extends Filters {
  /** Null: the address names no account. */
  account: string | null;
  sort: Sort;
}

export const NO_FILTERS: Filters = { q: '', status: 'all', smartpause: 'all' };

/** The first one where the value is not valid. */
export function oneOf<T extends string>(known: readonly [T, ...T[]], value: string | null): T {
  return known.find((one) => one === value) ?? known[0];
}

export function readListAddress(params: URLSearchParams): ListAddress {
  return {
    account: params.get('account'),
    q: params.get('q')?.slice(0, QUERY_MAX) ?? '',
    status: oneOf(STATUS_FILTERS, params.get('status')),
    smartpause: oneOf(SMARTPAUSE_FILTERS, params.get('smartpause')),
    sort: oneOf(SORTS, params.get('sort')),
  };
}

/** The address with this change. Omits defaults, and keeps foreign parameters. */
export function withList(params: URLSearchParams, change: Partial<ListAddress>): URLSearchParams {
  const next = new URLSearchParams(params);
  const usual: ListAddress = { account: null, ...NO_FILTERS, sort: 'default' };
  for (const name of ['account', 'q', 'status', 'smartpause', 'sort'] as const) {
    const value = change[name];
    if (value === undefined) continue;
    if (value === null || value === usual[name]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export function isFiltered({ q, status, smartpause }: Filters): boolean {
  return q.trim() !== '' || status !== 'all' || smartpause !== 'all';
}

const KEY = 'adAccount';

/** The account in the address, else the last one viewed, else the first. */
export function useChosenAccount(accounts: readonly AdAccount[] | undefined) {
  const [params, setParams] = useSearchParams();
  const find = (id: string | null) => accounts?.find((one) => one.id === id);
  const named = find(readListAddress(params).account);
  useEffect(() => {
    if (named !== undefined) lasting.write(KEY, named.id);
  }, [named]);

  const chosen = named ?? find(lasting.read(KEY)) ?? accounts?.[0] ?? null;
  // Another account starts without the filters of this one.
  const choose = (id: string) => {
    if (id === chosen?.id) return;
    setParams((before) => withList(before, { account: id, ...NO_FILTERS }), { preventScrollReset: true });
  };
  return [chosen, choose] as const;
}

/** The filters and the sorting in the address. A change also writes the account, so that the address can be shared. */
export function useFilters(account: string) {
  const [params, setParams] = useSearchParams();
  const { q, status, smartpause, sort } = readListAddress(params);
  const change = (
    next: Partial<Omit<ListAddress, 'account'>>,
    options: { replace?: boolean; flushSync?: boolean } = {},
  ) =>
    setParams((before) => withList(before, { account, ...next }), { preventScrollReset: true, ...options });
  return { filters: { q, status, smartpause }, sort, change };
}

/** Home shows the plans without a subscription; this parameter shows the campaigns. */
export const CAMPAIGNS_WITHOUT_ACCESS = '/?show=campaigns';

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get('show') === 'campaigns';
}
