import { isAdmin } from '#core/roles.ts';
import { useAuth, useHasCapability } from '../features/auth/auth-provider.tsx';
import { useSubscription } from '../features/billing/subscription-provider.tsx';

/** The pages of the user, for the header and the menu of small screens. */
export function useOwnPages(): readonly { to: string; label: string }[] {
  const { user, token } = useAuth();
  const hasActivity = useHasCapability('activity');
  const { hasActiveSubscription } = useSubscription();
  if (token === null) return [];
  const isAdmins = user !== null && isAdmin(user.roles);
  return [
    ...(hasActiveSubscription ? [{ to: '/', label: 'Campaigns' }] : []),
    ...(hasActivity ? [{ to: '/activity', label: 'Activity' }] : []),
    { to: '/settings', label: 'Settings' },
    ...(isAdmins ? [{ to: '/admin', label: 'Admin' }] : []),
  ];
}
