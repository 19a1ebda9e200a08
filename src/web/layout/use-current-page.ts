import { useLocation } from 'react-router';

/** Addresses that show the page of another address. */
const SAME_PAGE: Record<string, string> = { '/privacy': '/privacy-policy', '/terms': '/terms-of-service' };

/** `aria-current` for a link to the page that is shown; the style sheet marks it. */
export function useCurrentPage(): (to: string) => { 'aria-current'?: 'page' } {
  const { pathname } = useLocation();
  const shown = SAME_PAGE[pathname] ?? pathname.replace(/^(\/activity)\/.*/, '$1');
  return (to) => (to === shown ? { 'aria-current': 'page' } : {});
}
