import { useLocation } from 'react-router';
import { returnTo, wantedPage } from '../browser/return-to.ts';

/** Where the login is to come back to: where the person is, or at home the page that they wanted. */
export function useReturnTo(): string {
  return returnTo(useLocation(), wantedPage());
}
