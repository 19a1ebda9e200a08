import type { ReactNode } from 'react';
import { useLayoutEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { homeAddress, rememberWanted } from '../../browser/return-to.ts';
import { PagePlaceholder } from './page-placeholder.tsx';

/** Draws a page for somebody who is logged in; sends everybody else home, from where the login leads back. */
export function RequireLogin({ page }: { page: ReactNode }) {
  const { token, loading } = useAuth();
  if (token === null) return <SentHome />;
  return loading ? <PagePlaceholder /> : page;
}

function SentHome() {
  const { search } = useLocation();
  // The address is ahead of the router while another page is being fetched; and Navigate is about to change it.
  useLayoutEffect(() => rememberWanted(window.location), []);
  return <Navigate to={homeAddress(search)} replace />;
}
