import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { useUser } from '../auth.tsx';
import { RequireLogin } from './require-login.tsx';

/** Draws a page for administrators; everybody else is sent home, and told why. The server refuses them as well. */
export function RequireAdmin({ page }: { page: ReactNode }) {
  return <RequireLogin page={<AdminsOnly page={page} />} />;
}

function AdminsOnly({ page }: { page: ReactNode }) {
  const { roles } = useUser();
  return isAdmin(roles) ? page : <Navigate to="/?error=ADMIN_REQUIRED" replace />;
}
