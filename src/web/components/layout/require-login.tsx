import type { ReactNode } from 'react';
import { useLayoutEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { useAuth, useUser } from '../../auth.tsx';
import { homeAddress, rememberWanted } from '../../browser/return-to.ts';
import { PagePlaceholder } from './page-placeholder.tsx';

/** Renders a page for logged-in users; others go home, and login leads back. */
export function RequireLogin({ page }: { page: ReactNode }) {
  const { token, loading } = useAuth();
  if (token === null) return <SentHome />;
  return loading ? <PagePlaceholder /> : page;
}

function SentHome() {
  const { search } = useLocation();
  // While another page loads, the address is ahead of the router; Navigate is about to change it.
  useLayoutEffect(() => rememberWanted(window.location), []);
  return <Navigate to={homeAddress(search)} replace />;
}

/** Renders a page for admins; other users go home with a banner. The server refuses them as well. */
export function RequireAdmin({ page }: { page: ReactNode }) {
  return <RequireLogin page={<AdminsOnly page={page} />} />;
}

function AdminsOnly({ page }: { page: ReactNode }) {
  const { roles } = useUser();
  const { search } = useLocation();
  return isAdmin(roles) ? page : <Navigate to={homeAddress(search, 'ADMIN_REQUIRED')} replace />;
}
