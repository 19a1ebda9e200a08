import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { AdAccount } from '#contract/shapes.ts';
import { lasting } from '../../lib/storage.ts';
import type { ListAddress } from './list-address.ts';
import { NO_FILTERS, readListAddress, withList } from './list-address.ts';

const KEY = 'adAccount';

/** The account in the address, else the last one viewed, else the first. */
export function useChosenAccount(accounts: readonly AdAccount[] | undefined) {
  const [params, setParams] = useSearchParams();
  const { account } = readListAddress(params);
  const find = (id: string | null) => accounts?.find((one) => one.id === id);
  const named = find(account);
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
export function useFilters(accountId: string) {
  const [params, setParams] = useSearchParams();
  const { q, status, smartpause, sort } = readListAddress(params);
  const change = (
    next: Partial<Omit<ListAddress, 'account'>>,
    options: { replace?: boolean; flushSync?: boolean } = {},
  ) =>
    setParams((before) => withList(before, { account: accountId, ...next }), {
      preventScrollReset: true,
      ...options,
    });
  return { filters: { q, status, smartpause }, sort, change };
}
