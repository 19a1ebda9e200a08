import { returnTo, wantedPage } from '../return-to.ts';
import { useHydrated } from '../use-hydrated.ts';

/** Where a login from the landing page comes back to; before the script runs, that is simply home. */
export function useVisitorsReturn(): string {
  if (!useHydrated()) return '/';
  // A fragment is a section of this page, and of none that the login leads to.
  const { pathname, search } = window.location;
  return returnTo({ pathname, search, hash: '' }, wantedPage());
}
