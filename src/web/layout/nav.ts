import { useLocation } from 'react-router';
import { useAuth } from '../features/auth/auth-provider.tsx';

export const LEGAL_PAGES = [
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
] as const;

const SECTIONS = [
  { href: '#how-it-works', label: 'How it works' },
  { href: '#prices', label: 'Pricing' },
  { href: '#questions', label: 'FAQ' },
];

/** The sections of the landing page, where it is shown. */
export function useLandingSections(): readonly { href: string; label: string }[] {
  const { token } = useAuth();
  const { pathname } = useLocation();
  return token === null && pathname === '/' ? SECTIONS : [];
}

/** Addresses that show the page of another address. */
const SAME_PAGE: Record<string, string> = { '/privacy': '/privacy-policy', '/terms': '/terms-of-service' };

/** `aria-current` for a link to the page that is shown; the style sheet marks it. */
export function useCurrentPage(): (to: string) => { 'aria-current'?: 'page' } {
  const { pathname } = useLocation();
  const shown = SAME_PAGE[pathname] ?? pathname.replace(/^(\/activity)\/.*/, '$1');
  return (to) => (to === shown ? { 'aria-current': 'page' } : {});
}
