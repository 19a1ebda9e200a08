import { isAdmin } from '#core/roles.ts';
import type { Session } from '../session.tsx';
import { useSubscription } from '../subscription.tsx';

/** The pages of whoever is here, as the header and the menu of small screens name them. */
export function useOwnPages(session: Session): readonly { to: string; label: string }[] {
  const { hasActiveSubscription } = useSubscription();
  if (session.state === 'logged_out') return [];
  const isAdmins = session.state === 'logged_in' && isAdmin(session.user.roles);
  return [
    ...(hasActiveSubscription ? [{ to: '/', label: 'Campaigns' }] : []),
    { to: '/settings', label: 'Settings' },
    ...(isAdmins ? [{ to: '/admin', label: 'Admin' }] : []),
  ];
}
