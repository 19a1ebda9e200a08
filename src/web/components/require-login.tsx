import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { rememberWanted } from '../return-to.ts';
import { useSession } from '../session.tsx';
import { PagePlaceholder } from './page-placeholder.tsx';

/** Draws a page for somebody who is logged in; sends everybody else home, from where the login leads back. */
export function RequireLogin({ page }: { page: ReactNode }) {
  const session = useSession();
  if (session.state === 'logged_out') return <SentHome />;
  return session.state === 'loading' ? <PagePlaceholder /> : page;
}

function SentHome() {
  const place = useLocation();
  useEffect(() => rememberWanted(place), [place]);
  return <Navigate to="/" replace />;
}
