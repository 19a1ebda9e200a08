import { useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { useAuth, useUser } from './auth-provider.tsx';
import { homeAddress, loginAddress, rememberWantedAddress } from '../../lib/return-to.ts';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';

/** Its pages are for logged-in users; others go home, and login leads back. */
export function RequireLogin() {
  const { token, loading } = useAuth();
  // The page that a logout leaves is not wanted.
  const [isWanted] = useState(token === null);
  if (token === null) return <SentHome isWanted={isWanted} />;
  return loading ? <PagePlaceholder /> : <Outlet />;
}

function SentHome({ isWanted }: { isWanted: boolean }) {
  const { search } = useLocation();
  // While another page loads, the address is ahead of the router; Navigate is about to change it.
  useLayoutEffect(() => {
    if (isWanted) rememberWantedAddress(window.location);
  }, [isWanted]);
  return <Navigate to={homeAddress(search)} replace />;
}

/** Its pages are for admins; other users go home with a banner. The server refuses them as well. */
export function RequireAdmin() {
  const { roles } = useUser();
  const { search } = useLocation();
  return isAdmin(roles) ? <Outlet /> : <Navigate to={homeAddress(search, 'ADMIN_REQUIRED')} replace />;
}

/** The address that people type: to Facebook's dialog, or home with a session. */
export function ToLogin() {
  const { token } = useAuth();
  const { search } = useLocation();
  useEffect(() => {
    // 'Back' in the dialog leads to the page before.
    if (token === null) window.location.replace(loginAddress('/'));
  }, [token]);
  return token === null ? <PagePlaceholder /> : <Navigate to={homeAddress(search)} replace />;
}
