import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { AdAccount } from '#contract/shapes.ts';
import { lasting } from '../../browser/storage.ts';
import type { Filters } from './list-address.ts';
import { NO_FILTERS, readListAddress, withList } from './list-address.ts';

const KEY = 'adAccount';

/** The account that the address names, else the one that was looked at last, else the first. */
export function useChosenAccount(accounts: readonly AdAccount[] | undefined) {
  const [params, setParams] = useSearchParams();
  const { account } = readListAddress(params);
  const find = (id: string | null) => accounts?.find((one) => one.id === id);
  const named = find(account);
  useEffect(() => {
    if (named !== undefined) lasting.write(KEY, named.id);
  }, [named]);

  const chosen = named ?? find(lasting.read(KEY)) ?? accounts?.[0] ?? null;
  // What was looked for in one account is not looked for in the next.
  const choose = (id: string) => {
    if (id === chosen?.id) return;
    setParams((before) => withList(before, { account: id, ...NO_FILTERS }), { preventScrollReset: true });
  };
  return [chosen, choose] as const;
}

/** What the address narrows the list down to. With that it also names the account, so that it can be given to others. */
export function useFilters(accountId: string) {
  const [params, setParams] = useSearchParams();
  const { q, status, smartpause } = readListAddress(params);
  const change = (next: Partial<Filters>, options: { replace?: boolean; flushSync?: boolean } = {}) =>
    setParams((before) => withList(before, { account: accountId, ...next }), {
      preventScrollReset: true,
      ...options,
    });
  return { filters: { q, status, smartpause }, change };
}
