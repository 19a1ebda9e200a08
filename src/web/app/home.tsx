import { Card, Container } from '@mantine/core';
import { Suspense, lazy, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { Pricing } from '../features/billing/pricing.tsx';
import { usePrefetch } from '../features/campaigns/list-address.ts';
import { useShowsDashboard } from '../features/campaigns/shows-dashboard.ts';
import { Dashboard } from '../features/dashboard/dashboard.tsx';
import { SubscriptionFailure, useSubscription } from '../features/subscription/subscription-provider.tsx';
import { homeAddress } from '../lib/return-to.ts';
import { shownToken } from '../lib/session.ts';

/** Our own server has a document of its own for it: few load it here. */
const LandingPage = lazy(async () => ({ default: (await import('./landing-page.tsx')).LandingPage }));

/** One address for all: a subscriber sees their campaigns here. */
export function Home() {
  const { token, loading } = useAuth();
  if (token === null)
    return (
      <Suspense fallback={<PagePlaceholder />}>
        <LandingPage />
      </Suspense>
    );
  return loading ? <Loading /> : <UserHome />;
}

/** Most users who are logged in have a dashboard. */
function Loading() {
  usePrefetch();
  return <PagePlaceholder />;
}

/** After a logout the address no longer names an ad account of the user. */
function useLeftAddress(): void {
  const navigate = useNavigate();
  useEffect(
    () => () => {
      if (shownToken() === null) void navigate(homeAddress(window.location.search), { replace: true });
    },
    [navigate],
  );
}

function UserHome() {
  const { isLoading, error } = useSubscription();
  const showsDashboard = useShowsDashboard();
  useLeftAddress();
  if (isLoading) return <Loading />;
  if (showsDashboard) return <Dashboard />;
  if (error === null) return <Pricing />;
  return (
    <Container size="sm" py={64}>
      <Card>
        <SubscriptionFailure />
      </Card>
    </Container>
  );
}
