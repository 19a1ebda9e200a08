import { isAdmin } from '#core/roles.ts';
import { useAuth } from '../../auth.tsx';
import { useSubscription } from '../../subscription.tsx';

/** The pages of whoever is here, as the header and the menu of small screens name them. */
export function useOwnPages(): readonly { to: string; label: string }[] {
  const { user, token } = useAuth();
  const { hasActiveSubscription } = useSubscription();
  if (token === null) return [];
  const isAdmins = user !== null && isAdmin(user.roles);
  return [
    ...(hasActiveSubscription ? [{ to: '/', label: 'Campaigns' }] : []),
    { to: '/settings', label: 'Settings' },
    ...(isAdmins ? [{ to: '/admin', label: 'Admin' }] : []),
  ];
}
