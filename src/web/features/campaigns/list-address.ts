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

/** Home shows the plans without a subscription; this parameter shows the campaigns. */
const SHOW = 'show';
const CAMPAIGNS = 'campaigns';

export const CAMPAIGNS_WITHOUT_ACCESS = `/?${SHOW}=${CAMPAIGNS}`;

export function wantsCampaigns(params: URLSearchParams): boolean {
  return params.get(SHOW) === CAMPAIGNS;
}
