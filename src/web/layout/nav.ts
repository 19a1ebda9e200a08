import { useLocation } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { useAuth, useHasCapability } from '../features/auth/auth-provider.tsx';
import { useSubscription } from '../features/billing/subscription-provider.tsx';

interface NavLink {
  to: string;
  label: string;
}

export const LEGAL_PAGES: readonly NavLink[] = [
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
];

const LANDING_SECTIONS: readonly NavLink[] = [
  { to: '/#how-it-works', label: 'How it works' },
  { to: '/#prices', label: 'Pricing' },
  { to: '/#questions', label: 'FAQ' },
];

/** The pages of the user; for a visitor the sections of the landing page, where it is shown. */
export function useNavLinks(): readonly NavLink[] {
  const { user, token } = useAuth();
  const { pathname } = useLocation();
  const hasActivity = useHasCapability('activity');
  const { hasActiveSubscription } = useSubscription();
  if (token === null) return pathname === '/' ? LANDING_SECTIONS : [];
  return [
    ...(hasActiveSubscription ? [{ to: '/', label: 'Campaigns' }] : []),
    ...(hasActivity ? [{ to: '/activity', label: 'Activity' }] : []),
    { to: '/settings', label: 'Settings' },
    ...(user !== null && isAdmin(user.roles) ? [{ to: '/admin', label: 'Admin' }] : []),
  ];
}

/** Addresses that show the page of another address. */
const SAME_PAGE: Record<string, string> = { '/privacy': '/privacy-policy', '/terms': '/terms-of-service' };

/** `aria-current` for a link to the page that is shown; the style sheet marks it. */
export function useCurrentPage(): (to: string) => { 'aria-current'?: 'page' } {
  const { pathname } = useLocation();
  const shown = SAME_PAGE[pathname] ?? pathname.replace(/^(\/activity)\/.*/, '$1');
  return (to) => (to === shown ? { 'aria-current': 'page' } : {});
}
