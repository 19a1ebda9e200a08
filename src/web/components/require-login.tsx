import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { useSession } from '../session.tsx';
import { PagePlaceholder } from './page-placeholder.tsx';

/** Draws a page for somebody who is logged in; sends everybody else home. */
export function RequireLogin({ page }: { page: ReactNode }) {
  const session = useSession();
  if (session.state === 'logged_out') return <Navigate to="/" replace />;
  return session.state === 'loading' ? <PagePlaceholder /> : page;
}
