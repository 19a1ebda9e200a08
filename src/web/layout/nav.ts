import { useLocation } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { useAuth, useHasCapability } from '../features/auth/auth-provider.tsx';
import { CAMPAIGNS_WITHOUT_ACCESS, wantsCampaigns } from '../features/campaigns/list-address.ts';
import { useSubscription } from '../features/subscription/subscription-provider.tsx';
import { isOwnServer } from '../lib/session.ts';

interface NavLink {
  to: string;
  label: string;
}

export const LEGAL_PAGES: readonly NavLink[] = [
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
];

/** Only our server sends the prerendered landing page and has the public status page. */
export function hasStatusPage(): boolean {
  return typeof document === 'undefined' || isOwnServer();
}

/** On the landing page its sections. The pricing page has prices and questions of its own, and keeps the chosen plan. */
function linksOfVisitor({ pathname, search }: { pathname: string; search: string }): readonly NavLink[] {
  const isPricing = pathname === '/payment';
  return [
    { to: '/#how-it-works', label: 'How it works' },
    { to: isPricing ? `/payment${search}` : '/#prices', label: 'Pricing' },
    { to: isPricing ? `/payment${search}#faq` : '/#questions', label: 'FAQ' },
  ];
}

/** The pages of the user, or what a visitor asks first. */
export function useNavLinks(): readonly NavLink[] {
  const { user, token } = useAuth();
  const place = useLocation();
  const hasActivity = useHasCapability('activity');
  const { hasActiveSubscription } = useSubscription();
  const isLapsed = !hasActiveSubscription && wantsCampaigns(new URLSearchParams(place.search));
  if (token === null) return linksOfVisitor(place);
  return [
    ...(hasActiveSubscription ? [{ to: '/', label: 'Campaigns' }] : []),
    ...(isLapsed ? [{ to: CAMPAIGNS_WITHOUT_ACCESS, label: 'Campaigns' }] : []),
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
  const shown = SAME_PAGE[pathname] ?? pathname.replace(/^(\/(?:activity|settings))\/.*/, '$1');
  return (to) => (to.replace(/\?[^#]*$/, '') === shown ? { 'aria-current': 'page' } : {});
}
