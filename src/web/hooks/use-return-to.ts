import { useLocation } from 'react-router';
import { returnTo, wantedPage } from '../browser/return-to.ts';

/** The address that login returns to: the current page, or at home the page that required a login. */
export function useReturnTo(): string {
  return returnTo(useLocation(), wantedPage());
}
