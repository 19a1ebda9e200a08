import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { useUser } from '../../auth.tsx';
import { homeAddress } from '../../browser/return-to.ts';
import { RequireLogin } from './require-login.tsx';

/** Draws a page for administrators; everybody else is sent home, and told why. The server refuses them as well. */
export function RequireAdmin({ page }: { page: ReactNode }) {
  return <RequireLogin page={<AdminsOnly page={page} />} />;
}

function AdminsOnly({ page }: { page: ReactNode }) {
  const { roles } = useUser();
  const { search } = useLocation();
  return isAdmin(roles) ? page : <Navigate to={homeAddress(search, 'ADMIN_REQUIRED')} replace />;
}
