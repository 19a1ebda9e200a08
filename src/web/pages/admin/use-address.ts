import { useSearchParams } from 'react-router';
import type { AdminAddress } from './address.ts';
import { adminSearch, readAdminAddress } from './address.ts';

/** What the address bar says of this page, and how it is made to say something else. */
export function useAdminAddress() {
  const [params, setParams] = useSearchParams();
  const address = readAdminAddress(params);
  /** What a list is narrowed down to has changed: it begins anew. */
  const narrow = (change: Partial<AdminAddress>, options: { replace?: boolean; flushSync?: boolean } = {}) =>
    setParams(
      (before) =>
        new URLSearchParams(adminSearch({ ...readAdminAddress(before), after: undefined, ...change })),
      {
        preventScrollReset: true,
        ...options,
      },
    );
  return { address, narrow };
}
